// Bodies: one layer of compression is decoded, and sizes are limited before and after it.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { type Fetcher, openFetcher } from "../../../src/engine/fetching/fetch-page.ts";
import { type Pages, startPages } from "../../helpers/pages.ts";

const MB = 1024 * 1024;
let site: Pages;
let fetcher: Fetcher;
beforeAll(() => {
  site = startPages();
  fetcher = openFetcher({ userAgent: "ctxrepo/test", allowPrivate: true });
});
afterAll(() => site.stop());

const brotli = (data: Uint8Array) =>
  brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const serve = (body: Uint8Array | ReadableStream, encoding?: string) => {
  site.pages["/"] = () =>
    new Response(body as Uint8Array<ArrayBuffer>, {
      headers: { "Content-Type": "text/plain", ...(encoding && { "Content-Encoding": encoding }) },
    });
};
const load = () => fetcher.fetch({ url: `${site.url}/`, timeoutMs: 20_000 }, new AbortController().signal);
const failure = () =>
  load().then(
    () => "fetched",
    ({ code }) => code as string,
  );

/** Deterministic data that hardly compresses. */
function noise(bytes: number): Uint8Array {
  const data = new Uint8Array(bytes);
  let state = 1;
  for (let i = 0; i < bytes; i++) {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    data[i] = state >> 16;
  }
  return data;
}

const hello = new TextEncoder().encode("hello ".repeat(1000));

test.each([
  ["gzip", gzipSync(hello)],
  ["x-gzip", gzipSync(hello)],
  ["GZIP", gzipSync(hello)],
  ["br", brotli(hello)],
  ["zstd", zstdCompressSync(hello)],
  ["identity", hello],
])("%s is decoded", async (encoding, body) => {
  serve(body, encoding);
  const page = await load();
  expect(page.notModified ? undefined : Buffer.from(page.body).equals(hello)).toBe(true);
});

test.each([
  ["deflate", deflateSync(hello)],
  ["gzip, gzip", gzipSync(gzipSync(hello))],
  ["br, gzip", gzipSync(brotli(hello))],
  ["compress", hello],
])("%s is rejected", async (encoding, body) => {
  serve(body, encoding);
  expect(await failure()).toBe("UNSUPPORTED_ENCODING");
});

test.each([
  ["gzip", hello],
  ["gzip", gzipSync(noise(5_000)).subarray(0, 2_000)],
  ["br", hello],
  ["br", brotli(noise(5_000)).subarray(0, 2_000)],
  // Bun 1.4.5 does not notice zstd that ends too early.
  ["zstd", hello],
])("%s that is broken or incomplete is rejected", async (encoding, body) => {
  serve(body, encoding);
  expect(await failure()).toBe("CORRUPT_ENCODING");
});

test("10 MB on the wire pass, one byte more does not, with or without Content-Length", async () => {
  const maximum = noise(10 * MB);
  serve(maximum);
  expect(await failure()).toBe("fetched");
  const more = new Uint8Array([...maximum.subarray(0, 1), ...maximum]);
  serve(more);
  expect(await failure()).toBe("RESPONSE_TOO_LARGE");
  serve(
    new ReadableStream({
      async pull(controller) {
        controller.enqueue(more.slice(0, MB));
        await Bun.sleep(0);
      },
    }),
  );
  expect(await failure()).toBe("RESPONSE_TOO_LARGE");
});

test("a page in more than 100,000 pieces is rejected", async () => {
  // A bare socket: a server would join small chunks.
  const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n";
  let pieces = 0;
  const origin = Bun.listen<{ bytes: Buffer }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        const rest = { bytes: Buffer.from(`${head}${"1\r\na\r\n".repeat(pieces)}0\r\n\r\n`) };
        socket.data = rest;
        rest.bytes = rest.bytes.subarray(socket.write(rest.bytes));
      },
      drain(socket) {
        const rest = socket.data;
        rest.bytes = rest.bytes.subarray(socket.write(rest.bytes));
      },
    },
  });
  const fetched = (count: number) => {
    pieces = count;
    const url = `http://127.0.0.1:${origin.port}/`;
    const page = fetcher.fetch({ url, timeoutMs: 20_000 }, new AbortController().signal);
    return page.then(
      () => "fetched",
      ({ code }) => code as string,
    );
  };
  expect(await fetched(1_000)).toBe("fetched");
  expect(await fetched(1_000_000)).toBe("RESPONSE_TOO_LARGE");
  origin.stop(true);
});

test("20 MB decoded pass, more does not", async () => {
  // Compresses, but not by more than the ratio.
  const page = (bytes: number) => {
    const data = new Uint8Array(bytes);
    const grain = noise(4096);
    for (let at = 0; at < bytes; at += 8192) data.set(grain.subarray(0, Math.min(1024, bytes - at)), at);
    for (let at = 0; at + 64 < bytes; at += 8192)
      data.set(
        noise(64).map((value) => value ^ (at >> 13)),
        at,
      );
    return data;
  };
  const compressed = zstdCompressSync(page(20 * MB), {
    params: { [constants.ZSTD_c_compressionLevel]: -50 },
  });
  expect(compressed.length).toBeLessThan(10 * MB);
  serve(compressed, "zstd");
  expect(await failure()).toBe("fetched");
  serve(
    zstdCompressSync(page(20 * MB + 1), { params: { [constants.ZSTD_c_compressionLevel]: -50 } }),
    "zstd",
  );
  expect(await failure()).toBe("RESPONSE_TOO_LARGE");
});

test.each([
  ["gzip", gzipSync(new Uint8Array(400 * MB))],
  ["br", brotli(new Uint8Array(400 * MB))],
  ["zstd", zstdCompressSync(new Uint8Array(400 * MB))],
])("a bomb in %s is stopped early", async (encoding, bomb) => {
  serve(bomb, encoding);
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  expect(await failure()).toBe("COMPRESSION_RATIO");
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * MB);
});

test("a small page may have any compression ratio", async () => {
  serve(gzipSync(new Uint8Array(MB)), "gzip");
  expect(await failure()).toBe("fetched");
});
