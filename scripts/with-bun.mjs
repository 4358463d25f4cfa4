// Finds or downloads the Bun that package.json pins, installs the packages of bun.lock, and runs a script with it. Plain
// JavaScript for Node 18 or any Bun, because it runs before the right version is available. All messages go to stderr.
//
//   with-bun.mjs SCRIPT [ARGUMENT…]   runs SCRIPT of this repository in the current folder
//   with-bun.mjs --print              prints the path of that Bun, for a shell to exec

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const CACHE = join(ROOT, ".cache");
const STAMP = join(ROOT, "node_modules", ".ctxrepo-installed");
const WINDOWS = process.platform === "win32";
const PROGRAM = WINDOWS ? "bun.exe" : "bun";
const VERSION_WAIT_MS = 10_000;
const LOCK_WAIT_MS = 10 * 60_000;
const LOCK_POLL_MS = 100;
const PARENT_POLL_MS = 500;

const PIN = /^bun@([^+]+)/.exec(JSON.parse(readText("package.json")).packageManager)[1];
const FETCHED = join(CACHE, `bun-${PIN}`);

function readText(name) {
  return readFileSync(join(ROOT, name), "utf8");
}

function say(message) {
  process.stderr.write(`ctxrepo: ${message}\n`);
}

/** Runs a program and waits for it; its output goes to stderr unless `options` say otherwise. */
function runToEnd(program, args, options) {
  try {
    return spawnSync(program, args, { stdio: ["ignore", 2, 2], ...options });
  } catch {
    // Old Buns throw where Node returns an error: the program is missing, or built for another C library.
    return { status: null };
  }
}

function isPinned(path) {
  if (!existsSync(path)) return false;
  const { status, stdout } = runToEnd(path, ["--version"], { stdio: "pipe", timeout: VERSION_WAIT_MS });
  return status === 0 && stdout.toString().trim() === PIN;
}

/** The programs that fetchBun installed. The package `bun` itself is a stub until its install script runs. */
function fetchedBuns() {
  const packages = join(FETCHED, "node_modules", "@oven");
  return existsSync(packages)
    ? readdirSync(packages).map((name) => join(packages, name, "bin", PROGRAM))
    : [];
}

function findBun() {
  if (process.versions.bun === PIN) return process.execPath;
  const folders = (process.env.PATH || "").split(delimiter).filter(Boolean);
  const own = join(process.env.BUN_INSTALL || join(homedir(), ".bun"), "bin");
  return [...fetchedBuns(), ...[...folders, own].map((folder) => join(folder, PROGRAM))].find(isPinned);
}

/**
 * Installs the npm package of the pinned Bun in .cache, without install scripts: npm 10 runs them, npm 12 rejects them,
 * and the package of the platform contains the program anyway.
 */
function fetchBun() {
  say(`downloading Bun ${PIN}, once`);
  rmSync(FETCHED, { recursive: true, force: true });
  const aside = mkdtempSync(join(CACHE, "new-"));
  writeFileSync(join(aside, "package.json"), JSON.stringify({ private: true, dependencies: { bun: PIN } }));
  const npmFlags = [
    "--prefix",
    ".",
    "--no-audit",
    "--no-fund",
    "--no-package-lock",
    "--no-update-notifier",
    "--loglevel=error",
  ];
  const installers = [["npm", ["install", "--ignore-scripts", ...npmFlags], { cwd: aside, shell: WINDOWS }]];
  if (process.versions.bun)
    installers.unshift([process.execPath, ["install", "--ignore-scripts"], { cwd: aside }]);
  if (installers.some((installer) => runToEnd(...installer).status === 0)) renameSync(aside, FETCHED);
  else rmSync(aside, { recursive: true, force: true });
  return fetchedBuns().find(isPinned);
}

/** Identifies what node_modules was installed from. Another platform with the same folder installs again. */
function fingerprint() {
  const parts = [process.platform, process.arch, readText("package.json"), readText("bun.lock")];
  return createHash("sha256").update(parts.join("\n")).digest("hex");
}

function isInstalled() {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint();
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Id of the process that holds the lock; 0 while it is being written, or if the lock was just released. */
function holderOf(lock) {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch {
    return 0;
  }
}

/** Runs `work` in one process at a time. The lock of a process that was killed is taken over. */
function exclusively(work) {
  mkdirSync(CACHE, { recursive: true });
  const lock = join(CACHE, "lock");
  for (let waitedMs = 0; ; waitedMs += LOCK_POLL_MS) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const holder = holderOf(lock);
    // In a restarted container, the dead holder may have had this process's own id.
    const isGone = holder > 0 && (holder === process.pid || !isAlive(holder));
    if (isGone) rmSync(lock, { force: true });
    else if (waitedMs >= LOCK_WAIT_MS) throw new Error(`remove ${lock} if process ${holder} is gone`);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
    if (waitedMs === 0 && !isGone) say(`waiting for process ${holder}, which is installing`);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function prepare() {
  const bun = findBun() || exclusively(() => findBun() || fetchBun());
  if (!bun)
    throw new Error(`Bun ${PIN} is needed, and neither npm nor Bun could download it; see https://bun.sh`);
  if (!isInstalled()) {
    exclusively(() => {
      if (isInstalled()) return;
      const { status } = runToEnd(bun, ["install", "--frozen-lockfile"], { cwd: ROOT });
      if (status !== 0) throw new Error("bun install failed");
      writeFileSync(STAMP, fingerprint());
    });
  }
  return bun;
}

/** Runs the script with the same folder, streams, signals and exit code as this process. */
function run(bun, script, args) {
  // The current folder must not add settings or code.
  const flags = ["--no-env-file", `--config=${join(ROOT, "bunfig.toml")}`];
  // Before the script starts: a signal that came first would end this process and leave the script running.
  let child;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child, too; a second one would kill it immediately.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child = spawn(bun, [...flags, join(ROOT, script), ...args], { stdio: "inherit" });
  // npm sends signals only to the shell that it starts in between. Both exit without this process.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) {
    setInterval(() => {
      if (process.ppid !== parent) child.kill("SIGTERM");
    }, PARENT_POLL_MS).unref();
  }
  child.on("error", (error) => {
    say(error.message);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(code);
  });
}

try {
  const [script, ...args] = process.argv.slice(2);
  if (!script) throw new Error("usage: with-bun.mjs --print | SCRIPT [ARGUMENT…]");
  const bun = prepare();
  if (script === "--print") process.stdout.write(`${bun}\n`);
  else run(bun, script, args);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
