// Sends the requests of imports and exports. Unlike other requests, they wait as long as the rate limit demands.

import type { Requests } from "../../requests/reply.ts";
import { RequestError, send } from "./request.ts";

/** The API as the shared rules of imports and exports use it. A request that `signal` aborts throws. */
export const clientOf = (signal: AbortSignal): Requests => ({
  async request(method, path, options = {}) {
    try {
      const { status, headers, data } = await send(method, path, { ...options, signal, waits: true });
      return { status, headers, body: data };
    } catch (error) {
      if (!(error instanceof RequestError) || error.status === 0) throw error;
      const { status, message, reason } = error;
      return { status, headers: new Headers(), body: { error: { message, details: { reason } } } };
    }
  },
});
