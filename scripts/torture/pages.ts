// A web server on loopback: every path is a page with an article about it.

import type { Bench } from "../bench/bench.ts";

/** One per run; it ends with the process. */
export function servePages(bench: Bench): Promise<string> {
  return bench.once("pages", async () => {
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        const name = new URL(request.url).pathname.slice(1);
        const article = `<article><h1>Page ${name}</h1>${`<p>This page tells about ${name} and about nothing else.</p>`.repeat(5)}</article>`;
        return new Response(`<!doctype html><title>Page ${name}</title><body>${article}</body>`, {
          headers: { "Content-Type": "text/html; charset=utf-8" },
        });
      },
    });
    server.unref();
    return `http://127.0.0.1:${server.port}`;
  });
}

/** The flags of a server that may fetch these pages as often as it wants. */
export const FETCHES_LOOPBACK = ["--scrape-private-network", "allow", "--rate-limit-scrape", "0"];
