// Opens the machinery (database, clock, ids, jobs, threads) and closes it. It knows no feature.

import { assetPath, nativeFile } from "./assets.ts";
import { type Credentials, openCredentials } from "./auth/credentials.ts";
import type { Settings } from "./config.ts";
import { type HighWater, openHighWater } from "./db/high-water.ts";
import { migrate } from "./db/migrate.ts";
import { databasePath, openDatabase } from "./db/open.ts";
import { lockDataDirectory } from "./db/server-lock.ts";
import { openStore, type Store } from "./db/store.ts";
import type { serveAnswering } from "./engine/answering/thread.ts";
import type { serveChunking } from "./engine/chunking/thread.ts";
import { type Embedder, openEmbedder } from "./engine/embedding/embedder.ts";
import { type Extractor, openExtractor } from "./engine/extraction/extractor.ts";
import { type Fetcher, openFetcher } from "./engine/fetching/fetch-page.ts";
import { requeueRunning } from "./jobs/queue.ts";
import { createRunner, type JobRunner } from "./jobs/runner.ts";
import { type Clock, systemClock } from "./kernel/clock.ts";
import { Failure, messageOf } from "./kernel/errors.ts";
import { createIdSource } from "./kernel/ids.ts";
import { createLog, type Log } from "./kernel/log.ts";
import { openThread } from "./kernel/thread.ts";
import { findModelDirectory } from "./models.ts";
import { retireUnfinished } from "./retrieval/generations.ts";
import type { ScanApi, ScanOptions } from "./retrieval/scan-thread.ts";
import { openSpaces, reembedOthers, type Spaces } from "./retrieval/spaces.ts";
import { type KeptThread, keepThread } from "./threads.ts";
import { VERSION } from "./version.ts";

type AnsweringApi = Awaited<ReturnType<typeof serveAnswering>>;
type ChunkingApi = Awaited<ReturnType<typeof serveChunking>>;

export interface App {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly credentials: Credentials;
  /** The clock of leases. */
  readonly highWater: HighWater;
  readonly jobs: JobRunner;
  readonly embedder: Embedder;
  readonly spaces: Spaces;
  readonly chunker: KeptThread<ChunkingApi>;
  readonly answerer: KeptThread<AnsweringApi>;
  readonly scans: KeptThread<ScanApi>;
  readonly fetcher: Fetcher;
  readonly extractor: Extractor;
  /** Calls `write` every ten seconds and once before the file is closed: for what a feature counts in memory. */
  onFlush(write: () => void): void;
  /** Fires when closing begins: for work that no job of the queue stands for. */
  readonly stopping: AbortSignal;
  /** Monotonic moment of opening. */
  readonly startedAt: number;
  /** Stops jobs, flushes what is kept in memory, ends the threads and closes the file. */
  close(): Promise<void>;
}

/** What tests replace. */
export interface Replacements {
  clock?: Clock;
  log?: Log;
  embedder?: Embedder;
  fetcher?: Fetcher;
}

const FLUSH_MS = 10_000;

/** The database of a data directory, migrated: enough for commands that only read and write rows. */
export function openLocalStore(dataDirectory: string, clock: Clock = systemClock): Store {
  const database = openDatabase(dataDirectory);
  try {
    migrate(database, assetPath("migrations"));
    return openStore(database, clock, createIdSource());
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Everything a server needs. Throws `conflict` when another server holds the data directory, and another Failure when the
 * file cannot be opened.
 */
export function openApp(settings: Settings, replaced: Replacements = {}): App {
  return openMachinery(settings, replaced, true);
}

/**
 * The same for a command that reads beside a server or without one: it holds no lock, settles and requeues nothing, and its
 * jobs must not be started.
 */
export function openAppBeside(settings: Settings, replaced: Replacements = {}): App {
  return openMachinery(settings, replaced, false);
}

function openMachinery(settings: Settings, replaced: Replacements, isServer: boolean): App {
  const clock = replaced.clock ?? systemClock;
  const log = replaced.log ?? createLog(settings.logLevel, settings.logFormat, clock);
  const store = openLocalStore(settings.dataDir, clock);
  let unlock = () => {};
  if (isServer) {
    try {
      unlock = lockDataDirectory(settings.dataDir);
    } catch (error) {
      store.close();
      throw error;
    }
    store.write(retireUnfinished);
    requeueRunning(store);
  }

  const openModel = (modelDirectory: string) => openEmbedder(spawnWorker, { modelDirectory });
  const embedder = replaced.embedder ?? openModel(findModelDirectory(settings.modelsDir));
  const spaces = openSpaces(store, embedder, openModel, log);
  const onExit = (reason: string) => log.error("a thread ended and is started again", { reason });
  const chunker = keepThread(() =>
    openThread<ChunkingApi>(spawnWorker(), { role: "chunk", options: null }, onExit),
  );
  const answerer = keepThread(() =>
    openThread<AnsweringApi>(spawnWorker(), { role: "answer", options: null }, onExit),
  );
  const scans = keepThread(
    () => openThread<ScanApi>(spawnWorker(), { role: "scan", options: scanOptions(settings, log) }, onExit),
    // SQLite removes its -wal and -shm files when the last handle is closed: the reader first, the writer at the end.
    (call) => call.close(null),
  );
  const fetcher =
    replaced.fetcher ??
    openFetcher({
      userAgent: `Mozilla/5.0 (compatible; ctxrepo/${VERSION})`,
      allowPrivate: settings.scrapePrivateNetwork === "allow",
    });
  const extractor = openExtractor(spawnWorker);
  const stopping = new AbortController();
  const credentials = openCredentials(store, clock, settings.oidcIssuer);
  const highWater = openHighWater(store, clock);
  const jobs = createRunner(store, clock, log);
  const flushes = [() => credentials.flush(), () => highWater.flush()];
  const flush = setInterval(() => {
    try {
      for (const write of flushes) write();
    } catch (error) {
      log.warn("what is kept in memory could not be written", { reason: messageOf(error) });
    }
  }, FLUSH_MS);
  flush.unref();

  if (isServer) {
    reembedOthers(store, spaces).then(
      (records) => {
        if (records === 0) return;
        log.info("another embedding model: embedding everything again", { records });
        jobs.wake();
      },
      (error) => log.error("the embedding model cannot be used", { reason: messageOf(error) }),
    );
  }

  return {
    settings,
    store,
    clock,
    log,
    credentials,
    highWater,
    jobs,
    embedder,
    spaces,
    chunker,
    answerer,
    scans,
    fetcher,
    extractor,
    stopping: stopping.signal,
    onFlush: (write) => void flushes.push(write),
    startedAt: clock.monotonic(),
    async close() {
      clearInterval(flush);
      stopping.abort(new Failure("unavailable", "the server is stopping"));
      await Promise.all([jobs.stop(), extractor.close()]);
      await Promise.all([chunker.close(), answerer.close(), scans.close()]);
      spaces.close();
      embedder.close();
      for (const write of flushes) write();
      store.close();
      unlock();
    },
  };
}

function spawnWorker(): Worker {
  return new Worker(new URL("./thread.ts", import.meta.url).href);
}

function scanOptions(settings: Settings, log: Log): ScanOptions {
  let extensionPath: string | null = null;
  if (settings.vectorEngine === "auto") {
    try {
      extensionPath = nativeFile("vec0");
    } catch (error) {
      log.warn("sqlite-vec cannot be used: vectors are searched in JavaScript", { reason: messageOf(error) });
    }
  }
  return { databasePath: databasePath(settings.dataDir), extensionPath };
}
