// GET /openapi.json and GET /docs: public, outside /v1, created on first use.

import type { Reply } from "../../http/respond.ts";
import { type Described, openApiDocument } from "./document.ts";
import { renderPage } from "./page.ts";

/** The page may use its inline styles and nothing else, so it cannot load anything. */
const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** One handler for each path. `baseUrl` is the server's public URL. */
export function openApiPages(described: Described, baseUrl: string): Record<string, () => Reply> {
  const document = once(() => openApiDocument(described, baseUrl));
  const text = once(() => JSON.stringify(document(), null, 2));
  const page = once(() => renderPage(document()));
  return {
    "/openapi.json": () => ({ status: 200, text: text() }),
    "/docs": () => ({ status: 200, headers: PAGE_HEADERS, text: page() }),
  };
}

function once<Value>(create: () => Value): () => Value {
  let created: { value: Value } | undefined;
  return () => {
    created ??= { value: create() };
    return created.value;
  };
}
