// POST /register: the address at which MCP clients register for OAuth when their key is rejected and no metadata says
// where else. They show what it replies instead of the reason, so it says the reason.

import type { Exchange } from "../http/exchange.ts";
import { plainResponse } from "../http/respond.ts";

const MESSAGE =
  "the credentials were rejected. This server has no OAuth registration: send an API key as " +
  "`Authorization: Bearer gm_…` (ctxrepo keys create)";

/** The rejection, in the form of RFC 7591, section 3.2.2. */
export function rejectRegistration(exchange: Exchange): Response {
  return plainResponse(exchange, {
    status: 400,
    headers: { "Cache-Control": "no-store" },
    body: { error: "invalid_client_metadata", error_description: MESSAGE },
  });
}
