// `sinew view` as a server: where it listens, whom it answers, clients that never read, ports that are taken, the browser it opens, recordings.
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ask, folder, launch, openPage, PENDULUM, Server, sinew, tidyUp, until } from "./setup";

let browser: Browser;
const scene = join(folder, "server.yaml");
beforeAll(async () => {
  browser = await launch();
  writeFileSync(scene, PENDULUM);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await tidyUp(browser);
});
afterAll(async () => browser?.close());

function get(url: string, headers: Record<string, string>, method = "GET"): Promise<number> {
  return new Promise((resolve, reject) => {
    const r = request(url, { headers, method }, (answer) => { answer.resume(); resolve(answer.statusCode ?? 0); });
    r.on("error", reject);
    r.end();
  });
}
const UPGRADE = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": randomBytes(16).toString("base64") };

async function comesTrue(what: string, isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + 60000; !isTrue(); await new Promise((resolve) => setTimeout(resolve, 20))) if (Date.now() > end) throw new Error(`never came true: ${what}`);
}

/// A WebSocket by hand, which reads only when it is told to.
class Client {
  received = 0; // bytes
  private parts: Buffer[] = [];
  readonly socket: Socket;
  constructor(url: string) {
    const { hostname, host, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on("error", () => undefined);
    this.socket.write(`GET /ws HTTP/1.1\r\nHost: ${host}\r\n${Object.entries(UPGRADE).map(([k, v]) => `${k}: ${v}`).join("\r\n")}\r\n\r\n`);
  }
  listen(): void {
    this.socket.on("data", (data: Buffer) => {
      this.parts.push(data);
      this.received += data.length;
    });
  }
  say(text: string): void { // masked by zeros
    this.socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]));
  }
  /// Binary messages that have come as a whole.
  messages(): Buffer[] {
    const all = Buffer.concat(this.parts);
    const found: Buffer[] = [];
    let message: Buffer[] = [];
    let isText = false;
    for (let at = all.indexOf("\r\n\r\n") + 4; at + 2 <= all.length; ) {
      const short = all[at + 1] & 0x7f;
      const head = short === 127 ? 10 : short === 126 ? 4 : 2;
      if (at + head > all.length) break;
      const length = short === 127 ? Number(all.readBigUInt64BE(at + 2)) : short === 126 ? all.readUInt16BE(at + 2) : short;
      if (at + head + length > all.length) break;
      const kind = all[at] & 0x0f; // 0: goes on, 1: text, 2: binary
      if (kind === 1 || kind === 2) isText = kind === 1;
      if (kind < 3) message.push(all.subarray(at + head, at + head + length));
      if (kind < 3 && all[at] & 0x80) {
        if (!isText) found.push(Buffer.concat(message));
        message = [];
      }
      at += head + length;
    }
    return found;
  }
}

describe("sinew view", () => {
  it("refuses foreign pages and names, and outlives who speaks nonsense", async () => {
    const server = new Server(scene);
    const url = await server.ready();
    const { host, port } = new URL(url);
    expect(host.startsWith("127.0.0.1")).toBe(true);
    expect(await get(url, {})).toBe(200);
    expect(await get(url, { host: `localhost:${port}` })).toBe(200);
    for (const foreign of ["evil.example", `evil.example:${port}`, `192.0.2.1:${port}`, `127.0.0.1.evil.example:${port}`, "["]) expect(await get(url, { host: foreign }), foreign).toBe(403);
    expect(await get(url, { origin: "http://evil.example" })).toBe(403);
    expect(await get(url, {}, "POST")).toBe(405);
    expect(await get(`${url}../../etc/passwd`, {})).toBe(404);
    expect(await get(`${url}ws`, { ...UPGRADE, origin: "http://evil.example" })).toBe(403);

    const { page: p } = await openPage(browser, url);
    await until(p, "v.frames > 5");
    const garbage = connect(Number(port), "127.0.0.1");
    garbage.on("error", () => undefined);
    garbage.write(randomBytes(5000));
    await p.evaluate(() => {
      const socket = new WebSocket(`ws://${location.host}/ws`);
      socket.onopen = () => { for (const m of ["{", "[]", '{"do":7}', '{"do":"dt","value":-1}', '{"do":"pull","body":99,"point":[0,0,0],"target":[0,0,0]}', '{"do":"gravity","value":"x"}', '{"do":"nothing"}']) socket.send(m); };
    });
    const then = await ask<number>(p, "v.time");
    await until(p, `v.time > ${then} + 0.5`);
    garbage.destroy();
    await p.context().close();
    await server.stop();
    expect(server.process.exitCode).toBe(0);
  });

  it("is reached at the address that it was bound to, by its page too", async () => {
    const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));
    for (const address of ["127.0.0.2", ...(hasIPv6 ? ["::1"] : [])]) {
      const server = new Server(scene, "--bind", address);
      const url = await server.ready();
      expect(new URL(url).hostname).toBe(address.includes(":") ? `[${address}]` : address);
      const { page: p } = await openPage(browser, url);
      await until(p, "v.frames > 5"); // its WebSocket has an Origin
      expect(await get(url, { host: "evil.example" })).toBe(403);
      expect(await get(url, { origin: "http://127.0.0.3" })).toBe(403);
      await p.context().close();
    }
  });

  it("bound to all addresses answers them, but no names that others could point here", async () => {
    const server = new Server(scene, "--bind", "0.0.0.0");
    const port = new URL(await server.ready()).port;
    const url = `http://127.0.0.1:${port}/`;
    for (const host of ["127.0.0.1", "localhost", "192.0.2.1", "[2001:db8::1]"]) expect(await get(url, { host: `${host}:${port}` }), host).toBe(200);
    for (const host of ["evil.example", "127.0.0.1.evil.example", "2130706433", ""]) expect(await get(url, { host: `${host}:${port}` }), host).toBe(403);
    expect(await get(`${url}ws`, { ...UPGRADE, origin: "http://evil.example" })).toBe(403);
  });

  it("says in one line what it cannot listen on", async () => {
    const port = new URL(await new Server(scene).ready()).port;
    for (const [options, line] of [[["--port", port], /^--port: cannot listen on 127\.0\.0\.1:\d+: address already in use; choose another\n$/i],
      [["--bind", "192.0.2.1"], /^--bind: cannot listen on 192\.0\.2\.1.*; choose another\n$/], [["--bind", "localhost"], /^--bind: expected an IP address, got 'localhost'\n$/]] as const) {
      const done = await sinew("view", scene, ...options);
      expect([done.code, done.out, done.err]).toEqual([2, "", expect.stringMatching(line)]);
    }
  });

  it("opens the browser at its address, which outlives it without keeping its port", async () => {
    const [bin, told] = [join(folder, "bin"), join(folder, "told")];
    mkdirSync(bin);
    writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nread -r _ _ _ _ group _ < /proc/$$/stat\necho "$1 $$ $group" > ${told}.new\n/bin/mv ${told}.new ${told}\nexec /bin/sleep 60\n`);
    chmodSync(join(bin, "xdg-open"), 0o755);
    vi.stubEnv("PATH", bin);
    const server = new Server(scene, "--open");
    const url = await server.ready();
    await comesTrue("the browser is opened", () => existsSync(told));
    const [address, pid, group] = readFileSync(told, "utf8").trim().split(" ");
    try {
      expect(address).toBe(url);
      expect(group).toBe(pid); // Ctrl-C at the terminal is for the server alone
      await server.stop();
      await expect(get(url, {})).rejects.toThrow("ECONNREFUSED");
    } finally {
      process.kill(Number(pid));
    }

    vi.stubEnv("PATH", folder);
    const lonely = new Server(scene, "--open");
    await lonely.ready();
    await comesTrue("it says so", () => lonely.output.includes("found no way to open a browser; please open http://"));
  });

  it("loses frames for a client that does not read, never the opening, and keeps no more than it may", async () => {
    const many = join(folder, "many.yaml");
    const count = 2000;
    writeFileSync(many, `sinew: 1\nname: many\ngravity: [0, 0, 0]\nbodies:\n${Array.from({ length: count }, (_, i) => `  - {name: b${i}, mass: 1, shape: {type: sphere, radius: 0.1}, position: [${i}, 0, 0], velocity: [0, 1, 0]}\n`).join("")}`);
    const server = new Server(many);
    const url = await server.ready();
    const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, "utf8"))?.[1]) * 1024;
    const [deaf, other] = [new Client(url), new Client(url)];
    other.listen();
    await comesTrue("it answers", () => other.received > 0);
    other.say('{"do":"play"}');
    const sockets = (name: string, column: number) => Number(readFileSync(`/proc/sys/net/ipv4/tcp_${name}`, "utf8").trim().split(/\s+/)[column]); // bytes they hold
    const kernel = sockets("wmem", 2) + 2 * sockets("rmem", 1); // what is received has more room only as it is read
    await comesTrue("it sends", () => other.received > 1e6);
    const before = memory();
    await comesTrue("more is sent than sockets hold", () => other.received > kernel + 120 * 28 * count);
    expect(memory() - before).toBeLessThan(20e6);
    const numbers = (client: Client) => client.messages().filter((m) => m[0] === 3).map((m) => m.readUInt32LE(12)); // of frames
    const sent = numbers(other);
    deaf.listen();
    await comesTrue("it hears the present", () => (numbers(deaf).at(-1) ?? 0) > sent[sent.length - 1]);
    const heard = numbers(deaf);
    expect(deaf.messages()[0].subarray(0, 8).toString("latin1")).toBe("SNWVIEW\x01");
    expect(heard.every((n, i) => i === 0 || n > heard[i - 1])).toBe(true);
    expect(heard.length).toBeLessThan(heard[heard.length - 1] - 20);
    expect(sent.every((n, i) => i === 0 || n === sent[i - 1] + 1)).toBe(true); // one that reads loses none
    for (const { socket } of [deaf, other]) socket.destroy();
  });

  it("serves a recording to two tabs", async () => {
    const recording = join(folder, "served.mcap");
    await sinew("run", scene, "--record", recording, "--quiet");
    const server = new Server(recording);
    const url = await server.ready();
    const tabs = await Promise.all([openPage(browser, url), openPage(browser, url)]);
    for (const w of tabs) await until(w.page, "v.frames > 100");
    // The server is gone: a tab that was open goes on, a page whose recording does not come says so.
    const { page: p } = tabs[0];
    tabs[0].expected = /ERR_FAILED/;
    await p.route("**/stream", (route) => route.abort());
    await p.reload();
    await p.locator("#message:visible", { hasText: /could not be fetched.*sinew view/s }).waitFor();
    await server.stop();
    const then = await ask<number>(tabs[1].page, "v.time");
    await until(tabs[1].page, `v.time !== ${then}`);
    for (const w of tabs) await w.page.context().close();
  });
});
