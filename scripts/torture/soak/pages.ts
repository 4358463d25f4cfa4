// A web server for scrapes: every path is an article with a new text.

import type { Texts } from "./texts.ts";

/** Serves on a free port of loopback until it is stopped. */
export function servePages(texts: Texts): { url: string; stop(): void } {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(texts.page(), { headers: { "Content-Type": "text/html; charset=utf-8" } }),
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => void server.stop(true) };
}
