#!/usr/bin/env node
// Runs the executable of this platform, which npm has installed as an optional package. platforms.json lists them.

const { spawn } = require("node:child_process");
const platforms = require("./platforms.json");
const { optionalDependencies } = require("./package.json");

/** The C library of a Linux system: `glibc` or `musl`. */
function libc() {
  return process.report.getReport().header.glibcVersionRuntime === undefined ? "musl" : "glibc";
}

function fail(message) {
  console.error(`ctxrepo: ${message}`);
  process.exit(1);
}

const platform = platforms.find(
  (one) =>
    one.os === process.platform &&
    one.cpu === process.arch &&
    (one.libc === undefined || one.libc === libc()),
);
if (!platform) {
  const known = platforms.map(({ package: name }) => name.replace("@ctxrepo/", "")).join(", ");
  fail(`there is no executable for ${process.platform}-${process.arch}, only for ${known}`);
}

let executable;
try {
  executable = require.resolve(`${platform.package}/${platform.program}`);
} catch {
  const wanted = `${platform.package}@${optionalDependencies[platform.package]}`;
  fail(`${wanted} is not installed: install ctxrepo again, with optional packages`);
}

// Before the start, so that no signal ends this process alone.
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// A terminal sends SIGINT to the executable, too: a second one would end it at once.
process.on("SIGINT", () => {});
const child = spawn(executable, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`${executable} does not start: ${error.message}`));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
