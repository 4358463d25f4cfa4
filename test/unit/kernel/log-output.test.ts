// The output of the log on real descriptors: a file, a pipe that nobody reads, a pipe whose reader is gone, and a
// process that exits at once.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, constants, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { openLogOutput } from "../../../src/kernel/log-output.ts";
import { makeTempDir } from "../../helpers/start.ts";

const OUTPUT = resolve(import.meta.dir, "../../../src/kernel/log-output.ts");

let dir: string;
let opened: number[];
beforeEach(() => {
  dir = makeTempDir();
  opened = [];
});
afterEach(() => {
  for (const descriptor of opened) closeSync(descriptor);
  rmSync(dir, { recursive: true });
});

function open(path: string, flags: string | number): number {
  const descriptor = openSync(path, flags);
  opened.push(descriptor);
  return descriptor;
}

/** A pipe: its path, and a descriptor from which it can be read. */
function makePipe(): { path: string; reader: number } {
  const path = join(dir, "pipe");
  expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
  return { path, reader: open(path, constants.O_RDONLY | constants.O_NONBLOCK) };
}

test("all lines are written in order, also those that come during a write", async () => {
  const path = join(dir, "log");
  const output = openLogOutput({ descriptor: open(path, "w") });
  let expected = "";
  for (let i = 0; i < 1_000; i++) {
    const line = `line ${i} ${"é".repeat(50)}\n`;
    expected += line;
    output.write(line);
    if (i % 10 === 0) await new Promise((turn) => setImmediate(turn));
  }
  await output.close();
  expect(readFileSync(path, "utf8")).toBe(expected);
  expect(output.dropped).toBe(0);
});

test.skipIf(process.platform === "win32")(
  "with a reader that does not read, lines are dropped and counted, and nothing waits",
  async () => {
    const { path, reader } = makePipe();
    let reported = 0;
    const output = openLogOutput({
      descriptor: open(path, constants.O_WRONLY | constants.O_NONBLOCK),
      onDropped: (lines) => {
        reported += lines;
      },
    });
    const line = `${"x".repeat(999)}\n`;
    // At most 2 MB are kept: what is being written, and what waits.
    const sent = 4_000;
    for (let i = 0; i < sent; i++) {
      output.write(line);
      if (i % 100 === 0) await new Promise((turn) => setImmediate(turn));
    }
    expect(output.dropped).toBeGreaterThan(1_000);
    // The reader reads again: what was not dropped arrives.
    let received = 0;
    const buffer = Buffer.alloc(64 * 1024);
    while (received < (sent - output.dropped) * line.length) {
      try {
        received += readSync(reader, buffer);
      } catch {
        // Nothing to read yet.
      }
      await new Promise((turn) => setImmediate(turn));
    }
    await output.close();
    expect(reported).toBe(output.dropped);
    expect(received).toBe((sent - output.dropped) * line.length);
  },
);

test.skipIf(process.platform === "win32")("a reader that is gone is no error", async () => {
  const { path, reader } = makePipe();
  const writer = open(path, constants.O_WRONLY);
  closeSync(reader);
  opened.splice(opened.indexOf(reader), 1);
  const output = openLogOutput({ descriptor: writer });
  output.write("one\n");
  await output.close();
  output.write("two\n");
  expect(output.dropped).toBe(2);
});

test("a process that exits at once has written its last lines", () => {
  const script = `
    import { openLogOutput } from ${JSON.stringify(OUTPUT)};
    const output = openLogOutput();
    for (let i = 0; i < 100; i++) output.write("line " + i + "\\n");
    process.exit(3);
  `;
  const { stderr, exitCode } = Bun.spawnSync([process.execPath, "-e", script], { stderr: "pipe" });
  expect(exitCode).toBe(3);
  expect(stderr.toString().split("\n")).toHaveLength(101);
});
