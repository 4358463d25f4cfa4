#!/usr/bin/env bun
// Entry point of the program: passes the arguments to the command line.

import { run } from "./cli/program.ts";

process.exitCode = await run(process.argv.slice(2));
// Threads and sockets are closed by now. Anything else that is still pending must not keep the process alive.
process.exit();
