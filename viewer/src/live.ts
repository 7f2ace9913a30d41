// The line to a running simulation: frames come in, wishes go out; a line that breaks is taken up again.
import { StreamError, StreamReader } from "./stream";
import type { Store } from "./store";

export interface LiveStatus {
  running: boolean;
  time: number;
  dt: number;
  gravity: [number, number, number];
  speed: number;
  real_time: number;
  stepper: string;
  efforts: number[];
  inputs: number[];
  trouble: string;
}

/// Waiting times between attempts [ms]: short at first, then patient.
export function retryDelay(attempt: number): number {
  return Math.min(250 * 2 ** attempt, 4000);
}

export class LiveLink {
  status: LiveStatus | null = null;
  isOpen = false;
  private socket: WebSocket | null = null;
  private attempt = 0;

  /// `isCalm`: nothing is to move before someone asks for it.
  constructor(private url: string, private store: Store, private changed: (what: "status" | "opening" | "frame" | "connection") => void, private failed: (message: string) => void, private isCalm: boolean) {}

  connect(): void {
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    let reader = new StreamReader(this.store);
    socket.onopen = () => {
      this.isOpen = true;
      this.attempt = 0;
      if (!this.isCalm) this.send({ do: "begin" }); // runs, unless someone has decided otherwise
      this.changed("connection");
    };
    socket.onmessage = (event: MessageEvent) => {
      if (typeof event.data === "string") {
        this.status = { ...(this.status ?? {}), ...JSON.parse(event.data) } as LiveStatus;
        const { header } = this.store;
        if (header) [header.dt, header.gravity] = [this.status.dt, this.status.gravity]; // may have been changed since
        this.changed("status");
        return;
      }
      const bytes = new Uint8Array(event.data as ArrayBuffer);
      try {
        const isOpening = bytes[0] === 0x53; // S of the magic: a new scene, or the same anew
        if (isOpening) reader = new StreamReader(this.store);
        reader.push(bytes);
        this.changed(isOpening ? "opening" : "frame");
      } catch (error) {
        this.failed(error instanceof StreamError ? error.message : String(error));
        socket.close();
      }
    };
    socket.onclose = () => {
      this.isOpen = false;
      this.changed("connection");
      setTimeout(() => this.connect(), retryDelay(this.attempt++));
    };
    this.socket = socket;
  }

  /// As far as it can be known: without a connection nothing moves here.
  get isRunning(): boolean {
    return this.isOpen && (this.status?.running ?? false);
  }

  send(command: Record<string, unknown>): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
}
