// A worker thread for tests of the supervisor: it echoes, hangs, fails and crashes on request.

import { Failure } from "../../../src/kernel/errors.ts";
import { sendNotice, serveRpc } from "../../../src/workers/rpc.ts";

declare const self: Worker;

const id = crypto.randomUUID();
const testApi = {
  /** Differs from thread to thread. */
  id: (_input: null) => id,
  echo: (text: string) => text,
  fail(message: string): never {
    throw new Failure("conflict", message);
  },
  report(problem: string) {
    sendNotice(problem);
    return "worked around";
  },
  hang: (_input: null) => new Promise<never>(() => {}),
  throwOutside(message: string) {
    setTimeout(() => {
      throw new Error(message);
    });
    return new Promise<never>(() => {});
  },
};
export type TestApi = typeof testApi;

let serve: ReturnType<typeof serveRpc> | undefined;
self.onmessage = ({ data }: MessageEvent) => {
  // The first message names role and options, which this worker does not need.
  if (serve) serve(data);
  else serve = serveRpc(testApi);
};
