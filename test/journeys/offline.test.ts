// Nothing leaves the machine: a whole run with the shipped model, with CI unset (libraries hide their telemetry when it is
// set), opens no socket but its own and leaves no file outside data and cache.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { serveProgram, untilIndexed } from "../helpers/program.ts";
import { createClient, makeTempDir } from "../helpers/start.ts";

const isLinux = process.platform === "linux";

/** Remote ends of all TCP and UDP sockets of a process, hexadecimal as the kernel prints them. */
function remoteEnds(pid: number): string[] {
  const inodes = new Set<string>();
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const socket = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`));
      if (socket) inodes.add(socket[1]);
    } catch {
      // Closed between the two calls.
    }
  }
  return ["tcp", "tcp6", "udp", "udp6"].flatMap((protocol) =>
    readFileSync(`/proc/${pid}/net/${protocol}`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => inodes.has(fields[9]))
      .map((fields) => `${protocol} ${fields[2]}`),
  );
}

const LOOPBACK = /^tcp6? (0100007F|0{8}|0{24}0100007F|0{32}|0{16}FFFF00000100007F):/;

test.skipIf(!isLinux)(
  "a run opens no socket but its own and leaves no file elsewhere",
  async () => {
    const root = makeTempDir();
    const [home, temp, data, cache] = ["home", "tmp", "data", "cache"].map((name) => join(root, name));
    for (const folder of [home, temp]) mkdirSync(folder);
    const environment = {
      HOME: home,
      TMPDIR: temp,
      BUN_TMPDIR: temp,
      CTXREPO_CACHE_DIR: cache,
      // Bun's own cache of transpiled sources, which scripts/start sets the same way; the executable has none.
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: join(cache, "bun"),
    };
    expect(environment).not.toHaveProperty("CI");
    const repository = resolve(import.meta.dir, "../..");
    const changedBefore = Bun.spawnSync(["git", "status", "--porcelain"], {
      cwd: repository,
    }).stdout.toString();

    const server = await serveProgram(data, [], environment);
    const seen = new Set<string>();
    const watch = setInterval(() => {
      for (const end of remoteEnds(server.pid)) seen.add(end);
    }, 10);
    try {
      const key = /gm_\w+/.exec(server.stderr())![0];
      const client = createClient(server.url, key);
      await client("POST", "/v1/documents", {
        title: "Tea",
        content: "The kettle whistles when the water boils.",
      });
      await untilIndexed(server.url);
      const { body } = await client("GET", "/v1/search?q=how+do+I+know+the+water+is+hot");
      expect(body.data.documents.length).toBe(1);
      await Bun.sleep(300);
    } finally {
      clearInterval(watch);
      await server.kill("SIGTERM");
    }
    expect(seen.size).toBeGreaterThan(0);
    expect([...seen].filter((end) => !LOOPBACK.test(end))).toEqual([]);
    expect(readdirSync(data)).toEqual(["ctxrepo.db"]);
    expect(readdirSync(home)).toEqual([]);
    expect(readdirSync(temp)).toEqual([]);
    const changedAfter = Bun.spawnSync(["git", "status", "--porcelain"], {
      cwd: repository,
    }).stdout.toString();
    expect(changedAfter).toBe(changedBefore);
    rmSync(root, { recursive: true });
  },
  60000,
);

const strace = Bun.which("strace");
test.skipIf(!isLinux || !strace)(
  "no system call asks for an address outside",
  async () => {
    const root = makeTempDir();
    const trace = join(root, "trace");
    const main = resolve(import.meta.dir, "../../src/main.ts");
    const child = Bun.spawn(
      [
        strace!,
        "-f",
        "-qq",
        "-e",
        "trace=connect,sendto,sendmsg,bind",
        "-o",
        trace,
        process.execPath,
        main,
        "serve",
        "--port",
        "0",
        "--data-dir",
        join(root, "data"),
      ],
      { env: { PATH: process.env.PATH ?? "", HOME: root }, stdout: "pipe", stderr: "ignore" },
    );
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    const url = /http:\S+/.exec(Buffer.from(value!).toString())![0];
    const deadline = performance.now() + 20_000;
    while (performance.now() < deadline) {
      const { embedder } = (await (await fetch(`${url}/health`)).json()) as { embedder: string };
      if (embedder === "ok") break;
      await Bun.sleep(50);
    }
    const traced = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim();
    process.kill(Number(traced), "SIGTERM");
    await child.exited;
    expect(existsSync(trace)).toBe(true);
    const addresses = [...readFileSync(trace, "utf8").matchAll(/^.*sa_family=AF_(?:INET6?|UNIX).*$/gm)].map(
      ([line]) => line,
    );
    expect(addresses.length).toBeGreaterThan(0);
    const outside = addresses.filter((line) => !/bind\(/.test(line) && !/"127\.0\.0\.1"|"::1"/.test(line));
    expect(outside).toEqual([]);
    rmSync(root, { recursive: true });
  },
  60000,
);
