// Keeps a thread at hand: opened at the first call, opened again when it died. A call in flight when it dies fails; the
// next one meets a new thread.

import type { Remote, Thread, ThreadApi } from "./kernel/thread.ts";

/** A thread that replaces itself. `open` must make a new one; `alive` tells whether the last one still serves. */
export function keepThread<Api extends ThreadApi>(open: () => Thread<Api>): Thread<Api> {
  let thread: Thread<Api> | undefined;
  let closed = false;
  const current = () => {
    if (!thread || (thread.ended && !closed)) thread = open();
    return thread;
  };
  const call = new Proxy({} as Remote<Api>, {
    get: (_target, name: string) => (input: never) => current().call[name](input),
  });
  return {
    call,
    get pending() {
      return thread?.pending ?? 0;
    },
    get ended() {
      return closed;
    },
    close() {
      closed = true;
      thread?.close();
    },
  };
}
