// Sends messages to the configured OpenAI-compatible server: no redirects, a time limit, a maximum size of the reply.
// No error message contains the key.

import { VERSION } from "../../base/version.ts";
import type { Message } from "../../engine/answers/messages.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { FailureCodeOf } from "../../kernel/failure-codes.ts";
import { LIMITS } from "../../kernel/limits.ts";

export interface ModelServer {
  /** The base URL, such as `http://127.0.0.1:11434/v1`, or the whole URL of its chat completions. */
  url: string;
  model: string;
  key: string | null;
}

export type ModelFailureCode = FailureCodeOf<"model">;

/** Why the language model gave no usable reply. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";

  constructor(
    readonly code: ModelFailureCode,
    message: string,
  ) {
    super(message);
  }
}

const MAX_TOKENS = 1_500;
const PATH = "/chat/completions";

/** The address of a server's chat completions. */
export const completionsOf = ({ url }: ModelServer): string => (url.endsWith(PATH) ? url : `${url}${PATH}`);

/** When to stop waiting for a reply. */
interface WaitLimits {
  stopping: AbortSignal;
  timeLimitMs?: number;
}

/**
 * The model's reply to the messages, at most LIMITS.reason.modelAnswerBytes long. Rejects with a ModelFailure, and with
 * nothing else, at the latest after the time limit or when `stopping` fires.
 */
export async function askModel(
  server: ModelServer,
  messages: readonly Message[],
  { stopping, timeLimitMs = LIMITS.reason.modelTimeoutS * 1000 }: WaitLimits,
): Promise<string> {
  const { model, key } = server;
  const timeout = AbortSignal.timeout(timeLimitMs);
  const signal = AbortSignal.any([timeout, stopping]);
  const body = { model, messages, temperature: 0, max_tokens: MAX_TOKENS, stream: false };
  const request = { target: completionsOf(server), key, signal };
  try {
    let response = await post(request, { ...body, response_format: { type: "json_object" } });
    if (response.status === 400 || response.status === 422) {
      // Some servers do not support this format.
      await response.body?.cancel();
      response = await post(request, body);
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw new ModelFailure("llm_status", `status ${response.status}`);
    }
    return contentOf(await readBounded(response));
  } catch (error) {
    if (error instanceof ModelFailure) throw error;
    if (timeout.aborted) throw new ModelFailure("llm_timeout", `no reply within ${timeLimitMs} ms`);
    throw new ModelFailure("llm_unreachable", messageOf(error));
  }
}

/** Where to send a request. */
interface ModelRequest {
  target: string;
  key: string | null;
  signal: AbortSignal;
}

/** Sends a request without following redirects. Rejects as `fetch` does. */
export function post({ target, key, signal }: ModelRequest, body: object): Promise<Response> {
  return fetch(target, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "User-Agent": `ctxrepo/${VERSION}`,
      ...(key !== null && { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    // The user configured one address: texts and key must not be sent to another one.
    redirect: "manual",
    signal,
  });
}

async function readBounded(response: Response): Promise<string> {
  const maxBytes = LIMITS.reason.modelAnswerBytes;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw new ModelFailure("llm_answer_too_large", `more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** The text of the first choice. Throws ModelFailure. */
export function contentOf(text: string): string {
  let content: unknown;
  try {
    content = (JSON.parse(text) as { choices?: { message?: { content?: unknown } }[] } | null)?.choices?.[0]
      ?.message?.content;
  } catch {
    throw new ModelFailure("llm_answer_invalid", "the reply is not JSON");
  }
  if (typeof content !== "string") throw new ModelFailure("llm_answer_invalid", "the reply contains no text");
  return content;
}
