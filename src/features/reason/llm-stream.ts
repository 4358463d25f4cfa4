// Reads what a language model writes while it writes it, as the OpenAI-compatible servers send it: server-sent events
// with a part of the text each, until `[DONE]`. A server that ignores `stream` replies at once, as JSON.

import type { Message } from "../../engine/answers/messages.ts";
import { messageOf } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { cutBytes, cutUnits } from "../../kernel/text.ts";
import { completionsOf, contentOf, ModelFailure, type ModelServer, post } from "./llm.ts";

/** Members of a request that a prompt may choose, besides the model. */
const NUMBERS = [
  "temperature",
  "top_p",
  "max_tokens",
  "presence_penalty",
  "frequency_penalty",
  "seed",
] as const;

export interface Written {
  text: string;
  /** Whether the model stopped because of a limit on its length. */
  isCut: boolean;
}

interface StreamOptions {
  stopping: AbortSignal;
  /** Parameters of the prompt; numbers such as `temperature` are sent, others are not. */
  parameters?: Readonly<Record<string, unknown>>;
}

/**
 * The parts of the text that the model writes, at most LIMITS.run.textBytes together. Throws ModelFailure, and nothing
 * else, at the latest after LIMITS.run.timeoutS or when `stopping` fires. The request ends when the reader stops.
 */
export async function* streamModel(
  server: ModelServer,
  messages: readonly Message[],
  { stopping, parameters = {} }: StreamOptions,
): AsyncGenerator<Written> {
  const { timeoutS } = LIMITS.run;
  const over = new AbortController();
  const timeout = AbortSignal.timeout(timeoutS * 1000);
  const stop = () => over.abort();
  for (const signal of [timeout, stopping]) signal.addEventListener("abort", stop, { once: true });
  if (stopping.aborted) stop();
  const request = { target: completionsOf(server), key: server.key, signal: over.signal };
  const chosen = NUMBERS.filter((name) => typeof parameters[name] === "number");
  const body = {
    ...Object.fromEntries(chosen.map((name) => [name, parameters[name]])),
    model: server.model,
    messages,
    stream: true,
  };
  try {
    const response = await post(request, body);
    if (!response.ok) throw new ModelFailure("llm_status", `status ${response.status}`);
    yield* bounded(writtenIn(response));
  } catch (error) {
    if (error instanceof ModelFailure) throw error;
    if (timeout.aborted) throw new ModelFailure("llm_timeout", `not ready within ${timeoutS} s`);
    throw new ModelFailure("llm_unreachable", messageOf(error));
  } finally {
    for (const signal of [timeout, stopping]) signal.removeEventListener("abort", stop);
    // Ends the request if its reply was not read to its end.
    over.abort();
  }
}

/** The same up to the limit of a text. */
async function* bounded(parts: AsyncIterable<Written>): AsyncGenerator<Written> {
  let left: number = LIMITS.run.textBytes;
  for await (const part of parts) {
    const text = cutBytes(part.text, left);
    if (text.length < part.text.length) return yield { text, isCut: true };
    left -= Buffer.byteLength(text);
    yield part;
  }
}

async function* writtenIn(response: Response): AsyncGenerator<Written> {
  if (!response.headers.get("Content-Type")?.toLowerCase().startsWith("text/event-stream")) {
    yield { text: contentOf(await wholeOf(response)), isCut: false };
    return;
  }
  let isFinished = false;
  for await (const data of eventsOf(response)) {
    if (data === "[DONE]") return;
    const { isLast, ...part } = partOf(data);
    isFinished ||= isLast;
    yield part;
  }
  if (!isFinished) throw new ModelFailure("llm_answer_invalid", "it broke off");
}

async function wholeOf(response: Response): Promise<string> {
  let text = "";
  for await (const part of textsOf(response)) text += part;
  return text;
}

/** Bytes that are read before other requests have their turn. */
const TURN_BYTES = 32_768;

/** What the body says, in pieces, at most LIMITS.run.replyBytes together. */
async function* textsOf(response: Response): AsyncGenerator<string> {
  const { replyBytes } = LIMITS.run;
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > replyBytes) throw new ModelFailure("llm_answer_too_large", `more than ${replyBytes} bytes`);
    for (let at = 0; at < part.length; at += TURN_BYTES) {
      yield decoder.decode(part.subarray(at, at + TURN_BYTES), { stream: true });
      await nextTurn();
    }
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** The data of each event; of a stream that ends within an event, what it has. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  let rest = "";
  let data: string[] = [];
  for await (const text of textsOf(response)) {
    // A carriage return at the end may be the first half of a line end.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    if (rest.length > LIMITS.run.textBytes)
      throw new ModelFailure("llm_answer_invalid", "a line is too long");
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice("data:".length).trim());
      if (line !== "" || data.length === 0) continue;
      yield data.join("\n");
      data = [];
    }
  }
  const last = rest.trimEnd();
  if (last.startsWith("data:")) data.push(last.slice("data:".length).trim());
  if (data.length > 0) yield data.join("\n");
}

const MAX_REPORTED_UNITS = 200;

interface ModelEvent {
  choices?: { delta?: { content?: unknown }; finish_reason?: unknown }[];
  error?: { message?: unknown };
}

/**
 * The text in one event, and whether it is the last one. The text of others, such as the thoughts of a model, is empty.
 */
function partOf(data: string): Written & { isLast: boolean } {
  let event: ModelEvent | null;
  try {
    event = JSON.parse(data) as ModelEvent | null;
  } catch {
    throw new ModelFailure("llm_answer_invalid", "an event is not JSON");
  }
  if (event?.error) {
    const reported = cutUnits(String(event.error.message ?? "an error"), MAX_REPORTED_UNITS);
    throw new ModelFailure("llm_answer_invalid", `it says ${JSON.stringify(reported)}`);
  }
  const choice = event?.choices?.[0];
  const content = choice?.delta?.content;
  const reason = choice?.finish_reason;
  const isLast = typeof reason === "string" && reason !== "";
  return { text: typeof content === "string" ? content : "", isCut: reason === "length", isLast };
}
