// Group disk: a disk that is full, that reports errors at each call in turn, a limit of the size of files, a directory
// that is read-only, damaged pages of each kind, and a damaged write-ahead log.

import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Missing } from "../bench/bench.ts";
import { REPOSITORY } from "../bench/child-server.ts";
import { damagedLogs, damagedPages } from "./damage.ts";
import { openOutage, tryStart } from "./outage.ts";
import { type Call, type ErrorName, openPreload } from "./preload.ts";
import type { Check, Torture, TortureGroup } from "./torture.ts";

const MB = 1024 ** 2;
const DISK_MB = 40;
/** In units of 512 bytes: the log does not fit, or the database does not grow. */
const FILE_BLOCKS = [(6 * MB) / 512, (20 * MB) / 512] as const;
const FAILING_CALLS = 480;
const FAILING_STARTS = 60;
const MESSAGE = /^(error: )?cannot (use|open) .*\(.*\)|the disk|the file|read-only/m;

/** The parts of the group. Each throws Missing if it needs more than this machine allows. */
export const PARTS: Readonly<Record<string, TortureGroup>> = {
  "failing calls": failingCalls,
  "failing starts": failingStarts,
  "full disk": fullDisk,
  "limit of the size of files": fileLimit,
  "read-only directory": readOnly,
  "damaged pages": damagedPages,
  "damaged log": damagedLogs,
};

/** Yields all checks of the group. Parts that are impossible on this machine are left out with a note. */
export async function* disk(torture: Torture): AsyncGenerator<Check> {
  for (const [name, part] of Object.entries(PARTS)) {
    try {
      yield* part(torture);
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      torture.note(`disk: ${name} is left out: ${error.message}`);
    }
  }
}

const FAULTS: readonly (readonly [Call, ErrorName])[] = [
  ["write", "EIO"],
  ["write", "ENOSPC"],
  ["sync", "EIO"],
  ["write", "EROFS"],
  ["sync", "ENOSPC"],
  ["read", "EIO"],
  ["write", "EDQUOT"],
  ["truncate", "EIO"],
];
/** Most failures are of one call; some last. */
const LENGTHS = [1, 1, 1, 2, 10] as const;

/** Each call in turn fails while clients write. */
async function* failingCalls(torture: Torture): AsyncGenerator<Check> {
  const folder = torture.folder();
  const preload = await openPreload(torture, join(folder, "data"));
  const outage = await openOutage(torture, folder);
  await outage.start({ env: preload.env });
  await outage.write(4);
  let failed = 0;
  let unreported = 0;
  const { counts } = outage.shared;
  const rounds = torture.repetitions(FAILING_CALLS);
  for (let round = 0; round < rounds; round++) {
    const [call, error] = FAULTS[round % FAULTS.length]!;
    const refused = counts.refused;
    preload.fail({
      calls: [call],
      error,
      skip: Math.floor(round / FAULTS.length) % 40,
      length: LENGTHS[Math.floor(round / 3) % LENGTHS.length],
    });
    await outage.write(1);
    const health = await outage.health();
    failed += preload.heal();
    // It may have been reported and have ended before /health was read.
    if (counts.refused > refused && health.problems === undefined && error !== "ENOSPC") unreported++;
  }
  yield { check: "errors: calls that failed", value: failed, unit: `in ${rounds} rounds`, atLeast: 1 };
  yield {
    check: "errors: requests refused",
    value: counts.refused,
    unit: `${counts.acknowledged} acknowledged`,
  };
  yield { check: "errors: refused without the reason", value: counts.unexplained, unit: "", atMost: 0 };
  yield { check: "errors: not shown in /health", value: unreported, unit: "", atMost: 0 };
  yield* outage.recovered("errors");
}

/** Each call in turn fails while the server starts. */
async function* failingStarts(torture: Torture): AsyncGenerator<Check> {
  const folder = torture.folder();
  const preload = await openPreload(torture, join(folder, "data"));
  const outage = await openOutage(torture, folder);
  await outage.start();
  await outage.write(4);
  await outage.server().kill();
  const before = preload.made();
  await outage.start({ env: preload.env });
  await outage.server().kill();
  const after = preload.made();
  const faults = FAULTS.filter(([call]) => after[call] > before[call]);
  let started = 0;
  let unclear = 0;
  let failed = 0;
  const starts = torture.repetitions(FAILING_STARTS);
  for (let n = 0; n < starts; n++) {
    const [call, error] = faults[n % faults.length]!;
    const made = after[call] - before[call];
    const skip = Math.floor((made * Math.floor(n / faults.length)) / Math.ceil(starts / faults.length));
    preload.fail({ calls: [call], error, skip, length: 3 });
    const result = await tryStart(outage, { env: preload.env });
    failed += preload.heal();
    if ("server" in result) {
      started++;
      await outage.server().kill();
    } else if (result.code !== 1 || !MESSAGE.test(result.message)) {
      unclear++;
      torture.note(
        `disk: start with ${error} of ${call} ${skip} exited with ${result.code}: ${result.message}`,
      );
    }
  }
  yield {
    check: "errors at start: starts",
    value: starts,
    unit: `${failed} failed calls, ${started} servers started`,
  };
  yield { check: "errors at start: unclear messages", value: unclear, unit: "", atMost: 0 };
  await outage.start();
  yield* outage.recovered("errors at start");
}

/** A disk without space, and with space again. */
async function* fullDisk(torture: Torture): AsyncGenerator<Check> {
  const folder = torture.folder();
  const unmount = mount(["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", folder]);
  try {
    const outage = await openOutage(torture, folder);
    const { counts, wrong } = outage.shared;
    await outage.start();
    await outage.write(8);
    const ballast = join(folder, "ballast");
    const free = DISK_MB * MB - statSync(join(outage.dataDir, "ctxrepo.db")).size;
    fill(ballast, free);
    let problems: string[] = [];
    for (let tries = 0; counts.refused < torture.repetitions(400) && tries < 400; tries++) {
      await outage.write(2);
      // A smaller write may have succeeded after the last refused one: then nothing is shown.
      problems = (await outage.health()).problems ?? problems;
    }
    const { refused } = counts;
    const list = await outage.send({ method: "GET", path: "/v1/documents?limit=5" });
    const [victim] = outage.shared.pool;
    const read = await outage.send({ method: "GET", path: `/v1/documents/${victim}` });
    yield {
      check: "full: requests refused",
      value: refused,
      unit: `${counts.acknowledged} acknowledged`,
      atLeast: 1,
    };
    yield { check: "full: refused without the reason", value: counts.unexplained, unit: "", atMost: 0 };
    yield {
      check: "full: problems in /health",
      value: problems.length,
      unit: problems.join("; "),
      atLeast: 1,
    };
    const reads = [list, read].filter((received) => received?.status === 200).length;
    yield { check: "full: reads that succeed", value: reads, unit: "of 2", atLeast: 2 };
    // A scraped page: no other fact is about it.
    const document = outage.scraped.splice(0, 1)[0];
    outage.facts.end(`document ${document}`);
    const removed = await outage.send({ method: "DELETE", path: `/v1/documents/${document}` });
    yield {
      check: "full: status of a deletion",
      value: removed?.status ?? 0,
      unit: "",
      atLeast: 200,
      atMost: 200,
    };
    rmSync(ballast);
    const wrongBefore = wrong.length;
    await outage.write(2);
    const { problems: left = [] } = await outage.health();
    yield {
      check: "full: writes that fail with space again",
      value: wrong.length - wrongBefore,
      unit: "",
      atMost: 0,
    };
    yield {
      check: "full: problems in /health with space again",
      value: left.length,
      unit: left.join("; "),
      atMost: 0,
    };
    yield* outage.recovered("full");
  } finally {
    unmount();
  }
}

/** Writes a file until the disk is full. */
function fill(path: string, bytes: number): void {
  for (let size = bytes; size > 0; size -= MB) {
    try {
      writeFileSync(path, Buffer.alloc(size));
      return;
    } catch {
      // It does not fit.
    }
  }
}

/** A limit of the size of files (ulimit -f), which the database or its log reaches. */
async function* fileLimit(torture: Torture): AsyncGenerator<Check> {
  for (const blocks of torture.isLong ? FILE_BLOCKS : FILE_BLOCKS.slice(0, 1)) {
    const name = `limit of ${Math.round((blocks * 512) / MB)} MB`;
    const outage = await openOutage(torture, torture.folder());
    const { counts } = outage.shared;
    const program = ["sh", "-c", `ulimit -f ${blocks}; exec "$0" "$@"`, ...REPOSITORY];
    await outage.start({ program });
    for (let tries = 0; counts.refused < 20 && tries < torture.repetitions(100); tries++)
      await outage.write(2);
    const { problems = [] } = await outage.health();
    const { refused, acknowledged, unexplained } = counts;
    yield {
      check: `${name}: requests refused`,
      value: refused,
      unit: `${acknowledged} acknowledged, ${problems.join("; ")}`,
    };
    yield { check: `${name}: refused without the reason`, value: unexplained, unit: "", atMost: 0 };
    await outage.server().kill();
    await outage.start();
    yield* outage.recovered(name);
  }
}

/** A directory that is mounted read-only. */
async function* readOnly(torture: Torture): AsyncGenerator<Check> {
  const folder = torture.folder();
  const outage = await openOutage(torture, folder);
  await outage.start();
  await outage.write(4);
  await outage.server().kill();
  const unmount = mount(["--bind", folder, folder]);
  try {
    run(["mount", "-o", "remount,ro,bind", folder]);
    const result = await tryStart(outage, {});
    const isClear = "message" in result && result.code === 1 && /read-only/.test(result.message);
    if (!isClear)
      torture.note(`disk: read-only: ${"message" in result ? result.message : "the server started"}`);
    yield { check: "read-only: starts without a clear message", value: isClear ? 0 : 1, unit: "", atMost: 0 };
    if ("server" in result) await outage.server().kill();
  } finally {
    unmount();
  }
  await outage.start();
  yield* outage.recovered("read-only");
}

/** Mounts something on a folder. Throws Missing if that is not permitted. */
function mount(args: string[]): () => void {
  const target = args.at(-1)!;
  mkdirSync(target, { recursive: true });
  if (process.getuid?.() !== 0) throw new Missing("only root can mount");
  run(["mount", ...args]);
  const unmount = () => void Bun.spawnSync(["umount", "-l", target]);
  process.on("exit", unmount);
  return unmount;
}

function run(command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Missing(`${command.join(" ")}: ${stderr}`);
}
