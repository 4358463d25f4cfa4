// ctxrepo import on a disk that is full: it ends with the reason, and what was stored stays.

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Finished, runProgram, serveProgram, startProgram } from "../../helpers/program.ts";
import { makeTempDir } from "../../helpers/start.ts";

const root = makeTempDir();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const MB = 1024 ** 2;
const FILES = 30;
const FULL = "ctxrepo: the disk of the database is full: free space on it, or delete records";
const FAILING = "ctxrepo: the disk of the database reports errors";

/** A folder with files of 100 kB. */
const notes = join(root, "notes");
mkdirSync(notes);
for (let file = 0; file < FILES; file++) {
  const lines = Array.from(
    { length: 1_500 },
    (_, line) => `The kettle ${file} whistles ${line} times at ${line * file} degrees.\n`,
  );
  writeFileSync(join(notes, `${file}.md`), lines.join("\n"));
}

/** Calls `use` with a disk of this size in the memory. It only says so where that is not permitted. */
async function withDisk(megabytes: number, use: (disk: string) => Promise<void>): Promise<void> {
  const disk = join(root, `disk${megabytes}`);
  mkdirSync(disk);
  const mounted =
    process.platform === "linux" &&
    process.getuid?.() === 0 &&
    Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", disk]).exitCode === 0;
  if (!mounted) return console.log("skipped: a small disk can only be mounted by root on Linux");
  try {
    await use(disk);
  } finally {
    Bun.spawnSync(["umount", "-l", disk]);
  }
}

/** Writes until the disk is full. */
function fill(disk: string): void {
  for (let bytes = 64 * MB, file = 0; bytes >= 4_096; file++) {
    try {
      writeFileSync(join(disk, `ballast${file}`), Buffer.alloc(bytes));
    } catch {
      bytes /= 2;
    }
  }
}

function stored(dataDir: string): number {
  if (!existsSync(join(dataDir, "ctxrepo.db"))) return 0;
  const database = new Database(join(dataDir, "ctxrepo.db"), { readonly: true });
  try {
    return (database.query("SELECT count(*) AS count FROM documents").get() as { count: number }).count;
  } catch {
    return 0;
  } finally {
    database.close();
  }
}

const lastLine = ({ stderr }: Finished) => stderr.trimEnd().split("\n").at(-1);
const importInto = (dataDir: string) => ["import", notes, "--json", "--data-dir", dataDir];

test("files that do not fit end the import, and the next one continues", () =>
  withDisk(20, async (disk) => {
    const dataDir = join(disk, "data");
    const ended = await runProgram(importInto(dataDir));
    const created = JSON.parse(ended.stdout);
    expect(ended.code).toBe(1);
    expect(lastLine(ended)).toBe(
      `${FULL}. Not imported: ${FILES - created.length} of ${FILES} files. Run the command again afterwards`,
    );
    expect(stored(dataDir)).toBe(created.length);
    expect(Bun.spawnSync(["mount", "-o", "remount,size=400m", disk]).exitCode).toBe(0);
    const again = startProgram(importInto(dataDir));
    const deadline = performance.now() + 60_000;
    while (stored(dataDir) < FILES && performance.now() < deadline) await Bun.sleep(20);
    // The index takes minutes.
    again.kill("SIGINT");
    const outcomes = JSON.parse((await again.finished).stdout);
    const count = (wanted: string) =>
      outcomes.filter(({ status }: { status: string }) => status === wanted).length;
    expect([count("unchanged"), count("created")]).toEqual([created.length, FILES - created.length]);
  }));

test("an import that waits for its index ends when that does not fit", () =>
  withDisk(120, async (disk) => {
    const dataDir = join(disk, "data");
    const importing = startProgram(importInto(dataDir));
    const deadline = performance.now() + 60_000;
    while (stored(dataDir) < FILES && performance.now() < deadline) await Bun.sleep(20);
    fill(disk);
    const ended = await importing.finished;
    expect(JSON.parse(ended.stdout)).toHaveLength(FILES);
    expect([ended.code, lastLine(ended)]).toEqual([
      1,
      `${FULL}. What is stored will be indexed by the next command or server`,
    ]);
  }));

test("beside a server, too", () =>
  withDisk(60, async (disk) => {
    const dataDir = join(disk, "data");
    const server = await serveProgram(dataDir);
    try {
      fill(disk);
      const ended = await runProgram(importInto(dataDir));
      expect([ended.code, lastLine(ended)]).toEqual([1, expect.stringContaining(`${FULL}. Not imported: `)]);
    } finally {
      await server.kill("SIGKILL");
    }
  }));

test.skipIf(process.platform === "win32")(
  "a limit of the size of files ends an import in the same way",
  async () => {
    const dataDir = join(root, "limited");
    const program = ["sh", "-c", 'ulimit -f 16384; exec "$0" "$@"'];
    const ended = await startProgram(importInto(dataDir), {}, program).finished;
    expect([ended.code, lastLine(ended)]).toEqual([1, expect.stringContaining(FAILING)]);
  },
);
