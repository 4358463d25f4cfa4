// GET /openapi.json and GET /docs: public, outside /v1, made on first use from the table of operations.

import type { Operation } from "../../http/operation.ts";
import type { Answer } from "../../http/respond.ts";
import { openApiDocument } from "./document.ts";
import { renderPage } from "./page.ts";

/** Styles of its own and nothing else: the page cannot ask anybody for anything. */
const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** One answer for each path. `baseUrl` is how clients reach this server. */
export function openApiAnswers(
  operations: readonly Operation[],
  baseUrl: string,
): Record<string, () => Answer> {
  const document = once(() => openApiDocument(operations, baseUrl));
  const text = once(() => JSON.stringify(document(), null, 2));
  const page = once(() => renderPage(document()));
  return {
    "/openapi.json": () => ({ status: 200, text: text() }),
    "/docs": () => ({ status: 200, headers: PAGE_HEADERS, text: page() }),
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
