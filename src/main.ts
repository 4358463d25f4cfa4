#!/usr/bin/env bun
// Start: hands the arguments to the command line.

import { run } from "./cli/program.ts";

process.exitCode = await run(process.argv.slice(2));
// Threads and sockets are closed by then; whatever else still hangs must not keep the process.
process.exit();
