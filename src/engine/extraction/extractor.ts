// Extraction as the rest of the program sees it: one page at a time in a thread that may be ended. A page that is too slow
// or breaks the thread fails alone; the next one meets a new thread. It knows no page's content.

import { systemClock } from "../../kernel/clock.ts";
import { Failure, messageOf } from "../../kernel/errors.ts";
import { openThread, type Thread } from "../../kernel/thread.ts";
import { ExtractionError } from "./errors.ts";
import type { ExtractedPage, PageSource } from "./extract.ts";
import type { serveExtraction } from "./thread.ts";

type ExtractionApi = Awaited<ReturnType<typeof serveExtraction>>;

export interface Extractor {
  /** Throws ExtractionError, and nothing else. */
  extract(source: PageSource): Promise<ExtractedPage>;
  /** Ends the thread; pages that wait or run fail with EXTRACTION_FAILED. */
  close(): Promise<void>;
}

export interface ExtractorLimits {
  /** Wall clock of one page, from the moment its turn comes. */
  pageMs: number;
  /** Pages that may wait behind the one that runs; further ones fail with EXTRACTOR_BUSY. */
  waiting: number;
  /** A page whose turn comes later than this fails so too: whoever waits for it is waiting no more. */
  turnMs: number;
}

/** The slowest of 498 pages that others collected takes about a second on a busy machine. */
const LIMITS: ExtractorLimits = { pageMs: 10_000, waiting: 24, turnMs: 20_000 };

/** Opens no thread before the first page. `spawn` makes a worker whose entry is src/thread.ts. */
export function openExtractor(spawn: () => Worker, limits: ExtractorLimits = LIMITS): Extractor {
  let thread: Thread<ExtractionApi> | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  let pages = 0;
  let closed = false;

  const busy = () => new ExtractionError("EXTRACTOR_BUSY", "too many pages are waiting to be read");
  const run = async (source: PageSource, latestAt: number): Promise<ExtractedPage> => {
    if (closed) throw new ExtractionError("EXTRACTION_FAILED", "the server is stopping");
    if (systemClock.monotonic() > latestAt) throw busy();
    if (!thread || thread.ended) thread = openThread(spawn(), { role: "extract", options: null });
    const serving = thread;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      serving.close();
    }, limits.pageMs);
    try {
      const answer = await serving.call.extract(source);
      if ("error" in answer) throw new ExtractionError(answer.error.code, answer.error.message);
      return answer.page;
    } catch (error) {
      if (error instanceof ExtractionError) throw error;
      if (late)
        throw new ExtractionError(
          "EXTRACTION_TIMEOUT",
          `the page took longer than ${limits.pageMs / 1_000} s to read`,
        );
      const reason = error instanceof Failure ? error.message : messageOf(error);
      throw new ExtractionError("EXTRACTION_FAILED", `the page could not be read: ${reason}`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    async extract(source) {
      if (pages > limits.waiting) throw busy();
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
      thread?.close();
      await turn;
    },
  };
}
