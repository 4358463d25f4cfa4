#!/usr/bin/env bun
// Entry point of the program: passes the arguments to the command line.

import { write } from "./cli/output.ts";
import { run } from "./cli/program.ts";

process.exitCode = await run(process.argv.slice(2));
// A slow reader must receive everything; one that has stopped reading needs nothing.
await write("").catch(() => {});
// Threads and sockets are closed. Anything else that is still pending must not keep the process running.
process.exit();
