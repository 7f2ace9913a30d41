// Reads the example recording with the npm package @mcap/core, as a browser would, whole and cut off, and checks every number against
// its formula (tests/io/recording_example.h).
// usage: node read_recording.mjs FOLDER_WITH_NODE_MODULES WRITE_EXAMPLE_RECORDING
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const [, , modules, program] = process.argv;
const require = createRequire(path.join(path.resolve(modules), "package.json"));
const { McapIndexedReader, McapStreamReader } = require("@mcap/core");
const { decompress } = require("fzstd");

const FRAMES = 40;
const BODIES = 2;
const decompressHandlers = { zstd: (buffer) => decompress(buffer) };
const text = (bytes) => new TextDecoder().decode(bytes);
const timeOf = (frame) => 0.1 * frame;
const valueOf = (frame, place, group) => (10.0 * frame + place - 30.0) / (7.0 + group);

function checkPoses(frame, data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  assert.equal(data.byteLength, 8 * (1 + 7 * BODIES));
  assert.equal(view.getFloat64(0, true), timeOf(frame));
  for (let i = 0; i < 7 * BODIES; ++i) assert.equal(view.getFloat64(8 * (1 + i), true), valueOf(frame, i, 0));
}

async function checkWhole(bytes) {
  const readable = {
    size: async () => BigInt(bytes.byteLength),
    read: async (offset, length) => new Uint8Array(bytes.subarray(Number(offset), Number(offset + length))),
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  assert.equal(reader.statistics.messageCount, BigInt(3 * FRAMES + 1));
  const attachments = {};
  for await (const attachment of reader.readAttachments()) attachments[attachment.name] = text(attachment.data);
  assert.equal(JSON.parse(attachments["recording.json"]).bodies[1].shapes[0].radius, 0.25);
  let frames = 0;
  for await (const message of reader.readMessages({ topics: ["/sinew/bodies"] })) checkPoses(frames++, message.data);
  assert.equal(frames, FRAMES);
  frames = 0;
  for await (const message of reader.readMessages({ topics: ["/sinew/ledger"] })) {
    assert.equal(JSON.parse(text(message.data))["energy.total"], valueOf(frames, 0, 2));
    assert.equal(message.logTime, BigInt(Math.round(timeOf(frames) * 1e9)));
    ++frames;
  }
  assert.equal(frames, FRAMES);
}

function countFramesOfStream(bytes) {
  const reader = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  reader.append(bytes);
  const topics = new Map();
  let frames = 0;
  for (let record; (record = reader.nextRecord()); ) {
    if (record.type === "Channel") topics.set(record.id, record.topic);
    if (record.type === "Message" && topics.get(record.channelId) === "/sinew/bodies") checkPoses(frames++, record.data);
  }
  return frames;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "sinew-"));
try {
  const file = path.join(folder, "example.mcap");
  execFileSync(program, [file]);
  const bytes = new Uint8Array(fs.readFileSync(file));
  await checkWhole(bytes);
  const found = [45, 60, 70, 80, 100].map((percent) => countFramesOfStream(bytes.slice(0, (bytes.length * percent) / 100)));
  assert.equal(found.at(-1), FRAMES);
  assert.ok(found[0] < FRAMES && found.every((n, i) => i === 0 || n >= found[i - 1]), String(found));
  console.log(`@mcap/core reads ${FRAMES} frames; cut off, ${found}`);
} finally {
  fs.rmSync(folder, { recursive: true });
}
