// Examines an installation: the data directory, the database, the machine, the model. It changes nothing, needs no
// lock, and may run beside a server.

import type { Database } from "bun:sqlite";
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { hasNative, nativeFile } from "../base/assets.ts";
import type { Settings } from "../base/config.ts";
import { databasePath, openUnchanged, reasonOf } from "../db/open.ts";
import { readerOf } from "../db/open-store.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import { Failure } from "../kernel/errors.ts";
import { type Check, fail } from "./checks/check.ts";
import {
  checkFile,
  checkImports,
  checkIndex,
  checkIntegrity,
  checkJobs,
  checkLeftOut,
} from "./checks/database.ts";
import { checkForeignFiles, checkPermissions } from "./checks/directory.ts";
import { checkClock, checkDiskSpace, checkPort } from "./checks/machine.ts";
import {
  checkExtension,
  checkLibraries,
  checkModel,
  checkReader,
  checkSearch,
  usesSecondModel,
  type FindLibrary,
  type LoadedModel,
} from "./checks/model.ts";
import { openMaintenance } from "./worker.ts";

/** What tests replace. */
export interface Surroundings {
  clock: Clock;
  /** Bytes that this user can still write to the file system of a path. */
  freeBytes: (path: string) => number;
  findLibrary: FindLibrary;
}

const MACHINE: Surroundings = {
  clock: systemClock,
  freeBytes(path) {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  },
  findLibrary: (name) => (hasNative(name) ? nativeFile(name) : undefined),
};

/** Yields the checks one after another, as soon as each is known. */
export async function* examine(
  settings: Settings,
  surroundings: Surroundings = MACHINE,
): AsyncGenerator<Check> {
  const dataDir = resolve(settings.dataDir);
  const path = databasePath(dataDir);
  const { clock, freeBytes, findLibrary } = surroundings;
  const { database, failure } = open(path);
  const worker = openMaintenance();
  let model: LoadedModel | undefined;
  try {
    if (existsSync(dataDir)) {
      yield checkPermissions(dataDir);
      yield checkForeignFiles(dataDir);
    }
    const file = database ? checkFile(database, path) : failure;
    if (file) yield file;
    const reader = database && file?.status !== "fail" ? readerOf(database) : null;

    yield checkLibraries(findLibrary);
    yield checkExtension(findLibrary, settings);
    const isMultilingual = usesSecondModel(settings, file?.status === "ok" ? reader : null);
    const loaded = await checkModel(settings, clock, { isMultilingual });
    model = loaded.model;
    yield loaded.check;
    yield await checkReader(clock);

    if (reader) {
      yield await checkIntegrity(worker, path);
      // Tables of an old schema may lack what the other checks read.
      if (file?.status === "ok") {
        yield* await checkIndex(worker, path, model?.info.calibration ?? null);
        yield readable("imports", () => checkImports(reader));
        yield readable("left-out", () => checkLeftOut(reader));
        yield readable("jobs", () => checkJobs(reader));
        if (model) yield await checkSearch({ ...surroundings, settings, database: reader.sql }, model);
      }
      yield readable("clock", () => checkClock(reader, clock));
    }
    const databaseBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    yield checkDiskSpace(freeBytes(existing(dataDir)), databaseBytes);
    yield await checkPort(settings, reader);
  } finally {
    await Promise.all([worker.close(), model?.embedder.close()]);
    // The last handle removes SQLite's files beside the database, unless a statement is still open: `true` closes them.
    database?.close(true);
  }
}

function open(
  path: string,
): { database: Database; failure?: undefined } | { database: null; failure: Check } {
  if (!existsSync(path)) {
    const fix = "start ctxrepo serve, which creates it, or name another directory with --data-dir";
    return { database: null, failure: fail("file", `${path} does not exist`, fix) };
  }
  try {
    return { database: openUnchanged(path) };
  } catch (error) {
    if (error instanceof Failure)
      return { database: null, failure: fail("file", error.message, "do that while no server runs") };
    return { database: null, failure: fail("file", `${path}: ${reasonOf(error)}`, "restore a backup") };
  }
}

/** A check that reads a damaged table fails instead of ending the examination. */
function readable(name: string, check: () => Check): Check {
  try {
    return check();
  } catch (error) {
    return fail(name, reasonOf(error), "see the check of the integrity");
  }
}

/** The path or its nearest parent that exists. */
function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(path));
}
