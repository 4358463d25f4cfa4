// A web server on loopback for tests of fetching: pages by path, recorded requests, responses that can be delayed.

import type { Server } from "bun";

interface SeenRequest {
  path: string;
  headers: Headers;
}

type Page = (request: Request) => Response | Promise<Response>;

export interface Pages {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  port: number;
  /** The page of each path; may be replaced at any time. */
  pages: Record<string, Page>;
  seen: SeenRequest[];
  stop(): Promise<void>;
}

export const html = (body: string, headers: Record<string, string> = {}) =>
  new Response(`<!doctype html><html>${body}</html>`, {
    headers: { "Content-Type": "text/html; charset=utf-8", ...headers },
  });

/** A page with a title and an article that an extractor recognises. */
export const article = (title: string, ...paragraphs: string[]) =>
  html(
    `<head><title>${title}</title></head><body><nav><a href="/">Home</a></nav><article><h1>${title}</h1>${paragraphs
      .map((text) => `<p>${text}</p>`)
      .join("")}</article><footer>Imprint</footer></body>`,
  );

export const redirect = (location: string, status = 302) =>
  new Response(null, { status, headers: { Location: location } });

/** Starts a server; with `tls` it serves HTTPS. */
export function startPages(pages: Record<string, Page> = {}, tls?: { cert: string; key: string }): Pages {
  const seen: SeenRequest[] = [];
  const server: Server<undefined> = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    development: false,
    tls,
    fetch(request) {
      const { pathname } = new URL(request.url);
      seen.push({ path: pathname, headers: request.headers });
      return started.pages[pathname]?.(request) ?? new Response("no such page", { status: 404 });
    },
  });
  const started: Pages = {
    url: `${tls ? "https" : "http"}://127.0.0.1:${server.port}`,
    port: server.port!,
    pages,
    seen,
    stop: () => server.stop(true),
  };
  return started;
}

/** Serves a page that responds only when it is released; `asked` resolves at its first request. */
export function hold({ pages }: Pages, path: string, page: () => Response) {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  pages[path] = async () => {
    asked.resolve();
    await gate.promise;
    return page();
  };
  return { asked: asked.promise, release: gate.resolve };
}

/** A server that writes raw bytes: `respond` is called whenever a connection has sent something. */
export async function startRaw(respond: (write: (text: string) => void, end: () => void) => void) {
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        respond(
          (text) => void socket.write(text),
          () => void socket.end(),
        );
      },
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}
