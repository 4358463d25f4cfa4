// Checks of what embeds, searches and answers: native libraries, the extension, both models, and one real search.

import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { modelRuntime, type NativeName } from "../../base/assets.ts";
import type { Settings } from "../../base/config.ts";
import { identityOf } from "../../db/file-identity.ts";
import { databasePath } from "../../db/open.ts";
import type { ReadHandle } from "../../db/store.ts";
import { type Embedder, openEmbedder } from "../../engine/embedding/embedder.ts";
import { openEmbeddingServer } from "../../engine/embedding/embedding-server.ts";
import { joinEmbedders } from "../../engine/embedding/joined.ts";
import { WRONG_VECTORS } from "../../engine/embedding/self-test.ts";
import type { EmbedderInfo } from "../../engine/embedding/worker.ts";
import type { AnsweringApi, AnsweringOptions } from "../../engine/answers/worker.ts";
import { openLanguageDetector } from "../../engine/language/detector.ts";
import { UNKNOWN } from "../../engine/language/words.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Failure, messageOf } from "../../kernel/errors.ts";
import { cutUnits } from "../../kernel/text.ts";
import { findModelDirectory, multilingualDirectory, readerDirectory } from "../../base/models.ts";
import { hasSpaceOfTwoModels } from "../../retrieval/generations/generations.ts";
import { newestPassage } from "../../retrieval/search/newest-passage.ts";
import type { SearchApi } from "../../retrieval/search/worker.ts";
import { superviseWorker } from "../../workers/supervisor.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/** Finds a native library, or throws; undefined if the program has none for this platform. */
export type FindLibrary = (name: NativeName) => string | undefined;

const REINSTALL = "install ctxrepo again";
const MAX_QUERY_UNITS = 200;

/** Whether the library of the model runtime is there. That it can be loaded is shown by the check of the model. */
export function checkLibraries(findLibrary: FindLibrary): Check {
  const name = "libraries";
  try {
    const path = findLibrary("onnxruntime");
    if (path === undefined)
      return ok(name, "none for this platform: the models run in WebAssembly, more slowly");
    if (!existsSync(path)) throw new Error(`${path} is missing`);
    return ok(name, path);
  } catch (error) {
    return fail(name, `the model runtime cannot be used: ${messageOf(error)}`, REINSTALL);
  }
}

/** Whether sqlite-vec can be loaded. Without it, searches are slower and return the same results. */
export function checkExtension(findLibrary: FindLibrary, { vectorEngine }: Settings): Check {
  const name = "extension";
  if (vectorEngine === "javascript") return ok(name, "not used, as set: vectors are searched in JavaScript");
  const database = new Database(":memory:");
  try {
    const path = findLibrary("vec0");
    if (path === undefined) return ok(name, "none for this platform: vectors are searched in JavaScript");
    database.loadExtension(path);
    const { version } = database.query<{ version: string }, []>("SELECT vec_version() AS version").get()!;
    return ok(name, `sqlite-vec ${version}`);
  } catch (error) {
    const detail = `sqlite-vec cannot be loaded, vectors are searched in JavaScript: ${messageOf(error)}`;
    return warn(name, detail, REINSTALL);
  } finally {
    database.close();
  }
}

/** A model that is loaded, until it is closed. */
export interface LoadedModel {
  embedder: Embedder;
  info: EmbedderInfo;
}

/** Whether the server would use the second model for this database, or for a new one. */
export function usesSecondModel(
  { languages, modelsDir, embedUrl }: Settings,
  reader: ReadHandle | null,
): boolean {
  if (modelsDir !== null || embedUrl !== null || languages === "english") return false;
  return languages === "all" || (reader !== null && hasSpaceOfTwoModels(reader));
}

/** Loads the model or both models that the server would use. Absent if that fails. */
export async function checkModel(
  { modelsDir, embedUrl, embedModel, embedKey }: Settings,
  clock: Clock,
  { isMultilingual }: { isMultilingual: boolean },
): Promise<{ check: Check; model?: LoadedModel }> {
  const name = "model";
  let embedder: Embedder | undefined;
  try {
    const startedAt = clock.monotonic();
    const open = (modelDirectory: string) => openEmbedder({ modelDirectory, runtime: modelRuntime() });
    const first =
      embedUrl !== null && embedModel !== null
        ? openEmbeddingServer({ url: embedUrl, model: embedModel, key: embedKey })
        : open(findModelDirectory(modelsDir));
    // Only queries are embedded: the detector does not start.
    embedder = isMultilingual
      ? joinEmbedders(first, open(multilingualDirectory()), openLanguageDetector())
      : first;
    const info = await embedder.describe();
    const ms = Math.round(clock.monotonic() - startedAt);
    const languages = isMultilingual ? " (all languages)" : "";
    return { check: ok(name, `${info.name}${languages}, loaded in ${ms} ms`), model: { embedder, info } };
  } catch (error) {
    await embedder?.close();
    return {
      check: fail(
        name,
        `semantic search is degraded: ${messageOf(error)}`,
        embedUrl === null ? fixOf(error, modelsDir) : CHECK_SERVER,
      ),
    };
  }
}

const CHECK_SERVER = "start the embedding server, and check --embed-url, --embed-model and --embed-key";

function fixOf(error: unknown, modelsDir: string | null): string {
  if (error instanceof Failure && error.publicMessage === WRONG_VECTORS)
    return "report it with the name of the processor; meanwhile, use the executable for another architecture if there is one";
  return modelsDir === null ? REINSTALL : "name the folder of a complete model with --models-dir";
}

/** Loads the model that reads passages for cited answers. */
export async function checkReader(clock: Clock): Promise<Check> {
  const name = "reader";
  const startedAt = clock.monotonic();
  const worker = superviseWorker<AnsweringApi>({
    role: "answering",
    options: { readerDirectory: readerDirectory(), runtime: modelRuntime() } satisfies AnsweringOptions,
    shutDown: (call) => call.stop(null),
  });
  try {
    await worker.call.load(null);
    return ok(name, `the reading model, loaded in ${Math.round(clock.monotonic() - startedAt)} ms`);
  } catch (error) {
    return fail(name, `questions cannot be answered: ${messageOf(error)}`, REINSTALL);
  } finally {
    await worker.close();
  }
}

export interface SearchDeps {
  settings: Settings;
  clock: Clock;
  database: Database;
  findLibrary: FindLibrary;
}

/** Embeds a part of the newest document, and searches for it. */
export async function checkSearch(
  { settings, clock, database, findLibrary }: SearchDeps,
  { embedder, info }: LoadedModel,
): Promise<Check> {
  const name = "search";
  const searcher = superviseWorker<SearchApi>({
    role: "search",
    options: {
      databasePath: databasePath(settings.dataDir),
      identity: identityOf(databasePath(settings.dataDir)),
      extensionPath: extensionPath(findLibrary, settings),
    },
    shutDown: (call) => call.close(null),
  });
  try {
    const passage = newestPassage(database, info.revision);
    if (!passage) {
      await embedder.embedQuery("Is the model able to embed a text?");
      return ok(name, "a text was embedded; no document of this model is indexed yet");
    }
    const text = cutUnits(passage.text, MAX_QUERY_UNITS);
    const startedAt = clock.monotonic();
    const vector = await embedder.embedQuery(text);
    const embedded = clock.monotonic();
    const { spaceId, userId } = passage;
    const { dimension, calibration, second } = info;
    const both = second && { second: { ...second, language: UNKNOWN } };
    const vectors = [{ spaceId, dimension, vector, calibration, ...both }];
    const { documentIds } = await searcher.call.chunks({
      query: { text, vectors },
      filter: { userId, tags: [] },
    });
    const times = `embedded in ${Math.round(embedded - startedAt)} ms, searched in ${Math.round(clock.monotonic() - embedded)} ms`;
    if (documentIds.includes(passage.documentId))
      return ok(name, `a part of the newest document was found: ${times}`);
    const detail = `a part of document ${passage.documentId} was not found (${documentIds.length} other results)`;
    return fail(name, detail, "ctxrepo reindex");
  } catch (error) {
    return fail(
      name,
      `searching failed: ${messageOf(error)}`,
      "see the other checks; then run ctxrepo reindex",
    );
  } finally {
    await searcher.close();
  }
}

function extensionPath(findLibrary: FindLibrary, { vectorEngine }: Settings): string | null {
  if (vectorEngine === "javascript") return null;
  try {
    return findLibrary("vec0") ?? null;
  } catch {
    return null;
  }
}
