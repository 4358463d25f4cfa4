// Reads pages and files in processes of their own, one for pages and one for files: each reads one at a time, within
// limits of time and memory, and users take turns. What exceeds a limit fails alone.

import { withAnySignal } from "../../kernel/abort.ts";
import { Failure, messageOf } from "../../kernel/errors.ts";
import { openFairQueue, type Requester } from "../../kernel/fair-queue.ts";
import { DeadlineExceeded, MemoryExceeded, type ProcessLimits } from "../../workers/limits.ts";
import { type SupervisedWorker, superviseWorker, type WorkerOptions } from "../../workers/supervisor.ts";
import type { UnpackedFile } from "./containers/part.ts";
import type { ContainerSource } from "./containers/unpack.ts";
import { ExtractionError } from "./errors.ts";
import type { ExtractedPage, PageSource } from "./extract.ts";
import type { ExtractedFile, FileSource } from "./extract-file.ts";
import type { ExtractionApi, ExtractionResult } from "./worker.ts";

export interface Extractor {
  /** Reads a page. Throws ExtractionError, or the reason of `cancelled` if that fires before it is the page's turn. */
  extractPage(source: PageSource, requester: Requester): Promise<ExtractedPage>;
  /** The same for a file of another program. */
  extractFile(source: FileSource, requester: Requester): Promise<ExtractedFile>;
  /** The same for a file of several documents: divides it into them. */
  unpackFile(source: ContainerSource, requester: Requester): Promise<UnpackedFile>;
  /** Ends the processes; what waits or runs fails with EXTRACTION_FAILED. */
  close(): Promise<void>;
}

interface Limits extends ProcessLimits {
  /** Maximum time to read one, without the time that it waits: for a busy machine, longer than `cpuMs`. */
  deadlineMs: number;
  /** Maximum number that wait, in all and of one user; further ones fail with EXTRACTOR_BUSY. */
  waiting: number;
  waitingOfUser: number;
  /** What has waited longer fails with EXTRACTOR_BUSY, because its caller no longer waits. */
  waitMs: number;
  /** A process that has more memory in use after its work is ended, because it would not give it back. */
  keptBytes: number;
  /** A process without work is ended after this. */
  idleMs: number;
}

const MB = 1024 ** 2;

const PAGES: Limits = {
  memoryBytes: 600 * MB,
  // The slowest of the 498 benchmark pages takes about a second on a busy machine.
  cpuMs: 10_000,
  deadlineMs: 20_000,
  waiting: 24,
  waitingOfUser: 20,
  waitMs: 20_000,
  keptBytes: 256 * MB,
  idleMs: 60_000,
};

const FILES: Limits = {
  ...PAGES,
  cpuMs: 20_000,
  deadlineMs: 60_000,
  waiting: 16,
  waitingOfUser: 8,
  waitMs: 180_000,
};

export interface ExtractorOptions {
  pages?: Partial<Limits>;
  files?: Partial<Limits>;
  /** Creates a process; replaced in tests. */
  spawn?: WorkerOptions<ExtractionApi>["spawn"];
}

/** Opens the clients. A process starts with the first page or file. */
export function openExtractor({ pages, files, spawn }: ExtractorOptions = {}): Extractor {
  const pageReader = openReader("page", { ...PAGES, ...pages }, spawn);
  const fileReader = openReader("file", { ...FILES, ...files }, spawn);
  return {
    extractPage: (source, requester) => pageReader.read(requester, (call) => call.extractPage(source)),
    extractFile: (source, requester) => fileReader.read(requester, (call) => call.extractFile(source)),
    unpackFile: (source, requester) => fileReader.read(requester, (call) => call.unpackFile(source)),
    async close() {
      await Promise.all([pageReader.close(), fileReader.close()]);
    },
  };
}

/** What a process offers, with the deadline of a call. */
type Remote = ReturnType<SupervisedWorker<ExtractionApi>["within"]>;

/** One process and the queue of its work. `what` is what it reads, for messages. */
function openReader(what: "page" | "file", limits: Limits, spawn: ExtractorOptions["spawn"]) {
  const { waiting, waitingOfUser, deadlineMs } = limits;
  const worker = superviseWorker<ExtractionApi>({ role: "extraction", process: limits, spawn });
  const turns = { what: `${what}s`, running: 1, runningOfUser: 1, waiting, waitingOfUser, retryAfterS: 5 };
  const queue = openFairQueue(turns);
  const stopping = new AbortController();
  let idleTimer: Timer | undefined;

  const errorOf = (error: unknown): ExtractionError => {
    const options = { cause: error };
    if (error instanceof DeadlineExceeded) {
      const message = `reading the ${what} took longer than ${error.deadlineMs / 1_000} s`;
      return new ExtractionError("EXTRACTION_TIMEOUT", message, options);
    }
    if (error instanceof MemoryExceeded) {
      const message = `reading the ${what} takes more than ${error.memoryBytes / MB} MB of memory`;
      return new ExtractionError("TOO_LARGE", message, options);
    }
    return new ExtractionError(
      "EXTRACTION_FAILED",
      `the ${what} cannot be read: ${messageOf(error)}`,
      options,
    );
  };
  const run = async <Value>(start: (call: Remote) => Promise<ExtractionResult<Value>>): Promise<Value> => {
    clearTimeout(idleTimer);
    try {
      const result = await start(worker.within(deadlineMs));
      if (result.memoryBytes > limits.keptBytes) worker.replace();
      if (result.error) throw new ExtractionError(result.error.code, result.error.message);
      return result.value;
    } catch (error) {
      stopping.signal.throwIfAborted();
      throw error instanceof ExtractionError ? error : errorOf(error);
    } finally {
      idleTimer = setTimeout(() => worker.replace(), limits.idleMs).unref();
    }
  };
  return {
    async read<Value>(
      { userId, cancelled }: Requester,
      start: (call: Remote) => Promise<ExtractionResult<Value>>,
    ): Promise<Value> {
      const busy = (message: string) => new ExtractionError("EXTRACTOR_BUSY", message);
      const late = new AbortController();
      const timer = setTimeout(
        () => late.abort(busy(`the ${what} waited too long to be read`)),
        limits.waitMs,
      );
      try {
        return await withAnySignal([cancelled, stopping.signal, late.signal], (signal) =>
          queue.run({ userId, cancelled: signal }, () => run(start)),
        );
      } catch (error) {
        const isFull = error instanceof Failure && error.kind === "rate-limited";
        throw isFull ? busy(`too many ${what}s wait to be read`) : error;
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      stopping.abort(new ExtractionError("EXTRACTION_FAILED", "the server is stopping"));
      clearTimeout(idleTimer);
      await worker.close();
    },
  };
}
