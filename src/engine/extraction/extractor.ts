// Client of the extraction worker: one page at a time, with a deadline. A page that is too slow or crashes the worker does not
// affect other pages: the next one gets a new worker. It must not depend on the content of pages.

import { systemClock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import { DeadlineExceeded, type SupervisedWorker, superviseWorker } from "../../workers/supervisor.ts";
import { ExtractionError } from "./errors.ts";
import type { ExtractedPage, OfficeSource, PageSource } from "./extract.ts";
import type { ExtractionResult, serveExtraction } from "./worker.ts";

type ExtractionApi = Awaited<ReturnType<typeof serveExtraction>>;
type Remote = ReturnType<SupervisedWorker<ExtractionApi>["within"]>;

export interface Extractor {
  /** Throws ExtractionError, and nothing else. */
  extract(source: PageSource): Promise<ExtractedPage>;
  /** The same for a PDF or Word file, which may take longer. */
  extractOffice(source: OfficeSource): Promise<ExtractedPage>;
  /** Terminates the worker; waiting and running pages fail with EXTRACTION_FAILED. */
  close(): Promise<void>;
}

interface ExtractorLimits {
  /** Maximum time to read one page, without the time that it waits. */
  pageMs: number;
  /** The same for an office file. */
  officeMs: number;
  /** Maximum number of waiting pages; further ones fail with EXTRACTOR_BUSY. */
  waiting: number;
  /** A page that has waited longer fails with EXTRACTOR_BUSY, because its caller no longer waits. */
  waitMs: number;
  /** A worker that has reserved more memory is replaced: large pages leave it behind, and it is never given back. */
  heapBytes: number;
}

/** The slowest of the 498 benchmark pages takes about a second on a busy machine. */
const LIMITS: ExtractorLimits = {
  pageMs: 10_000,
  officeMs: 60_000,
  waiting: 24,
  waitMs: 20_000,
  heapBytes: 96 * 1024 ** 2,
};

export interface ExtractorOptions {
  limits?: ExtractorLimits;
  /** Creates the thread; replaced in tests. */
  spawn?: () => Worker;
}

/** Opens the client. The worker starts with the first page. */
export function openExtractor({ limits = LIMITS, spawn }: ExtractorOptions = {}): Extractor {
  const worker = superviseWorker<ExtractionApi>({ role: "extraction", spawn });
  /** Resolves when all pages so far are finished. */
  let queue: Promise<unknown> = Promise.resolve();
  let pages = 0;
  let isClosed = false;

  const busy = (message: string) => new ExtractionError("EXTRACTOR_BUSY", message);
  /** Starts an extraction in the worker. */
  type Start = (call: Remote) => Promise<ExtractionResult>;
  const run = async (start: Start, { maxMs, latestAt }: { maxMs: number; latestAt: number }) => {
    if (isClosed) throw new ExtractionError("EXTRACTION_FAILED", "the server is stopping");
    if (systemClock.monotonic() > latestAt) throw busy("the page waited too long to be read");
    if (!worker.start()) throw busy("the extraction worker cannot be restarted yet after a crash");
    try {
      const outcome = await start(worker.within(maxMs));
      if (outcome.heapBytes > limits.heapBytes) worker.replace();
      if ("error" in outcome) throw new ExtractionError(outcome.error.code, outcome.error.message);
      return outcome.page;
    } catch (error) {
      if (error instanceof ExtractionError) throw error;
      if (error instanceof DeadlineExceeded)
        throw new ExtractionError(
          "EXTRACTION_TIMEOUT",
          `reading the page took longer than ${maxMs / 1_000} s`,
        );
      throw new ExtractionError("EXTRACTION_FAILED", `the page could not be read: ${messageOf(error)}`, {
        cause: error,
      });
    }
  };
  const enqueue = async (start: Start, maxMs: number): Promise<ExtractedPage> => {
    if (pages > limits.waiting) throw busy("too many pages wait to be read");
    pages++;
    const latestAt = systemClock.monotonic() + limits.waitMs;
    const result = queue.then(() => run(start, { maxMs, latestAt }));
    queue = result.catch(() => {});
    try {
      return await result;
    } finally {
      pages--;
    }
  };

  return {
    extract: (source) => enqueue((call) => call.extract(source), limits.pageMs),
    extractOffice: (source) => enqueue((call) => call.extractOffice(source), limits.officeMs),
    async close() {
      isClosed = true;
      await worker.close();
      await queue;
    },
  };
}
