// Distributes the passages of indexing over embedding workers: the first worker, which embeds queries, and additional
// ones that run only while much text is waiting and then do all of it.

import type { Clock } from "../../kernel/clock.ts";
import type { AdditionalWorker } from "./additional-worker.ts";
import type { EmbeddedPassages, Passage } from "./worker.ts";

type EmbedGroup = (passages: Passage[]) => Promise<EmbeddedPassages>;

export interface BulkQueueOptions {
  embedInFirst: EmbedGroup;
  /** `onReady` must be called when the worker is ready. */
  openAdditional(onReady: () => void): AdditionalWorker;
  maxAdditional: number;
  clock: Clock;
}

export interface BulkQueue {
  /** Rejects if the worker that embeds the group fails. Groups are started in the order of the calls. */
  embed(passages: Passage[], characters: number): Promise<EmbeddedPassages>;
  /** Ends the additional workers. */
  close(): Promise<void>;
}

/** Groups in one worker: one that is embedded and one that is ready when it ends. */
const MAX_GROUPS_PER_WORKER = 2;

/** Another worker takes 0.3 s of CPU time and 60 MB: it is started when about this many characters are waiting. */
const MIN_WAITING_CHARACTERS = 4_000;

/** The additional workers end after this time without work. */
const MAX_IDLE_MS = 15_000;

interface Waiting {
  passages: Passage[];
  characters: number;
  settle(result: Promise<EmbeddedPassages>): void;
}

interface Station {
  groups: number;
  embed: EmbedGroup;
  /** Absent for the first worker. */
  additional?: AdditionalWorker;
}

/** A queue without additional workers; they are opened on demand. */
export function createBulkQueue(options: BulkQueueOptions): BulkQueue {
  const { embedInFirst, openAdditional, maxAdditional, clock } = options;
  const waiting: Waiting[] = [];
  let waitingCharacters = 0;
  const stations: Station[] = [{ groups: 0, embed: embedInFirst }];
  let isClosed = false;
  /** Fires when there is work again during a pause. */
  let pause: AbortController | undefined;

  /** The worker with the fewest groups. The first one only if no other is ready, so that queries need not wait. */
  const freeStation = (): Station | undefined => {
    const ready = stations.filter(({ additional }) => additional?.isReady);
    let free: Station | undefined;
    for (const station of ready.length > 0 ? ready : stations.slice(0, 1)) {
      if (station.groups < (free?.groups ?? MAX_GROUPS_PER_WORKER)) free = station;
    }
    return free;
  };

  const pump = () => {
    while (waiting.length > 0) {
      const station = freeStation();
      if (!station) break;
      const { passages, characters, settle } = waiting.shift()!;
      waitingCharacters -= characters;
      station.groups++;
      settle(
        station.embed(passages).finally(() => {
          station.groups--;
          pump();
        }),
      );
    }
    if (waitingCharacters >= MIN_WAITING_CHARACTERS) addWorker();
    if (stations.length > 1 && stations.every(({ groups }) => groups === 0)) pause ??= startPause();
  };

  const addWorker = () => {
    if (isClosed) return;
    for (const { additional } of stations) {
      if (!additional || additional.isReady) continue;
      // It is loading, or has crashed and is started again.
      return additional.start();
    }
    if (stations.length > maxAdditional) return;
    const additional = openAdditional(pump);
    stations.push({ groups: 0, embed: additional.embed, additional });
    additional.start();
  };

  const closeAdditional = async () => {
    await Promise.all(stations.splice(1).map(({ additional }) => additional?.close()));
  };

  const startPause = (): AbortController => {
    const ended = new AbortController();
    clock.sleep(MAX_IDLE_MS, ended.signal).then(closeAdditional, () => {});
    return ended;
  };

  return {
    embed: (passages, characters) =>
      new Promise((resolve) => {
        pause?.abort();
        pause = undefined;
        waiting.push({ passages, characters, settle: resolve });
        waitingCharacters += characters;
        pump();
      }),
    async close() {
      isClosed = true;
      pause?.abort();
      await closeAdditional();
    },
  };
}
