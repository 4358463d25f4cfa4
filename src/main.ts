#!/usr/bin/env bun
// Entry point of the program: passes the arguments to the command line. As a worker, serves the process that started
// it.

import { PROCESS_COMMAND } from "./workers/process.ts";

const [command, ...others] = process.argv.slice(2);
if (command === PROCESS_COMMAND && process.send) {
  const { serveProcess } = await import("./workers/process-entry.ts");
  serveProcess(others[0]!);
} else {
  const { runAndFlush } = await import("./cli/run.ts");
  process.exitCode = await runAndFlush(process.argv.slice(2));
  // Threads and sockets are closed. Anything else that is still pending must not keep the process running.
  process.exit();
}
