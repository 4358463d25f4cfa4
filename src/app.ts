// The composition root: opens the database, the workers and what each feature needs, and closes them.

import { closeSync, openSync } from "node:fs";
import { assetPath, modelRuntime, nativeFile } from "./base/assets.ts";
import { openConsoleSessions } from "./auth/console-sessions.ts";
import { openCredentials } from "./auth/credentials.ts";
import type { Settings } from "./base/config.ts";
import type { BodyApi } from "./body-thread.ts";
import type { CheckpointApi, CheckpointOptions } from "./db/checkpoint-worker.ts";
import { checkpointAfterWrites } from "./db/checkpoints.ts";
import { identityOf } from "./db/file-identity.ts";
import { openHighWater } from "./db/high-water.ts";
import { migrate } from "./db/migrate.ts";
import { countMissingPages } from "./db/missing-pages.ts";
import {
  cannotOpen,
  databasePath,
  explaining,
  makeDataDirectory,
  openDatabase,
  waitBriefly,
} from "./db/open.ts";
import { lockDataDirectory } from "./db/server-lock.ts";
import { storageProblemOf } from "./db/storage-errors.ts";
import { openStorageWatch } from "./db/storage-watch.ts";
import { openStore } from "./db/open-store.ts";
import type { Store } from "./db/store.ts";
import type { AnsweringApi, AnsweringOptions } from "./engine/answers/worker.ts";
import type { ChunkingApi } from "./engine/chunking/worker.ts";
import { type Embedder, openEmbedder } from "./engine/embedding/embedder.ts";
import { openEmbeddingServer } from "./engine/embedding/embedding-server.ts";
import { foldersOf, joinEmbedders } from "./engine/embedding/joined.ts";
import { openExtractor } from "./engine/extraction/extractor.ts";
import type { Fetcher } from "./engine/fetching/fetch-page.ts";
import { NO_ACTIVITY_LOG, openActivityLog } from "./features/console/agents/log.ts";
import { clearEntries } from "./features/console/agents/store.ts";
import { openPromptRuns } from "./features/console/runs/routes.ts";
import { openPageFetcher } from "./features/documents/scraping/fetcher.ts";
import { openScrapeHeaders } from "./features/documents/scraping/headers.ts";
import { openRefreshes } from "./features/documents/scraping/refresh.ts";
import { createMetricsRecorder } from "./site/metrics/recorder.ts";
import { openLanguageDetector } from "./engine/language/detector.ts";
import { openViews } from "./features/prompts/views.ts";
import { endLongWaits, requeueRunning } from "./jobs/queue.ts";
import { createRunner } from "./jobs/runner.ts";
import { openChanges } from "./kernel/changes.ts";
import { type Clock, systemClock } from "./kernel/clock.ts";
import { Failure, messageOf } from "./kernel/errors.ts";
import type { Following } from "./kernel/following.ts";
import { createIdSource } from "./kernel/ids.ts";
import { createLog, type Log } from "./kernel/log.ts";
import { type LogOutput, openLogOutput } from "./kernel/log-output.ts";
import type { FileEraser } from "./maintenance/erasure.ts";
import { findDamagedTables } from "./maintenance/repair-index.ts";
import { findModelDirectory, multilingualDirectory, readerDirectory } from "./base/models.ts";
import { hasLiveGenerations, retireUnfinished } from "./retrieval/generations/generations.ts";
import { openSpaces, reembedOthers, type SecondModel, type Spaces } from "./retrieval/generations/spaces.ts";
import type { SearchApi, SearchOptions } from "./retrieval/search/worker.ts";
import { VERSION } from "./base/version.ts";
import { type SupervisedWorker, superviseWorker } from "./workers/supervisor.ts";

/** The parts of a running program. Functions take only the members that they use. */
export type App = ReturnType<typeof openParts>;

/** Parts that tests replace. */
export interface Replacements {
  clock?: Clock;
  log?: Log;
  /** Alone, unless there is a second one. */
  embedder?: Embedder;
  secondEmbedder?: Embedder;
  fetcher?: Fetcher;
}

const FLUSH_INTERVAL_MS = 10_000;
/** How often the open files are compared with those at their paths. Each write does so, too. */
const LOOK_INTERVAL_MS = 1_000;
const STORAGE_RETRY_MS = 10_000;

/** Opens and migrates the database of a data directory: enough for commands that only read and write rows. */
export function openLocalStore(dataDirectory: string, clock: Clock = systemClock): Store {
  const database = openDatabase(dataDirectory);
  try {
    explaining(databasePath(dataDirectory), () => migrate(database, assetPath("migrations"), VERSION));
    return openStore(database, clock, createIdSource());
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens everything that a server needs. Throws `conflict` if another process holds the lock on the data directory, and
 * another Failure if the database cannot be opened.
 */
export function openApp(settings: Settings, replaced: Replacements = {}): App {
  makeDataDirectory(settings.dataDir);
  const unlock = lockDataDirectory(settings.dataDir, { creates: true });
  try {
    const store = openLocalStore(settings.dataDir, replaced.clock);
    try {
      return openParts(settings, { ...replaced, store, unlock });
    } catch (error) {
      closeAfterFailure(store);
      throw storageProblemOf(error) ? cannotOpen(databasePath(settings.dataDir), error) : error;
    }
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A disk that fails does so again here; the first error says why. */
function closeAfterFailure(store: Store): void {
  try {
    store.close();
  } catch {
    // The log is left beside the file, as after a crash.
  }
}

/** Queues records of earlier models, and loads model and index before they are needed. For processes that run jobs. */
export function warmUp(app: App): void {
  const { store, spaces, searchWorker, checkpointWorker } = app;
  void queueOutdated(app);
  // Only a handle that is open already can save a file that is deleted later.
  checkpointWorker.start();
  if (hasLiveGenerations(store)) {
    // Not while the model is loaded: both keep a core busy. If it fails, the first search reads the index.
    spaces
      .current()
      .then(() => searchWorker.call.preload(null))
      .catch(() => {});
  }
}

/** Queues the records of earlier models. Tries again if the storage fails, until the server stops. */
async function queueOutdated({
  store,
  spaces,
  jobs,
  log,
  clock,
  stopping,
}: Pick<App, "store" | "spaces" | "jobs" | "log" | "clock" | "stopping">): Promise<void> {
  for (;;) {
    try {
      const records = await reembedOthers(store, spaces);
      if (records === 0) return;
      log.info("reindexing records of another model or of an earlier version", { records });
      return jobs.wake();
    } catch (error) {
      if (stopping.aborted) return;
      if (!storageProblemOf(error)) {
        return log.error("the embedding model cannot be used", { reason: messageOf(error) });
      }
      log.warn("outdated records cannot be queued yet", { reason: messageOf(error) });
      await clock.sleep(STORAGE_RETRY_MS, stopping).catch(() => {});
    }
  }
}

interface OpenedStore extends Replacements {
  store: Store;
  /** Releases the lock on the data directory. */
  unlock: () => void;
}

function openParts(settings: Settings, { store, unlock, ...replaced }: OpenedStore) {
  const clock = replaced.clock ?? systemClock;
  const { log, logOutput } = replaced.log
    ? { log: replaced.log, logOutput: undefined }
    : openLog(settings, clock);
  // Before anything is written: a copy of the log could fill the gap with empty pages.
  const missingPages = countMissingPages(store.sql);
  store.write(retireUnfinished);
  store.write(endLongWaits);
  for (const { kind, subject } of store.write(requeueRunning)) {
    log.error("a job was given up: the process ended several times while it was running", { kind, subject });
  }
  waitBriefly(store.sql);
  const descriptor = openSync(databasePath(settings.dataDir), "r+");
  const opened = {
    databasePath: databasePath(settings.dataDir),
    identity: identityOf(databasePath(settings.dataDir)),
  };
  const metrics = settings.metrics ? createMetricsRecorder() : null;
  const allowsPrivateNetwork = settings.scrapePrivateNetwork === "allow";
  const stopping = new AbortController();

  const onCrash = ({ message }: Failure) =>
    log.error("a worker thread crashed and will be restarted", { reason: message });
  const bodyWorker = superviseWorker<BodyApi>({ role: "bodies", onCrash });
  const chunkingWorker = superviseWorker<ChunkingApi>({ role: "chunking", onCrash });
  const runtime = modelRuntime();
  const answeringWorker = superviseWorker<AnsweringApi>({
    role: "answering",
    options: { readerDirectory: readerDirectory(), runtime } satisfies AnsweringOptions,
    shutDown: (call) => call.stop(null),
    onCrash,
  });
  const searchWorker = superviseWorker<SearchApi>({
    role: "search",
    options: { ...opened, extensionPath: extensionPath(settings, log) } satisfies SearchOptions,
    // Closes its handle before the writer closes the last one, on which SQLite deletes the -wal and -shm files.
    shutDown: (call) => call.close(null),
    onCrash,
    onNotice: (reason) => log.error("the search index is not as expected", { reason }),
  });
  const checkpointWorker = superviseWorker<CheckpointApi>({
    role: "checkpoint",
    options: { ...opened, descriptor } satisfies CheckpointOptions,
    shutDown: (call) => call.close(null),
    onCrash,
  });
  if (settings.replicated) store.leaveLog();
  else store.keepReserve();
  store.syncLater(settings.replicated ? {} : { copyLog: () => checkpointWorker.call.copyAll(null) });
  if (runtime.kind === "wasm")
    log.warn(
      "there is no native model runtime for this platform: embedding and reading are 8 to 10 times slower",
    );
  const openModel = (modelDirectory: string) => openEmbedder({ modelDirectory, runtime });
  const onMultilingual = () =>
    void queueOutdated({ store, spaces, jobs, log, clock, stopping: stopping.signal });
  const detector = openLanguageDetector();
  const spaces = openSpaces({
    store,
    first: replaced.embedder ?? openFromServer(settings) ?? openModel(findModelDirectory(settings.modelsDir)),
    second: secondModel(settings, replaced, { openModel, detector, onMultilingual }),
    openEarlier: (folders) => {
      const [first = folders, second] = foldersOf(folders);
      return second === undefined
        ? openModel(first)
        : joinEmbedders(openModel(first), openModel(second), detector);
    },
    log,
  });
  const fetcher = replaced.fetcher ?? openPageFetcher(allowsPrivateNetwork);
  const extractor = openExtractor();

  const credentials = openCredentials(store, clock, settings.oidcIssuer);
  const highWater = openHighWater(store, clock);
  const consoleSessions = openConsoleSessions(store, highWater);
  const views = openViews(store);
  /** Resolves when no check of the file runs: its handle must be closed before that of the store. */
  let checked: Promise<unknown> = Promise.resolve();
  const storage = openStorageWatch({
    store,
    clock,
    log,
    missingPages,
    emptyLog: () => checkpointWorker.call.emptyLog(null),
    findDamage() {
      const damage = findDamagedTables(opened.databasePath);
      checked = damage.catch(() => {});
      return damage;
    },
  });
  const activityLog = settings.activityLog === "on" ? openActivityLog(store, clock) : NO_ACTIVITY_LOG;
  if (settings.activityLog === "off") store.write(clearEntries);
  const changes = openChanges(clock.now());
  const jobs = createRunner({
    store,
    clock,
    log,
    onError: storage.observe,
    onRun(run) {
      metrics?.observeJob(run);
      const [type, action = ""] = run.kind.split(".");
      if (type !== "document" && type !== "prompt") return;
      changes.publish({ userId: run.userId, type, id: run.subject, action, credentialId: null });
    },
  });
  if (!settings.replicated) {
    const checkpoint = () => checkpointWorker.call.checkpoint(null);
    checkpointAfterWrites(store, checkpoint, (error) => {
      if (stopping.signal.aborted) return;
      storage.observe(error);
      log.error("the write-ahead log cannot be copied into the database", { reason: messageOf(error) });
    });
  }

  /**
   * Writes what is collected in memory: times of last use, the mark of the high-water clock, view counts, activity.
   * Never throws.
   */
  const flush = () => {
    try {
      for (const buffered of [credentials, highWater, views, activityLog]) buffered.flush();
    } catch (error) {
      log.warn("usage data that is collected in memory could not be written", { reason: messageOf(error) });
    }
  };
  const flushTimer = setInterval(flush, FLUSH_INTERVAL_MS);
  flushTimer.unref();
  const lookTimer = setInterval(storage.look, LOOK_INTERVAL_MS);
  lookTimer.unref();

  return {
    settings,
    clock,
    log,
    logOutput,
    metrics,
    store,
    storage,
    startedAt: clock.monotonic(),
    following: followingOf(settings, clock),
    credentials,
    consoleSessions,
    highWater,
    changes,
    activityLog,
    jobs,
    bodyThread: bodyWorker.call,
    embedder: currentOf(spaces),
    spaces,
    detector: settings.languages === "english" ? undefined : detector,
    chunkingWorker,
    answeringWorker,
    searchWorker,
    checkpointWorker,
    fetcher,
    extractor,
    allowsPrivateNetwork,
    modelServer: modelServerOf(settings),
    promptRuns: openPromptRuns(),
    views,
    scrapeHeaders: openScrapeHeaders(),
    runningRefreshes: openRefreshes(),
    fileEraser: settings.replicated ? null : openFileEraser(checkpointWorker, store),
    /** Writes a snapshot of the database that is open into a new file, also if it is no longer at its path. */
    saveSnapshot: (target: string) => checkpointWorker.call.snapshot({ target }),
    /** Aborted when closing starts: for work that is not a job of the queue. */
    stopping: stopping.signal,
    /** Stops jobs and workers, writes what is collected in memory, and closes the database. */
    async close(): Promise<void> {
      clearInterval(flushTimer);
      clearInterval(lookTimer);
      stopping.abort(new Failure("unavailable", "the server is stopping"));
      await Promise.all([jobs.stop(), extractor.close()]);
      await bodyWorker.close();
      await Promise.all([chunkingWorker.close(), answeringWorker.close(), searchWorker.close()]);
      await checkpointWorker.close();
      await Promise.all([spaces.close(), detector.close()]);
      flush();
      await Promise.allSettled([checked, store.synced()]);
      store.close();
      // Not before: it would release SQLite's locks.
      closeSync(descriptor);
      unlock();
      await logOutput?.close();
    },
  };
}

function openLog({ logLevel, logFormat }: Settings, clock: Clock): { log: Log; logOutput: LogOutput } {
  const logOutput = openLogOutput({
    onDropped: (lines) => log.warn("log lines were dropped: their reader is too slow", { lines }),
  });
  const format = logFormat ?? (process.stderr.isTTY ? "text" : "json");
  const log = createLog({ level: logLevel, format, clock, write: logOutput.write });
  return { log, logOutput };
}

/** Not null for a read-only twin; src/cli/follow.ts keeps it up to date. */
function followingOf({ follow }: Settings, clock: Clock): Following | null {
  return follow === null ? null : { remote: follow, since: clock.now(), pulledAt: null, hasFailed: false };
}

function modelServerOf({ llmUrl, llmModel, llmKey }: Settings) {
  return llmUrl === null || llmModel === null ? null : { url: llmUrl, model: llmModel, key: llmKey };
}

function openFileEraser({ call }: Pick<SupervisedWorker<CheckpointApi>, "call">, store: Store): FileEraser {
  return {
    clearGaps: call.clearGaps,
    async renewLog() {
      try {
        return await call.renewLog(null);
      } catch (error) {
        // The log may be without its reserve.
        store.keepReserve();
        throw error;
      }
    },
  };
}

/** The embedding server if the settings name one. */
function openFromServer({ embedUrl, embedModel, embedKey }: Settings): Embedder | undefined {
  if (embedUrl === null || embedModel === null) return undefined;
  return openEmbeddingServer({ url: embedUrl, model: embedModel, key: embedKey });
}

/** The second model if the settings allow it: not beside a model that the user has chosen. */
function secondModel(
  { languages, modelsDir, embedUrl }: Settings,
  { embedder, secondEmbedder }: Replacements,
  {
    openModel,
    ...others
  }: Pick<SecondModel, "detector" | "onMultilingual"> & { openModel: (folder: string) => Embedder },
): SecondModel | undefined {
  const isAlone =
    modelsDir !== null || embedUrl !== null || (embedder !== undefined && secondEmbedder === undefined);
  if (languages === "english" || isAlone) return undefined;
  return {
    open: () => secondEmbedder ?? openModel(multilingualDirectory()),
    when: languages === "all" ? "always" : "auto",
    ...others,
  };
}

/** The state of the embedder that is in use when it is asked for. */
function currentOf({ embedder }: Spaces): Pick<Embedder, "state" | "problem" | "usage"> {
  return {
    state: () => embedder().state(),
    problem: () => embedder().problem(),
    usage: () => embedder().usage(),
  };
}

/** Path of the library of sqlite-vec; null to search in JavaScript. */
function extensionPath({ vectorEngine }: Settings, log: Log): string | null {
  if (vectorEngine !== "auto") return null;
  try {
    return nativeFile("vec0");
  } catch (error) {
    log.warn("sqlite-vec cannot be used: vectors are searched in JavaScript", { reason: messageOf(error) });
    return null;
  }
}
