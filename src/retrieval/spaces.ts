// Which embedding models are needed now: the one that serves, and, while records are being re-embedded, the one that
// made the vectors which still serve. Vectors of different models are searched apart and meet as calibrated scores.

import type { Store } from "../db/store.ts";
import type { Calibration } from "../engine/embedding/calibration.ts";
import type { Embedder } from "../engine/embedding/embedder.ts";
import { messageOf } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { SpaceVector } from "./dense.ts";
import { ensureSpace, reindexOutdated, type Space, spacesInUse } from "./generations.ts";

/** A query embedded in one space. */
export interface EmbeddedIn extends SpaceVector {
  calibration: Calibration;
}

export interface Spaces {
  /** The space of the model that serves; waits until it is loaded. */
  current(): Promise<Space>;
  /** A query in every space that is searched, with what each space's cosines mean. */
  embedQuery(query: string): Promise<EmbeddedIn[]>;
  /** Closes the models of earlier spaces. */
  close(): Promise<void>;
}

/** `openOther` opens the model of an earlier space by its recorded folder. */
export function openSpaces(
  store: Store,
  embedder: Embedder,
  openOther: (modelDirectory: string) => Embedder,
  log: Log,
): Spaces {
  const others = new Map<number, Embedder>();
  let current: Promise<Space> | undefined;

  const findCurrent = async () => {
    const model = await embedder.describe();
    const space = store.write((write) => ensureSpace(write, model));
    return space;
  };

  const embedderOf = (space: Space, currentId: number): Embedder => {
    if (space.id === currentId) return embedder;
    let other = others.get(space.id);
    if (!other) {
      log.info("searching vectors of an earlier model until they are replaced", { model: space.name });
      other = openOther(space.directory);
      others.set(space.id, other);
    }
    return other;
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
      // The current space always: a document may move to it between this moment and the search.
      const earlier = spacesInUse(store).filter(({ id }) => id !== currentId);
      const spaces = [current, ...earlier];
      for (const [id, other] of others) {
        if (spaces.some((space) => space.id === id)) continue;
        void other.close();
        others.delete(id);
      }
      const embedded = await Promise.all(
        spaces.map(async (space) => {
          const model = embedderOf(space, currentId);
          try {
            const vector = await model.embedQuery(query);
            const { calibration } = await model.describe();
            return { spaceId: space.id, vector, calibration };
          } catch (error) {
            if (space.id === currentId) throw error;
            // The earlier model's files are gone: its vectors rest until they are replaced.
            log.warn("an earlier model cannot be used", { model: space.name, reason: messageOf(error) });
            return undefined;
          }
        }),
      );
      return embedded.filter((one) => one !== undefined);
    },
    async close() {
      await Promise.all([...others.values()].map((other) => other.close()));
      others.clear();
    },
  };
}

/** Enqueues the indexing of records that another model or an earlier index format left behind. Returns how many. */
export async function reembedOthers(store: Store, spaces: Spaces): Promise<number> {
  const { id } = await spaces.current();
  return store.write((write) => reindexOutdated(write, id));
}
