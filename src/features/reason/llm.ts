// Asks an OpenAI-compatible server, which the user named: one request, no redirects, a time limit, a bounded answer. It
// must not know what is asked. Its key is never in a message of a failure.

import type { Message } from "../../engine/answering/prompt.ts";
import { messageOf } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { VERSION } from "../../version.ts";

export interface ModelServer {
  /** Its base, such as `http://127.0.0.1:11434/v1`, or the whole path of its chat completions. */
  url: string;
  model: string;
  key: string | null;
}

export type ModelFailureCode =
  | "llm_unreachable"
  | "llm_timeout"
  | "llm_status"
  | "llm_answer_too_large"
  | "llm_answer_invalid";

/** Why there is no answer of a model. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";

  constructor(
    readonly code: ModelFailureCode,
    message: string,
  ) {
    super(message);
  }
}

const MOST_TOKENS = 1_500;
const PATH = "/chat/completions";

/** What the model says to the messages. Rejects with a ModelFailure, and with nothing else, within the time limit or when `stopping` fires. */
export async function askModel(
  { url, model, key }: ModelServer,
  messages: readonly Message[],
  stopping: AbortSignal,
  timeLimitMs = LIMITS.reason.modelTimeoutS * 1000,
): Promise<string> {
  const target = url.endsWith(PATH) ? url : `${url}${PATH}`;
  const timeout = AbortSignal.timeout(timeLimitMs);
  const signal = AbortSignal.any([timeout, stopping]);
  const plain = { model, messages, temperature: 0, max_tokens: MOST_TOKENS, stream: false };
  try {
    let response = await post(target, key, { ...plain, response_format: { type: "json_object" } }, signal);
    if (response.status === 400 || response.status === 422) {
      // Some servers know no such format.
      await response.body?.cancel();
      response = await post(target, key, plain, signal);
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw new ModelFailure("llm_status", `it answered ${response.status}`);
    }
    return contentOf(await readBounded(response));
  } catch (error) {
    if (error instanceof ModelFailure) throw error;
    if (timeout.aborted) throw new ModelFailure("llm_timeout", `no answer within ${timeLimitMs} ms`);
    throw new ModelFailure("llm_unreachable", messageOf(error));
  }
}

function post(target: string, key: string | null, body: object, signal: AbortSignal): Promise<Response> {
  return fetch(target, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "User-Agent": `ctxrepo/${VERSION}`,
      ...(key !== null && { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    // The user named one address; where it points to is another's choice.
    redirect: "manual",
    signal,
  });
}

async function readBounded(response: Response): Promise<string> {
  const most = LIMITS.reason.modelAnswerBytes;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > most) throw new ModelFailure("llm_answer_too_large", `more than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** The first choice's text. */
function contentOf(text: string): string {
  let said: unknown;
  try {
    said = (JSON.parse(text) as { choices?: { message?: { content?: unknown } }[] } | null)?.choices?.[0]
      ?.message?.content;
  } catch {
    throw new ModelFailure("llm_answer_invalid", "the answer is not JSON");
  }
  if (typeof said !== "string") throw new ModelFailure("llm_answer_invalid", "the answer holds no text");
  return said;
}
