// The extraction worker: errors have their code; a page that is too slow or crashes the worker fails, others do not.

import { afterEach, expect, test } from "bun:test";
import { ExtractionError } from "../../../src/engine/extraction/errors.ts";
import { type Extractor, openExtractor } from "../../../src/engine/extraction/extractor.ts";
import { bytes, URL_OF_PAGE } from "./page.ts";

const page = (html: string, contentType = "text/html") => ({
  body: bytes(html),
  contentType,
  url: URL_OF_PAGE,
  onlyMainContent: false,
});

/** A worker that extracts every page except those whose text contains the name of a failure: it fails in that way. */
const FRAGILE = URL.createObjectURL(
  new Blob([
    `let started = false;
     self.onmessage = ({ data }) => {
       if (!started) { started = true; return; }
       const text = new TextDecoder().decode(data.input.body);
       if (text.includes("hang")) for (;;);
       if (text.includes("crash")) setTimeout(() => { throw new Error("broken") });
       else postMessage({ id: data.id, value: { page: { title: "", markdown: text, contentHtml: null, rawHtml: null, metadata: {} } } });
     };`,
  ]),
);

let open: Extractor | undefined;
afterEach(() => open?.close());

async function codeOf(page: Promise<unknown>): Promise<string> {
  const error = await page.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(ExtractionError);
  return (error as ExtractionError).code;
}

test("a page goes through the thread and comes back", async () => {
  open = openExtractor();
  const { markdown, rawHtml } = await open.extract(page("<h2>One</h2><p>Two"));
  expect(markdown).toBe("## One\n\nTwo");
  expect(rawHtml).toBe("<h2>One</h2><p>Two");
});

test("an error has the same code outside the worker", async () => {
  open = openExtractor();
  expect(await codeOf(open.extract(page("{}", "application/json")))).toBe("UNSUPPORTED_CONTENT_TYPE");
  expect(await codeOf(open.extract(page("\0\u0001\u0002", "")))).toBe("NOT_TEXT");
  expect((await open.extract(page("plain", "text/plain"))).markdown).toBe("plain");
});

test("a page over its time fails with EXTRACTION_TIMEOUT, and the one that waits is read by a new thread", async () => {
  let threads = 0;
  open = openExtractor({
    spawn() {
      threads++;
      return new Worker(FRAGILE);
    },
    limits: { officeMs: 60_000, pageMs: 2_000, waiting: 4, waitMs: 60_000, heapBytes: 1e9 },
  });
  const slow = codeOf(open.extract(page("hang")));
  const next = open.extract(page("fine"));
  expect(await slow).toBe("EXTRACTION_TIMEOUT");
  expect((await next).markdown).toBe("fine");
  expect(threads).toBe(2);
});

test("a crashed thread fails its page and nothing else", async () => {
  open = openExtractor({
    spawn: () => new Worker(FRAGILE),
    limits: { officeMs: 60_000, pageMs: 5_000, waiting: 4, waitMs: 5_000, heapBytes: 1e9 },
  });
  const broken = codeOf(open.extract(page("crash")));
  const next = open.extract(page("fine"));
  expect(await broken).toBe("EXTRACTION_FAILED");
  expect((await next).markdown).toBe("fine");
});

test("the queue is bounded, and closing fails what waits", async () => {
  open = openExtractor({
    spawn: () => new Worker(FRAGILE),
    limits: { officeMs: 60_000, pageMs: 5_000, waiting: 1, waitMs: 5_000, heapBytes: 1e9 },
  });
  const running = codeOf(open.extract(page("hang")));
  const waiting = codeOf(open.extract(page("fine")));
  expect(await codeOf(open.extract(page("fine")))).toBe("EXTRACTOR_BUSY");
  await open.close();
  expect(await running).toBe("EXTRACTION_FAILED");
  expect(await waiting).toBe("EXTRACTION_FAILED");
});

test("a page whose turn comes too late is not read", async () => {
  open = openExtractor({
    spawn: () => new Worker(FRAGILE),
    limits: { officeMs: 60_000, pageMs: 2_000, waiting: 4, waitMs: 50, heapBytes: 1e9 },
  });
  const slow = codeOf(open.extract(page("hang")));
  expect(await codeOf(open.extract(page("fine")))).toBe("EXTRACTOR_BUSY");
  expect(await slow).toBe("EXTRACTION_TIMEOUT");
  expect((await open.extract(page("fine"))).markdown).toBe("fine");
});

test("a thread that has grown is replaced after its page, also many times in a row", async () => {
  let threads = 0;
  open = openExtractor({
    spawn() {
      threads++;
      return new Worker(new URL("../../../src/workers/entry.ts", import.meta.url).href);
    },
    limits: { officeMs: 60_000, pageMs: 20_000, waiting: 10, waitMs: 60_000, heapBytes: 0 },
  });
  const numbers = [1, 2, 3, 4, 5, 6, 7];
  const pages = await Promise.all(numbers.map((n) => open!.extract(page(`<p>Page ${n}`))));
  expect(pages.map(({ markdown }) => markdown)).toEqual(numbers.map((n) => `Page ${n}`));
  expect(threads).toBe(numbers.length);
});
