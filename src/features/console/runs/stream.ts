// What a language model writes for a prompt, as server-sent events to one page of the console.

import type { Clock } from "../../../kernel/clock.ts";
import { Failure, messageOf } from "../../../kernel/errors.ts";
import { FAILURE_CODES } from "../../../kernel/failure-codes.ts";
import type { FairQueue } from "../../../kernel/fair-queue.ts";
import type { Log } from "../../../kernel/log.ts";
import { ModelFailure } from "../../reason/llm.ts";
import type { Written } from "../../reason/llm-stream.ts";

interface RunOptions {
  userId: string;
  /** Where the run waits until others have ended. */
  queue: FairQueue;
  clock: Clock;
  log: Log;
  stopping: AbortSignal;
  /** Begins to ask the model; it stops when the signal fires. */
  ask(stopped: AbortSignal): AsyncIterable<Written>;
}

/** Shows both sides that the connection still exists. */
const HEARTBEAT_MS = 10_000;

/**
 * Sends `text` with a part of the text, then `end` with whether a limit has cut it, or `failed` with what went wrong.
 * The model is asked no longer than the page reads.
 */
export function streamRun({
  userId,
  queue,
  clock,
  log,
  stopping,
  ask,
}: RunOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  /** Whether the page reads. */
  let isOpen = true;
  const over = new AbortController();
  const stop = () => over.abort();
  stopping.addEventListener("abort", stop);

  return new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        if (isOpen) controller.enqueue(encoder.encode(text));
      };
      const send = (name: string, data: unknown) =>
        write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      keepOpen(write);
      const run = async () => {
        let isCut = false;
        for await (const part of ask(over.signal)) {
          isCut ||= part.isCut;
          if (part.text !== "") send("text", part.text);
        }
        send("end", { isCut });
      };
      queue
        .run({ userId, cancelled: over.signal }, run)
        .catch((error) => {
          if (!isOpen) return;
          send("failed", stopping.aborted ? "The server is stopping." : failureText(error));
          log.warn("a prompt was not run", { reason: messageOf(error) });
        })
        .finally(() => {
          stopping.removeEventListener("abort", stop);
          over.abort();
          if (isOpen) controller.close();
          isOpen = false;
        });
    },
    cancel() {
      isOpen = false;
      stop();
    },
  });

  async function keepOpen(write: (text: string) => void): Promise<void> {
    try {
      while (true) {
        await clock.sleep(HEARTBEAT_MS, over.signal);
        write(": still here\n\n");
      }
    } catch {
      // The run has ended.
    }
  }
}

/** What went wrong, for people. */
function failureText(error: unknown): string {
  if (error instanceof ModelFailure) {
    const { meaning } = FAILURE_CODES[error.code];
    if (error.code === "llm_status") return `${meaning} (${error.message})`;
    const isUnusable = error.code === "llm_answer_invalid" || error.code === "llm_answer_too_large";
    return isUnusable ? `The language model's reply cannot be used: ${error.message}.` : meaning;
  }
  return error instanceof Failure ? error.message : "The prompt could not be run.";
}
