// The vector spaces that are searched: that of the current embedding model and, while records are being re-embedded,
// those of earlier models. Vectors of different models are searched separately; only their calibrated scores are
// compared.

import type { Store } from "../../db/store.ts";
import { PATIENT } from "../../db/waiting-writes.ts";
import type { Calibration } from "../../engine/embedding/calibration.ts";
import type { Embedder } from "../../engine/embedding/embedder.ts";
import { enqueue } from "../../jobs/queue.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { SpaceVector } from "../vectors/dense.ts";
import { ensureSpace, otherSpacesInUse, outdatedRecords, type Space } from "./generations.ts";
import { nextTurn } from "./slices.ts";

/** Records per write: a few milliseconds. */
const PORTION = 200;

/** A query embedded in one space. */
export interface EmbeddedIn extends SpaceVector {
  calibration: Calibration;
}

export interface Spaces {
  /** The space of the current model; waits until the model is loaded. */
  current(): Promise<Space>;
  /**
   * Embeds a query in every space that is searched. Throws when the current model fails; a failing earlier one is
   * skipped.
   */
  embedQuery(query: string): Promise<EmbeddedIn[]>;
  /** Whether `embedQuery` returns this query's vectors without waiting for the current model. */
  hasQuery(query: string): boolean;
  /** Closes the embedders of earlier models, but not the current one. */
  close(): Promise<void>;
}

export interface SpacesOptions {
  store: Store;
  /** The current model. */
  embedder: Embedder;
  /** Opens the model of an earlier space by its recorded folder. */
  openEarlier: (modelDirectory: string) => Embedder;
  log: Log;
}

/** The vector spaces of one store. */
export function openSpaces({ store, embedder, openEarlier, log }: SpacesOptions): Spaces {
  const earlierEmbedders = new Map<number, Embedder>();
  let current: Promise<Space> | undefined;

  const findCurrent = async () => {
    const model = await embedder.describe();
    return store.writeWhenFree((write) => ensureSpace(write, model));
  };

  const embedderOf = (space: Space, currentId: number): Embedder => {
    if (space.id === currentId) return embedder;
    let earlier = earlierEmbedders.get(space.id);
    if (!earlier) {
      log.info("searching vectors of an earlier model until they are replaced", { model: space.name });
      earlier = openEarlier(space.directory);
      earlierEmbedders.set(space.id, earlier);
    }
    return earlier;
  };

  return {
    current() {
      current ??= findCurrent().catch((error) => {
        current = undefined;
        throw error;
      });
      return current;
    },
    async embedQuery(query) {
      const current = await this.current();
      const currentId = current.id;
      // Always includes the current space: a document may be re-embedded between now and the search.
      const spaces = [current, ...otherSpacesInUse(store, currentId)];
      for (const [id, model] of earlierEmbedders) {
        if (spaces.some((space) => space.id === id)) continue;
        void model.close();
        earlierEmbedders.delete(id);
      }
      const embedded = await Promise.all(
        spaces.map(async (space) => {
          const model = embedderOf(space, currentId);
          try {
            const vector = await model.embedQuery(query);
            const { calibration } = await model.describe();
            return { spaceId: space.id, dimension: space.dimension, vector, calibration };
          } catch (error) {
            if (space.id === currentId) throw error;
            // The earlier model's files may be gone. Its vectors are not searched until they are replaced.
            log.warn("an earlier model cannot be used", { model: space.name, reason: messageOf(error) });
            return undefined;
          }
        }),
      );
      return embedded.filter((one) => one !== undefined);
    },
    hasQuery: (query) => embedder.hasQuery(query),
    async close() {
      await Promise.all([...earlierEmbedders.values()].map((earlier) => earlier.close()));
      earlierEmbedders.clear();
    },
  };
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
