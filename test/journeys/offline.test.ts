// Nothing leaves the machine: a run with the shipped model opens only its own sockets and leaves no file outside data
// and cache. CI is not set: libraries turn their telemetry off when it is.

import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { commandOf, MAIN, plainEnvironment } from "../helpers/processes.ts";
import { runProgram, serveProgram, untilIndexed } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";

const isLinux = process.platform === "linux";
const REPOSITORY = resolve(import.meta.dir, "../..");
/** Requests after which the sockets are listed once more. */
const LAST_REQUESTS = 50;

/** Remote ends of all TCP and UDP sockets of a process, hexadecimal as the kernel prints them. */
function remoteEnds(pid: number): string[] {
  const inodes = new Set<string>();
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? [];
      if (inode !== undefined) inodes.add(inode);
    } catch {
      // Closed between the two calls.
    }
  }
  return ["tcp", "tcp6", "udp", "udp6"].flatMap((protocol) =>
    readFileSync(`/proc/${pid}/net/${protocol}`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(({ 9: inode }) => inode !== undefined && inodes.has(inode))
      .map(([, , remote]) => `${protocol} ${remote}`),
  );
}

const LOOPBACK = /^tcp6? (0100007F|0{8}|0{24}0100007F|0{32}|0{16}FFFF00000100007F):/;

const changedFiles = () =>
  Bun.spawnSync(["git", "status", "--porcelain"], { cwd: REPOSITORY }).stdout.toString();

/** Adds a document, waits until it is indexed, and finds it by meaning: the model is loaded after this. */
async function useModel(url: string, key: string): Promise<void> {
  const client = createClient(url, key);
  await client("POST", "/v1/documents", {
    title: "Tea",
    content: "The kettle whistles when the water boils.",
  });
  await untilIndexed(url);
  const { body } = await client("GET", "/v1/search?q=how+do+I+know+the+water+is+hot");
  expect(body.data.documents).toHaveLength(1);
}

test.skipIf(!isLinux)("a run opens only its own sockets and leaves no file elsewhere", async () => {
  const root = makeTempDir();
  const folder = (name: string) => join(root, name);
  for (const name of ["home", "tmp"]) mkdirSync(folder(name));
  const environment = {
    HOME: folder("home"),
    TMPDIR: folder("tmp"),
    BUN_TMPDIR: folder("tmp"),
    CTXREPO_CACHE_DIR: folder("cache"),
    // Bun's own cache of transpiled sources, which scripts/start sets the same way; the executable has none.
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(folder("cache"), "bun"),
  };
  expect(environment).not.toHaveProperty("CI");
  const changedBefore = changedFiles();

  const server = await serveProgram(folder("data"), [], environment);
  const seen = new Set<string>();
  const look = () => {
    for (const end of remoteEnds(server.pid)) seen.add(end);
  };
  const watch = setInterval(look, 10);
  try {
    const key = await server.key();
    await useModel(server.url, key);
    for (let i = 0; i < LAST_REQUESTS; i++) {
      await fetch(`${server.url}/health`);
      look();
    }
  } finally {
    clearInterval(watch);
    await server.kill("SIGTERM");
  }
  expect(seen.size).toBeGreaterThan(0);
  expect([...seen].filter((end) => !LOOPBACK.test(end))).toEqual([]);
  expect(readdirSync(folder("data"))).toEqual(["ctxrepo.db"]);
  expect(readdirSync(folder("home"))).toEqual([]);
  expect(readdirSync(folder("tmp"))).toEqual([]);
  expect(changedFiles()).toBe(changedBefore);
  rmSync(root, { recursive: true });
});

const strace = Bun.which("strace");
test.skipIf(!isLinux || !strace)("no system call uses an address outside the machine", async () => {
  const root = makeTempDir();
  const trace = join(root, "trace");
  const data = join(root, "data");
  const { stdout: key } = await runProgram(["keys", "create", "--data-dir", data]);
  const tracer = [strace!, "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,bind", "-o", trace];
  const child = Bun.spawn([...tracer, ...commandOf(MAIN, "serve", "--port", "0", "--data-dir", data)], {
    env: plainEnvironment(root),
    stdout: "pipe",
    stderr: "ignore",
  });
  const { value } = await child.stdout.getReader().read();
  const [url] = /http:\S+/.exec(Buffer.from(value!).toString())!;
  await useModel(url, key.trim());
  const traced = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
  process.kill(Number(traced), "SIGTERM");
  await child.exited;
  const calls = readFileSync(trace, "utf8");
  const addresses = [...calls.matchAll(/^.*sa_family=AF_(?:INET6?|UNIX).*$/gm)].map(([line]) => line);
  expect(addresses.length).toBeGreaterThan(0);
  const outside = addresses.filter((line) => !/bind\(/.test(line) && !/"127\.0\.0\.1"|"::1"/.test(line));
  expect(outside).toEqual([]);
  rmSync(root, { recursive: true });
});
