// The stream of changes to one page of the console, as server-sent events.

import type { Changes, NumberedChange } from "../../../kernel/changes.ts";
import type { Clock } from "../../../kernel/clock.ts";

interface StreamOptions {
  changes: Changes;
  clock: Clock;
  userId: string;
  /** The number of the last change that the page knows; undefined for a page that is about to read everything. */
  since: number | undefined;
  /** Whether the page may know of a change. */
  mayKnow(change: NumberedChange): boolean;
  /** The data of the event that reports a change. */
  toWire(change: NumberedChange): unknown;
}

/** Changes that follow each other closely are sent together. */
const GATHER_MS = 150;
/** Shows both sides that the connection still exists. */
const HEARTBEAT_MS = 10_000;
/** The page then asks again, and its credential is checked again. */
const MAX_STREAM_MS = 60_000;

/**
 * Sends `changes` with a list of changes, or `reset` if some are no longer known, so that everything must be read
 * again. The id of an event is the number to continue from.
 */
export function streamChanges(options: StreamOptions): ReadableStream<Uint8Array> {
  const { changes, clock, userId, since, mayKnow, toWire } = options;
  const encoder = new TextEncoder();
  const over = new AbortController();
  let sent = since ?? changes.latest();
  let isGathering = false;

  return new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (text: string) => {
        if (!over.signal.aborted) controller.enqueue(encoder.encode(text));
      };
      const send = () => {
        isGathering = false;
        const missed = changes.after(userId, sent);
        sent = changes.latest();
        const known = missed?.filter(mayKnow).map(toWire);
        if (known?.length === 0) return;
        write(
          `event: ${known ? "changes" : "reset"}\nid: ${sent}\ndata: ${JSON.stringify(known ?? null)}\n\n`,
        );
      };
      const stopListening = changes.listen(userId, () => {
        if (isGathering) return;
        isGathering = true;
        clock.sleep(GATHER_MS, over.signal).then(send, () => {});
      });
      over.signal.addEventListener("abort", stopListening, { once: true });
      write(`event: open\nid: ${sent}\ndata: null\n\n`);
      send();
      whileOpen(write, AbortSignal.any([over.signal, changes.closed])).then(() => {
        if (over.signal.aborted) return;
        over.abort();
        controller.close();
      });
    },
    cancel: () => over.abort(),
  });

  /** Resolves when the stream should end. */
  async function whileOpen(write: (text: string) => void, ending: AbortSignal): Promise<void> {
    try {
      for (let ms = 0; ms < MAX_STREAM_MS; ms += HEARTBEAT_MS) {
        await clock.sleep(HEARTBEAT_MS, ending);
        write(": still here\n\n");
      }
    } catch {
      // The page was closed, or the server stops.
    }
  }
}
