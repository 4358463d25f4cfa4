// The processes that read pages and files: errors have their code; a page or file that exceeds a limit or crashes its
// process fails, others do not; users take turns.

import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ExtractionError } from "../../../src/engine/extraction/errors.ts";
import {
  type Extractor,
  type ExtractorOptions,
  openExtractor,
} from "../../../src/engine/extraction/extractor.ts";
import { bytes, URL_OF_PAGE } from "./page.ts";

const page = (html: string, contentType = "text/html") => ({
  body: bytes(html),
  contentType,
  url: URL_OF_PAGE,
  onlyMainContent: false,
});

const user = (userId: string, cancelled = new AbortController().signal) => ({ userId, cancelled });
const USER = user("ada");

/**
 * Reads every page and file as its own text, except those whose text contains the name of a failure: it fails in that
 * way.
 */
const FRAGILE = URL.createObjectURL(
  new Blob([
    `let started = false;
     self.onmessage = ({ data }) => {
       if (!started) { started = true; return; }
       const text = new TextDecoder().decode(data.input.body);
       if (text.includes("hang")) for (;;);
       if (text.includes("crash")) setTimeout(() => { throw new Error("broken") });
       else postMessage({ id: data.id, value: { value: { title: "", markdown: text, contentHtml: null, rawHtml: null, metadata: {} } } });
     };`,
  ]),
);

const open: Extractor[] = [];
afterEach(async () => {
  for (const extractor of open.splice(0)) await extractor.close();
});

function opened(options?: ExtractorOptions): Extractor {
  const extractor = openExtractor(options);
  open.push(extractor);
  return extractor;
}

const fragile = (limits: ExtractorOptions["pages"] = {}) =>
  opened({ pages: limits, files: limits, spawn: () => new Worker(FRAGILE) });

async function failureOf(page: Promise<unknown>): Promise<ExtractionError> {
  const error = await page.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(ExtractionError);
  return error;
}

const codeOf = async (page: Promise<unknown>) => (await failureOf(page)).code;

describe("a process", () => {
  test("reads a page, and errors have the same code outside of it", async () => {
    const extractor = opened();
    const { markdown, rawHtml } = await extractor.extractPage(page("<h2>One</h2><p>Two"), USER);
    expect(markdown).toBe("## One\n\nTwo");
    expect(rawHtml).toBe("<h2>One</h2><p>Two");
    const unknown = extractor.extractPage(page("{}", "application/json"), USER);
    expect(await codeOf(unknown)).toBe("UNSUPPORTED_CONTENT_TYPE");
    expect(await codeOf(extractor.extractPage(page("\0\u0001\u0002", ""), USER))).toBe("NOT_TEXT");
    expect((await extractor.extractPage(page("plain", "text/plain"), USER)).markdown).toBe("plain");
  });

  test("ends when a page needs too much memory, and the next page gets a new one", async () => {
    const extractor = opened({ pages: { memoryBytes: 1024 ** 2 } });
    const failure = await failureOf(extractor.extractPage(page(SLOW_PAGE), USER));
    expect(failure).toMatchObject({
      code: "TOO_LARGE",
      message: "reading the page takes more than 1 MB of memory",
    });
    expect((await opened().extractPage(page("<p>fine"), USER)).markdown).toBe("fine");
  });

  test("ends when a page needs too much processor time", async () => {
    const extractor = opened({ pages: { cpuMs: 1 } });
    const failure = await failureOf(extractor.extractPage(page(SLOW_PAGE), USER));
    expect(failure).toMatchObject({
      code: "EXTRACTION_TIMEOUT",
      message: "reading the page took longer than 0.001 s",
    });
  });

  test.skipIf(process.platform !== "linux")("that is killed fails its page and nothing else", async () => {
    const extractor = opened();
    const killed = failureOf(extractor.extractPage(page(SLOW_PAGE), USER));
    const next = extractor.extractPage(page("<p>fine"), USER);
    for (const pid of childrenOf(process.pid)) process.kill(pid, "SIGKILL");
    expect(await killed).toMatchObject({
      code: "EXTRACTION_FAILED",
      message: "the page cannot be read: the process ended unexpectedly (SIGKILL)",
    });
    expect((await next).markdown).toBe("fine");
  });

  test.skipIf(process.platform !== "linux")("ends with the process that started it", async () => {
    const script = `
      import { openExtractor } from ${JSON.stringify(join(SRC, "engine/extraction/extractor.ts"))};
      const page = { body: new TextEncoder().encode("<p>one"), contentType: "text/html", url: "http://a.test/" };
      await openExtractor().extractPage(page, { userId: "", cancelled: new AbortController().signal });
      console.log("read");
      setInterval(() => {}, 1_000);`;
    const parent = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
    for await (const _ of parent.stdout) break;
    const [child] = childrenOf(parent.pid);
    expect(child).toBeNumber();
    parent.kill("SIGKILL");
    await parent.exited;
    await untilEnded(child!);
  });

  test.skipIf(process.platform !== "linux")("gets no secrets, and no variables that change it", async () => {
    const names = ["CTXREPO_LLM_KEY", "BUN_OPTIONS", "BUN_BE_BUN"];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = "1";
    try {
      const extractor = opened();
      await extractor.extractPage(page("<p>one"), USER);
      const environments = childrenOf(process.pid).map((pid) => readFileSync(`/proc/${pid}/environ`, "utf8"));
      expect(environments).toHaveLength(1);
      for (const name of names) expect(environments[0]).not.toContain(name);
    } finally {
      for (const [index, name] of names.entries()) {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      }
    }
  });

  test.skipIf(process.platform !== "linux")("that has grown, or has no work, is ended", async () => {
    const grown = opened({ pages: { keptBytes: 0 } });
    for (const text of ["one", "two", "three"]) {
      expect((await grown.extractPage(page(`<p>${text}`), USER)).markdown).toBe(text);
      for (const pid of childrenOf(process.pid)) await untilEnded(pid);
    }
    const idle = opened({ pages: { idleMs: 10 } });
    expect((await idle.extractPage(page("<p>one"), USER)).markdown).toBe("one");
    for (const pid of childrenOf(process.pid)) await untilEnded(pid);
    expect((await idle.extractPage(page("<p>two"), USER)).markdown).toBe("two");
  });
});

describe("the queue", () => {
  test("a page over its time fails with EXTRACTION_TIMEOUT, and the one that waits is read", async () => {
    const extractor = fragile({ deadlineMs: 2_000 });
    const slow = codeOf(extractor.extractPage(page("hang"), USER));
    const next = extractor.extractPage(page("fine"), USER);
    expect(await slow).toBe("EXTRACTION_TIMEOUT");
    expect((await next).markdown).toBe("fine");
  });

  test("crashes fail their pages and nothing else, many times in a row", async () => {
    const extractor = fragile();
    for (let repetition = 0; repetition < 7; repetition++) {
      expect(await codeOf(extractor.extractPage(page("crash"), USER))).toBe("EXTRACTION_FAILED");
    }
    expect((await extractor.extractPage(page("fine"), USER)).markdown).toBe("fine");
  });

  test("is bounded, and closing fails what waits", async () => {
    const extractor = fragile({ waiting: 1 });
    const running = codeOf(extractor.extractPage(page("hang"), USER));
    const waiting = codeOf(extractor.extractPage(page("fine"), USER));
    expect(await codeOf(extractor.extractPage(page("fine"), USER))).toBe("EXTRACTOR_BUSY");
    await extractor.close();
    expect(await running).toBe("EXTRACTION_FAILED");
    expect(await waiting).toBe("EXTRACTION_FAILED");
    expect(await codeOf(extractor.extractPage(page("fine"), USER))).toBe("EXTRACTION_FAILED");
  });

  test("a page whose turn comes too late, or that nobody waits for, is not read", async () => {
    const extractor = fragile({ deadlineMs: 2_000, waitMs: 50 });
    const gone = new AbortController();
    const slow = codeOf(extractor.extractPage(page("hang"), USER));
    const cancelled = extractor.extractPage(page("fine"), user("bob", gone.signal));
    gone.abort(new Error("gone"));
    await expect(cancelled).rejects.toThrow("gone");
    expect(await codeOf(extractor.extractPage(page("fine"), USER))).toBe("EXTRACTOR_BUSY");
    expect(await slow).toBe("EXTRACTION_TIMEOUT");
    expect((await extractor.extractPage(page("fine"), USER)).markdown).toBe("fine");
  });

  test("users take turns", async () => {
    const extractor = fragile();
    const read: string[] = [];
    const readAs = async (userId: string, text: string) =>
      read.push((await extractor.extractPage(page(text), user(userId))).markdown);
    await Promise.all([readAs("ada", "a1"), readAs("ada", "a2"), readAs("ada", "a3"), readAs("bob", "b1")]);
    expect(read).toEqual(["a1", "a2", "b1", "a3"]);
  });

  test("a file that takes long does not delay pages", async () => {
    const extractor = fragile();
    const slow = codeOf(extractor.extractFile({ ...page("hang"), kind: "docx" }, USER));
    expect((await extractor.extractPage(page("fine"), USER)).markdown).toBe("fine");
    await extractor.close();
    expect(await slow).toBe("EXTRACTION_FAILED");
  });
});

const SRC = resolve(import.meta.dir, "../../../src");
/** Takes some hundred milliseconds of processor time. */
const SLOW_PAGE = "<p><b>bold</b> and <i>italic</i>".repeat(20_000);

/** The ids of the processes that a process has started, on Linux. */
function childrenOf(parent: number): number[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/status`, "utf8").includes(`PPid:\t${parent}\n`);
    } catch {
      return false;
    }
  });
}

/** Waits until a process is gone, or is only known to its parent any more. */
async function untilEnded(pid: number): Promise<void> {
  for (;;) {
    try {
      if (/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) return;
    } catch {
      return;
    }
    await Bun.sleep(10);
  }
}
