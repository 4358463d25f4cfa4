// Client of the extraction worker: one page at a time, with a deadline. A page that is too slow or crashes the worker fails
// alone; the next one gets a new worker. It must not know what is in a page.

import { systemClock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import { DeadlineExceeded, superviseWorker } from "../../workers/supervisor.ts";
import { ExtractionError } from "./errors.ts";
import type { ExtractedPage, PageSource } from "./extract.ts";
import type { serveExtraction } from "./worker.ts";

type ExtractionApi = Awaited<ReturnType<typeof serveExtraction>>;

export interface Extractor {
  /** Throws ExtractionError, and nothing else. */
  extract(source: PageSource): Promise<ExtractedPage>;
  /** Ends the thread; pages that wait or run fail with EXTRACTION_FAILED. */
  close(): Promise<void>;
}

interface ExtractorLimits {
  /** Wall clock of one page, from the moment its turn comes. */
  pageMs: number;
  /** Pages that may wait behind the one that runs; further ones fail with EXTRACTOR_BUSY. */
  waiting: number;
  /** A page whose turn comes later than this fails so too: whoever waits for it is waiting no more. */
  turnMs: number;
}

/** The slowest of 498 pages that others collected takes about a second on a busy machine. */
const LIMITS: ExtractorLimits = { pageMs: 10_000, waiting: 24, turnMs: 20_000 };

export interface ExtractorOptions {
  limits?: ExtractorLimits;
  /** Creates the thread; tests pass workers of their own. */
  spawn?: () => Worker;
}

/** Starts no worker before the first page. */
export function openExtractor({ limits = LIMITS, spawn }: ExtractorOptions = {}): Extractor {
  const worker = superviseWorker<ExtractionApi>({ role: "extraction", spawn });
  let turn: Promise<unknown> = Promise.resolve();
  let pages = 0;
  let closed = false;

  const busy = (message: string) => new ExtractionError("EXTRACTOR_BUSY", message);
  const run = async (source: PageSource, latestAt: number): Promise<ExtractedPage> => {
    if (closed) throw new ExtractionError("EXTRACTION_FAILED", "the server is stopping");
    if (systemClock.monotonic() > latestAt) throw busy("the page waited too long to be read");
    if (!worker.start()) throw busy("page extraction restarts after a crash");
    try {
      const outcome = await worker.within(limits.pageMs).extract(source);
      if ("error" in outcome) throw new ExtractionError(outcome.error.code, outcome.error.message);
      return outcome.page;
    } catch (error) {
      if (error instanceof ExtractionError) throw error;
      if (error instanceof DeadlineExceeded)
        throw new ExtractionError(
          "EXTRACTION_TIMEOUT",
          `reading the page took longer than ${limits.pageMs / 1_000} s`,
        );
      throw new ExtractionError("EXTRACTION_FAILED", `the page could not be read: ${messageOf(error)}`, {
        cause: error,
      });
    }
  };

  return {
    async extract(source) {
      if (pages > limits.waiting) throw busy("too many pages wait to be read");
      pages++;
      const latestAt = systemClock.monotonic() + limits.turnMs;
      const result = turn.then(() => run(source, latestAt));
      turn = result.catch(() => {});
      try {
        return await result;
      } finally {
        pages--;
      }
    },
    async close() {
      closed = true;
      await worker.close();
      await turn;
    },
  };
}
