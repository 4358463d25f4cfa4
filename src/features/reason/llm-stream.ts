// Reads what a language model writes while it writes it, as the OpenAI-compatible servers send it: server-sent events
// with a part of the text each, until `[DONE]`. A server that ignores `stream` replies at once, as JSON.

import type { Message } from "../../engine/answers/messages.ts";
import { messageOf } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
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
    left -= Buffer.byteLength(part.text);
    if (left < 0) return yield { text: "", isCut: true };
    yield part;
  }
}

async function* writtenIn(response: Response): AsyncGenerator<Written> {
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    yield { text: contentOf(await wholeOf(response)), isCut: false };
    return;
  }
  for await (const data of eventsOf(response)) {
    if (data === "[DONE]") return;
    yield partOf(data);
  }
}

async function wholeOf(response: Response): Promise<string> {
  let text = "";
  for await (const part of textsOf(response)) text += part;
  return text;
}

/** What the body says, in pieces, at most LIMITS.run.replyBytes together. */
async function* textsOf(response: Response): AsyncGenerator<string> {
  const { replyBytes } = LIMITS.run;
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > replyBytes) throw new ModelFailure("llm_answer_too_large", `more than ${replyBytes} bytes`);
    yield decoder.decode(part, { stream: true });
  }
}

/** The data of each event. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  let rest = "";
  for await (const text of textsOf(response)) {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    if (rest.length > LIMITS.run.textBytes)
      throw new ModelFailure("llm_answer_invalid", "a line is too long");
    for (const line of lines) if (line.startsWith("data:")) yield line.slice("data:".length).trim();
  }
}

/** The text in one event. Events without text, such as the thoughts of a model, have none. */
function partOf(data: string): Written {
  let choice: { delta?: { content?: unknown }; finish_reason?: unknown } | undefined;
  try {
    choice = (JSON.parse(data) as { choices?: (typeof choice)[] } | null)?.choices?.[0];
  } catch {
    throw new ModelFailure("llm_answer_invalid", "an event is not JSON");
  }
  const content = choice?.delta?.content;
  return { text: typeof content === "string" ? content : "", isCut: choice?.finish_reason === "length" };
}
