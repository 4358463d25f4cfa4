// Keeps a thread at hand: opened at the first call, opened again when it died. A call in flight when it dies fails; the
// next one meets a new thread.

import { Failure } from "./kernel/errors.ts";
import type { Remote, Thread, ThreadApi } from "./kernel/thread.ts";

export interface KeptThread<Api extends ThreadApi> {
  readonly call: Remote<Api>;
  /** Lets the thread put its things away, if it was ever needed, and ends it. */
  close(): Promise<void>;
}

/** A thread that replaces itself. `open` makes a new one; `putAway` is asked of it before it is ended. */
export function keepThread<Api extends ThreadApi>(
  open: () => Thread<Api>,
  putAway: (call: Remote<Api>) => Promise<unknown> = async () => {},
): KeptThread<Api> {
  let thread: Thread<Api> | undefined;
  let closed = false;
  const current = () => {
    if (closed) throw new Failure("unavailable", "the server is stopping");
    if (!thread || thread.ended) thread = open();
    return thread;
  };
  return {
    call: new Proxy({} as Remote<Api>, {
      get: (_target, name: string) => async (input: never) => current().call[name](input),
    }),
    async close() {
      closed = true;
      if (!thread || thread.ended) return;
      await putAway(thread.call).catch(() => {});
      thread.close();
    },
  };
}
