// ctxrepo backup and restore: a round trip beside a running server, what is rejected, and that failures change nothing.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { databasePath } from "../../src/db/open.ts";
import { ManualClock } from "../../src/kernel/clock.ts";
import { backUp } from "../../src/maintenance/backup.ts";
import { damageTable } from "../helpers/damage.ts";
import { runProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";

const root = makeTempDir();
afterAll(() => rmSync(root, { recursive: true, force: true }));

const source = join(root, "source");
const original = join(root, "original.db");
const json = (text: string) => JSON.parse(text);

test("commands for the whole database accept --user", async () => {
  const commands = [["backup", "a.db"], ["restore", "a.db"], ["doctor"], ["reindex"]];
  const none = join(root, "none");
  for (const command of commands) {
    const { code } = await runProgram([...command, "--user", "ada@example.org", "--data-dir", none]);
    // There is no database. Wrong usage would be 2.
    expect([command, code]).toEqual([command, 1]);
  }
});

let folders = 0;
/** A new folder for backups, with a copy of the original one. */
let folder: string;
let file: string;
let dataDir: string;
beforeEach(() => {
  folder = join(root, `test-${folders++}`);
  mkdirSync(folder);
  file = join(folder, "copy.db");
  if (existsSync(original)) copyFileSync(original, file);
  dataDir = join(folder, "data");
});

const restore = (...args: string[]) => runProgram(["restore", file, "--data-dir", dataDir, ...args]);
const backup = (target: string, ...args: string[]) =>
  runProgram(["backup", target, "--data-dir", source, ...args]);

/** The titles of the documents in a database file, sorted. */
function titles(path: string): string[] {
  const database = new Database(path, { readonly: true });
  const rows = database.query<{ title: string }, []>("SELECT title FROM documents ORDER BY title").all();
  database.close();
  return rows.map(({ title }) => title);
}

/** Creates a data directory with one document. */
async function fill(directory: string, title: string): Promise<string> {
  const { key } = json((await runProgram(["keys", "create", "--data-dir", directory, "--json"])).stdout);
  const server = await serveProgram(directory);
  const content = "The kettle whistles when the water boils.";
  const { status } = await createClient(server.url, key)("POST", "/v1/documents", { title, content });
  expect(status).toBe(201);
  await untilIndexed(server.url);
  await server.kill("SIGTERM");
  return key;
}

describe("backup", () => {
  test("beside a server that writes: one complete, checked file with everything acknowledged before", async () => {
    const key = await fill(source, "First");
    const server = await serveProgram(source);
    const client = createClient(server.url, key);
    let writes = 0;
    let isWriting = true;
    const writing = (async () => {
      for (; isWriting; writes++) {
        expect((await client("POST", "/v1/collections", { name: `Number ${writes}` })).status).toBe(201);
      }
    })();
    const { code, stdout } = await backup(original, "--json");
    isWriting = false;
    await writing;
    expect(code).toBe(0);
    const written = json(stdout);
    expect(written).toEqual({
      file: original,
      bytes: statSync(original).size,
      schema: expect.any(Number),
      documents: 1,
      prompts: 0,
      collections: expect.any(Number),
      durationMs: expect.any(Number),
    });
    expect(written.collections).toBeLessThanOrEqual(writes);
    expect(statSync(original).mode & 0o777).toBe(0o600);
    expect(readdirSync(root).filter((name) => name.startsWith("."))).toEqual([]);
    expect((await client("GET", "/v1/documents")).body.data.length).toBe(1);
    await server.kill("SIGTERM");
    expect(titles(original)).toEqual(["First"]);
  });

  test("without --json prints nothing on stdout", async () => {
    const { code, stdout, stderr } = await backup(join(folder, "other.db"));
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("1 document, ");
  });

  test("an existing file is rejected and not changed", async () => {
    writeFileSync(file, "mine");
    const { code, stderr } = await backup(file);
    expect(code).toBe(1);
    expect(stderr).toContain("exists already");
    expect(await Bun.file(file).text()).toBe("mine");
  });

  test.each([
    [
      "in a folder that does not exist",
      () => join(folder, "nowhere", "x.db"),
      "nowhere: no such file or directory",
    ],
    ["in the data directory", () => join(source, "x.db"), "in the data directory"],
    [
      "in the data directory by another name",
      () => {
        symlinkSync(source, join(folder, "link"));
        return join(folder, "link", "x.db");
      },
      "in the data directory",
    ],
  ])("a file %s is rejected", async (_name, path, message) => {
    const { code, stderr } = await backup(path());
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(readdirSync(source)).toEqual(["ctxrepo.db"]);
  });

  test("without a database fails and creates none", async () => {
    const { code, stderr } = await runProgram(["backup", join(folder, "x.db"), "--data-dir", dataDir]);
    expect(code).toBe(1);
    expect(stderr).toContain("there is no database in");
    expect(existsSync(dataDir)).toBe(false);
  });

  test("of a damaged database fails and leaves nothing", async () => {
    mkdirSync(dataDir);
    copyFileSync(original, databasePath(dataDir));
    damageTable(databasePath(dataDir), "documents");
    const target = join(folder, "x.db");
    const { code, stderr } = await runProgram(["backup", target, "--data-dir", dataDir]);
    expect(code).toBe(1);
    expect(stderr).toContain("no backup was written");
    expect(readdirSync(folder).sort()).toEqual(["copy.db", "data"]);
  });

  test.each(["snapshot", "checkFile"])("an interruption during %s leaves nothing", async (step) => {
    const controller = new AbortController();
    const call = {
      snapshot: async ({ target }: { target: string }) => {
        copyFileSync(original, target);
        if (step === "snapshot") return interrupted();
      },
      checkFile: () => interrupted(),
    };
    const interrupted = () => {
      controller.abort(new Error("interrupted"));
      return new Promise<never>(() => {});
    };
    const worker = {
      call: {
        ...call,
        integrity: interrupted,
        quickIntegrity: interrupted,
        damage: interrupted,
        index: interrupted,
      },
    };
    const clock = new ManualClock();
    const { signal } = controller;
    const target = join(folder, "x.db");
    const written = backUp({ dataDir: source, file: target, worker, clock, signal });
    await expect(written).rejects.toThrow("interrupted");
    expect(readdirSync(folder)).toEqual(["copy.db"]);
  });
});

describe("restore", () => {
  beforeAll(() => expect(existsSync(original)).toBe(true));

  test("into a new data directory: the key and the documents of the backup work", async () => {
    const { code, stdout } = await restore("--json");
    expect(code).toBe(0);
    expect(json(stdout)).toMatchObject({ file, keptAt: null, documents: 1 });
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(databasePath(dataDir)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(["ctxrepo.db"]);
    const { key } = json((await runProgram(["keys", "create", "--data-dir", dataDir, "--json"])).stdout);
    const server = await serveProgram(dataDir);
    const found = await createClient(server.url, key)("GET", "/v1/search?q=kettle&semantic=true");
    await server.kill("SIGTERM");
    expect(found.body.data.documents.map(({ title }: { title: string }) => title)).toEqual(["First"]);
  });

  test("keeps the replaced database, with commits that were only in its log, next to the backup", async () => {
    await fill(dataDir, "Second");
    const server = await serveProgram(dataDir);
    const { key } = json((await runProgram(["keys", "create", "--data-dir", dataDir, "--json"])).stdout);
    const document = { title: "Third", content: "x" };
    await createClient(server.url, key)("POST", "/v1/documents", document);
    await server.kill("SIGKILL");
    expect(existsSync(`${databasePath(dataDir)}-wal`)).toBe(true);

    const { code, stdout } = await restore("--json");
    const kept = join(folder, "ctxrepo.db.before-restore");
    expect([code, json(stdout).keptAt]).toEqual([0, kept]);
    expect(titles(databasePath(dataDir))).toEqual(["First"]);
    expect(titles(kept)).toEqual(["Second", "Third"]);
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(["copy.db", "ctxrepo.db.before-restore", "data"]);

    const again = await restore();
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("--force");
    expect(titles(kept)).toEqual(["Second", "Third"]);
    expect((await restore("--force")).code).toBe(0);
    expect(titles(kept)).toEqual(["First"]);
  });

  test("replaces a database that is damaged or none at all", async () => {
    mkdirSync(dataDir);
    for (const text of ["not a database ".repeat(999), ""]) {
      writeFileSync(databasePath(dataDir), text);
      expect((await restore("--force")).code).toBe(0);
      expect(await Bun.file(join(folder, "ctxrepo.db.before-restore")).text()).toBe(text);
      expect(titles(databasePath(dataDir))).toEqual(["First"]);
      expect(readdirSync(dataDir)).toEqual(["ctxrepo.db"]);
    }
  });

  test("is rejected while a server runs, and while another process has the database open", async () => {
    await restore();
    const server = await serveProgram(dataDir);
    const running = await restore();
    await server.kill("SIGTERM");
    expect(running.code).toBe(1);
    expect(running.stderr).toContain("is running");
    const other = new Database(databasePath(dataDir));
    other.query("SELECT count(*) FROM documents").get();
    const open = await restore();
    other.close(true);
    expect(open.code).toBe(1);
    expect(open.stderr).toContain("another process is using the database");
    expect(existsSync(join(folder, "ctxrepo.db.before-restore"))).toBe(false);
    expect(readdirSync(dataDir)).toEqual(["ctxrepo.db"]);
    expect(titles(databasePath(dataDir))).toEqual(["First"]);
  });

  test.each([
    ["does not exist", () => rmSync(file), "not found"],
    ["is no database", () => writeFileSync(file, "a diary ".repeat(9_999)), "not a database"],
    ["is empty", () => writeFileSync(file, ""), "not a database of ctxrepo"],
    ["is half a file", () => truncateSync(file, statSync(file).size / 2), "damaged"],
    ["has a damaged page", () => damageTable(file, "bodies"), "damaged"],
    ["is another program's", () => run("DROP TABLE bodies"), "not a database of ctxrepo"],
    ["is newer than the program", () => run("PRAGMA user_version = 9999"), "newer version"],
    ["was copied with its log", () => writeFileSync(`${file}-wal`, "x"), "copied from a database in use"],
  ])("a file that %s is rejected, and nothing changes", async (_name, spoil, message) => {
    await restore();
    const before = await Bun.file(databasePath(dataDir)).bytes();
    spoil();
    const { code, stderr } = await restore();
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(await Bun.file(databasePath(dataDir)).bytes()).toEqual(before);
    expect(readdirSync(dataDir)).toEqual(["ctxrepo.db"]);
    expect(readdirSync(folder)).not.toContain("ctxrepo.db.before-restore");
  });

  const run = (statement: string) => {
    const database = new Database(file);
    database.run("PRAGMA foreign_keys = OFF");
    database.run(statement);
    database.close();
  };

  test("a rejected file does not create the data directory", async () => {
    writeFileSync(file, "a diary");
    expect((await restore()).code).toBe(1);
    expect(existsSync(dataDir)).toBe(false);
  });

  test("a file of an interrupted restore is removed by the next one", async () => {
    mkdirSync(dataDir);
    writeFileSync(`${databasePath(dataDir)}.new`, "half");
    expect((await restore()).code).toBe(0);
    expect(readdirSync(dataDir)).toEqual(["ctxrepo.db"]);
  });

  // Root may write anywhere.
  test.skipIf(process.getuid?.() === 0)("a folder that cannot be written to changes nothing", async () => {
    await fill(dataDir, "Second");
    chmodSync(folder, 0o500);
    const { code, stderr } = await restore();
    chmodSync(folder, 0o700);
    expect(code).toBe(1);
    expect(stderr).toContain("nothing was restored");
    expect(titles(databasePath(dataDir))).toEqual(["Second"]);
  });
});
