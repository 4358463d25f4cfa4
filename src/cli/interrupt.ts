// Ctrl-C in commands that have to clean up.

import { Failure } from "../kernel/errors.ts";

/** A signal that fires at the first SIGINT or SIGTERM; the second one ends the process. */
export function abortOnInterrupt(): AbortController {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130);
      controller.abort(new Failure("unavailable", "interrupted"));
    });
  }
  return controller;
}
