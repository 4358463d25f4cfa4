// Which program a client is, as it calls itself: the protocol says it in each message since 2026-07-28; of earlier
// clients, only the User-Agent is known.

import { isRejectedUserAgent } from "../http/user-agent.ts";
import { oneLine } from "./tools/markdown.ts";

const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
const MAX_NAME = 60;
/** What is in no name of a program, and could be taken for a part of the result that shows it. */
const OTHER_SIGNS = /[^\p{L}\p{N} ._@/+-]+/gu;
/** `NAME/VERSION` at the start of a User-Agent. `node` and `Mozilla` name no program. */
const PRODUCT = /^(?!node\b|mozilla\b)([^\s/]+)/i;

/** The name of the program that sent a message; undefined if it does not say. */
export function programOf(message: object, headers: Headers): string | undefined {
  const { params } = message as { params?: { _meta?: Record<string, { name?: unknown } | undefined> } };
  const name = params?._meta?.[CLIENT_INFO]?.name;
  if (typeof name === "string" && /[\p{L}\p{N}]/u.test(name))
    return oneLine(name.replace(OTHER_SIGNS, " "), MAX_NAME);
  const userAgent = headers.get("user-agent");
  if (isRejectedUserAgent(userAgent)) return undefined;
  const [, product] = PRODUCT.exec(userAgent ?? "") ?? [];
  return product && oneLine(product, MAX_NAME);
}
