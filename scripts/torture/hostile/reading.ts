// Sends hostile files to a server as the console does, and measures how long it takes and what memory the server and
// the processes that it starts have meanwhile.

import { readdirSync, readFileSync } from "node:fs";
import { residentMemory } from "../../bench/child-server.ts";
import type { Check, Torture } from "../torture.ts";
import { HOSTILE_FILES, type HostileFile } from "./files.ts";
import { type Caller, expectStatus, type Tally } from "./tally.ts";

const SAMPLE_MS = 20;

/**
 * The longest time to read one file, and the most memory above that of the idle server, on a machine without other
 * work.
 */
const MAX_SECONDS = 20;
const MAX_RISE_MB = 700;

interface Reader {
  call: Caller;
  tally: Tally;
  /** The process of the server. */
  pid: number;
}

/** Sends the files one after another. */
export async function* readFiles(
  torture: Torture,
  { files, ...reader }: Reader & { files: readonly HostileFile[] },
): AsyncGenerator<Check> {
  const idleMb = memoryMb(reader.pid);
  const times: number[] = [];
  let peakMb = 0;
  for (const file of files) {
    const read = await readFile(reader, file);
    times.push(read.seconds);
    peakMb = Math.max(peakMb, read.peakMb);
    torture.note(
      `hostile: ${file.name}: ${read.seconds.toFixed(1)} s, ${(read.peakMb - idleMb).toFixed(0)} MB, ${read.reason}`,
    );
  }
  const isMeasured = torture.isLong && files.length === HOSTILE_FILES.length;
  yield { check: "hostile files", value: files.length, unit: "files" };
  yield {
    check: "slowest of them",
    value: Math.max(...times),
    unit: "s",
    ...(isMeasured && { atMost: MAX_SECONDS }),
  };
  if (peakMb === 0) return torture.note("hostile: memory is not measured: this system has no /proc");
  yield {
    check: "memory of the server and its children, above the idle server",
    value: peakMb - idleMb,
    unit: "MB",
    atMost: MAX_RISE_MB,
  };
}

/** Sends one file. A reply other than the text, or the reason why there is none, is noted as a problem. */
async function readFile(
  { call, tally, pid }: Reader,
  { name, kind, isReadable, make }: HostileFile,
): Promise<{ seconds: number; peakMb: number; reason: string }> {
  const body = { name: `hostile.${kind}`, type: kind, base64: Buffer.from(make()).toString("base64") };
  const headers = { "X-Console": "1", "Sec-Fetch-Site": "same-origin" };
  let peakMb = 0;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, memoryMb(pid));
  }, SAMPLE_MS);
  const startedAt = performance.now();
  try {
    const reply = await call("POST", "/console/api/file", { body, headers, kind: "hostile file" });
    expectStatus(tally, reply, isReadable ? [name, 200] : [name, 200, 422]);
    const seconds = (performance.now() - startedAt) / 1_000;
    return { seconds, peakMb, reason: reply.body?.error?.message ?? "read" };
  } finally {
    clearInterval(timer);
  }
}

/** Resident memory of a process and its children; 0 where there is no /proc. */
function memoryMb(pid: number): number {
  if (process.platform !== "linux") return 0;
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isChild(name, pid));
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + residentMb(one), 0);
}

function isChild(pid: string, parent: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8").includes(`\nPPid:\t${parent}\n`);
  } catch {
    return false;
  }
}

/** 0 for a process that has just ended. */
function residentMb(pid: number): number {
  try {
    return residentMemory(pid).nowMb;
  } catch {
    return 0;
  }
}
