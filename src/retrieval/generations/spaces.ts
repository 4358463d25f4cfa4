// The vector spaces that are searched: that of the current embedding model and, while records are being re-embedded,
// those of earlier models. Vectors of different models are searched separately; only their calibrated scores are
// compared. A store with records or queries in other languages than English has a space of two models.

import type { Store } from "../../db/store.ts";
import { PATIENT } from "../../db/waiting-writes.ts";
import type { Embedder } from "../../engine/embedding/embedder.ts";
import { joinEmbedders } from "../../engine/embedding/joined.ts";
import type { EmbedderInfo } from "../../engine/embedding/worker.ts";
import type { LanguageDetector } from "../../engine/language/detector.ts";
import { type Language, UNKNOWN } from "../../engine/language/words.ts";
import { enqueue } from "../../jobs/queue.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { EmbeddedIn } from "../vectors/query-parts.ts";
import {
  ensureSpace,
  hasSpaceOfTwoModels,
  otherSpacesInUse,
  outdatedRecords,
  spacesOfTwoModels,
  type Space,
} from "./generations.ts";
import { nextTurn } from "./slices.ts";

/** Records per write: a few milliseconds. */
const PORTION = 200;

/** The space that records are embedded in, and what embeds them. */
export interface CurrentSpace extends Space {
  embedder: Embedder;
  info: EmbedderInfo;
  /** Of two models: the space of the first one alone, whose vectors are the first halves. Otherwise the same space. */
  firstId: number;
  /** Of one model: the spaces of it and a second one. Otherwise empty. */
  joinedIds: readonly number[];
}

export interface Spaces {
  /** The space of the current model; waits until the model is loaded. */
  current(): Promise<CurrentSpace>;
  /** The embedder of the current space. Do not keep it: a store may become multilingual. */
  embedder(): Embedder;
  /** Whether the store has a second model for other languages than English. */
  isMultilingual(): boolean;
  /** That model; undefined if the store has none. */
  multilingual(): Embedder | undefined;
  /**
   * Embeds a query in every space that is searched. Throws when the current model fails; a failing earlier one is
   * skipped.
   */
  embedQuery(query: string): Promise<EmbeddedIn[]>;
  /** Whether `embedQuery` returns this query's vectors without waiting for the current model. */
  hasQuery(query: string): boolean;
  /** Makes the store multilingual if a text that will be stored is not English, and that is to be noticed. */
  noticeText(text: string): Promise<void>;
  /** Closes all embedders. */
  close(): Promise<void>;
}

/** The second model, and when it is used. */
export interface SecondModel {
  /** Opens it; its worker starts with the first call. */
  open: () => Embedder;
  /** `auto`: from the first record or query in another language on. */
  when: "auto" | "always";
  detector: LanguageDetector;
  /** Called when a query or a record has made the store multilingual: its records must be embedded again. */
  onMultilingual: () => void;
}

export interface SpacesOptions {
  store: Store;
  /** The model, or the first one of two. */
  first: Embedder;
  /** Absent if there is only one model. */
  second?: SecondModel;
  /** Opens the model or the models of an earlier space by its recorded folders. */
  openEarlier: (modelDirectory: string) => Embedder;
  log: Log;
}

/** The vector spaces of one store. */
export function openSpaces({ store, first, second, openEarlier, log }: SpacesOptions): Spaces {
  const earlierEmbedders = new Map<number, Embedder>();
  let embedder = first;
  let multilingual: Embedder | undefined;
  let current: Promise<CurrentSpace> | undefined;

  const use = (opened: Embedder, both: Embedder, { detector }: SecondModel) => {
    detector.start();
    embedder = both;
    multilingual = opened;
    current = undefined;
  };
  if (second && (second.when === "always" || hasSpaceOfTwoModels(store))) {
    const opened = second.open();
    use(opened, joinEmbedders(first, opened, second.detector), second);
  }

  /** Set while the second model is loaded for the first time, and after that has failed. */
  let joining: Promise<void> | undefined;
  const becomeMultilingual = (model: SecondModel, reason: string): Promise<void> => {
    if (joining) return joining;
    const opened = model.open();
    const both = joinEmbedders(first, opened, model.detector);
    joining = both.describe().then(
      () => {
        log.info(`${reason} is not English: records are embedded again with a model for all languages, too`);
        use(opened, both, model);
        model.onMultilingual();
      },
      async (error) => {
        log.error("the model for other languages cannot be used", { reason: messageOf(error) });
        await opened.close();
      },
    );
    return joining;
  };

  const findCurrent = async (): Promise<CurrentSpace> => {
    const used = embedder;
    const info = await used.describe();
    const alone = info.second ? await first.describe() : info;
    return store.writeWhenFree((write) => {
      const space = ensureSpace(write, info);
      const joinedIds = info.second ? [] : spacesOfTwoModels(write, info.revision);
      return { ...space, embedder: used, info, firstId: ensureSpace(write, alone).id, joinedIds };
    });
  };

  const embedderOf = (space: Space, now: CurrentSpace): Embedder => {
    if (space.id === now.id) return now.embedder;
    // The first model's vectors, while the second one reads the records.
    if (space.directory === now.directory.split("\n")[0]) return first;
    let earlier = earlierEmbedders.get(space.id);
    if (!earlier) {
      log.info("searching vectors of an earlier model until they are replaced", { model: space.name });
      earlier = openEarlier(space.directory);
      earlierEmbedders.set(space.id, earlier);
    }
    return earlier;
  };

  const notice = async (text: string, reason: string) => {
    if (!second || multilingual || !(await second.detector.isOther(text))) return;
    await becomeMultilingual(second, reason);
  };

  /** Languages matter to a store of two models only. Others do not wait until it is known that they become one. */
  const languageOf = async (query: string): Promise<Language> => {
    if (second && multilingual) return second.detector.ofQuery(query);
    notice(query, "a query").catch(() => {});
    return UNKNOWN;
  };

  const embedIn = async (space: Space, now: CurrentSpace, query: { text: string; language: Language }) => {
    const model = embedderOf(space, now);
    try {
      const { calibration, second } = await model.describe();
      const vector = await model.embedQuery(query.text);
      const both = second && { second: { ...second, language: query.language } };
      return { spaceId: space.id, dimension: space.dimension, vector, calibration, ...both };
    } catch (error) {
      if (space.id === now.id) throw error;
      // The earlier model's files may be gone. Its vectors are not searched until they are replaced.
      log.warn("an earlier model cannot be used", { model: space.name, reason: messageOf(error) });
      return undefined;
    }
  };

  const spaces: Spaces = {
    current() {
      if (!current) {
        const found = findCurrent();
        current = found;
        found.catch(() => {
          if (current === found) current = undefined;
        });
      }
      return current;
    },
    embedder: () => embedder,
    isMultilingual: () => multilingual !== undefined,
    multilingual: () => multilingual,
    async embedQuery(text) {
      const language = await languageOf(text);
      const now = await spaces.current();
      // Always includes the current space: a document may be re-embedded between now and the search.
      const searched: Space[] = [now, ...otherSpacesInUse(store, now.id)];
      for (const [id, model] of earlierEmbedders) {
        if (searched.some((space) => space.id === id)) continue;
        void model.close();
        earlierEmbedders.delete(id);
      }
      const embedded = await Promise.all(searched.map((space) => embedIn(space, now, { text, language })));
      return embedded.filter((one) => one !== undefined);
    },
    hasQuery: (query) => embedder.hasQuery(query),
    noticeText: (text) => notice(text, "a record"),
    async close() {
      const open = [...earlierEmbedders.values(), embedder];
      await Promise.all(open.map((one) => one.close()));
      earlierEmbedders.clear();
    },
  };
  return spaces;
}

/**
 * Enqueues the indexing of all records with vectors of another model or an earlier index format. Returns their number.
 */
export async function reembedOthers(store: Store, spaces: Spaces): Promise<number> {
  const { id } = await spaces.current();
  const outdated = outdatedRecords(store, id);
  for (let from = 0; from < outdated.length; from += PORTION) {
    const portion = outdated.slice(from, from + PORTION);
    await store.writeWhenFree((write) => {
      for (const { kind, subject, userId } of portion)
        enqueue(write, kind, subject, { userId, priority: "reindex" });
    }, PATIENT);
    // Requests are served in between.
    await nextTurn(store);
  }
  return outdated.length;
}
