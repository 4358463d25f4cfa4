#!/usr/bin/env bun
// Entry point of the program: passes the arguments to the command line.

import { runAndFlush } from "./cli/program.ts";

process.exitCode = await runAndFlush(process.argv.slice(2));
// Threads and sockets are closed. Anything else that is still pending must not keep the process running.
process.exit();
