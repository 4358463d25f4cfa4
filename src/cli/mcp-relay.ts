// Passes messages of MCP from stdin on and writes the responses to stdout. It understands no more of the protocol than
// it needs to repeat a request, to cancel it, and to report that it failed. Nothing else may be written to stdout.

import { messageOf } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type Frame, linesOf, messagesOf, readFrame, TOO_LONG } from "./mcp-frames.ts";

const PARSE_ERROR = -32700;
const INTERNAL_ERROR = -32603;
const ACCEPTED = 202;
const VERSION_HEADER = "MCP-Protocol-Version";
/** The request whose response lasts until somebody ends it. */
const ENDLESS = "subscriptions/listen";
/** More than clients have open at the same time; the rest waits in the pipe. */
const MAX_OPEN_REQUESTS = 100;
/** How often a request is sent again whose response ended early. */
const MAX_ATTEMPTS = 5;

/** A frame on its way. */
export interface SentFrame extends Frame {
  /** The same for every attempt, so that a repeated request does not write twice. */
  key: string;
  signal: AbortSignal;
}

export interface RelayOptions {
  input: AsyncIterable<Uint8Array>;
  /** Writes one line. Rejects if nobody reads it any more, which ends the relay. */
  writeLine(text: string): Promise<void>;
  /** Sends a frame and returns the response. */
  send(frame: SentFrame): Promise<Response>;
  /** Called when the response to a frame has been written. */
  answered(frame: Frame): void;
}

/**
 * Relays until the input ends, and resolves when every open request has its response. Rejects with the error of
 * `writeLine` if that fails.
 */
export async function relay({ input, writeLine, send, answered }: RelayOptions): Promise<void> {
  const open = new Map<string | number, { method: string | undefined; cancelling: AbortController }>();
  const running = new Set<Promise<void>>();
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  const output = (text: string) => writeLine(text).catch(broken.reject);
  /** What `initialize` agreed on. Later versions of the protocol name the version in each message. */
  let agreedVersion: string | undefined;

  /** What the client has called itself in `initialize`. Later versions say it in each message. */
  let program: string | undefined;

  const start = (frame: Frame) => {
    program = frame.program ?? program;
    const cancelling = new AbortController();
    if (frame.id !== undefined) open.set(frame.id, { method: frame.method, cancelling });
    const headers = {
      ...(agreedVersion && { [VERSION_HEADER]: agreedVersion }),
      ...(program && { "User-Agent": program }),
      ...frame.headers,
    };
    const sent = { ...frame, headers, key: crypto.randomUUID(), signal: cancelling.signal };
    const onAnswer = (result: unknown) => {
      answered(frame);
      if (frame.method !== "initialize") return;
      agreedVersion = (result as { protocolVersion?: string } | undefined)?.protocolVersion;
    };
    const request = forward(sent, { send, output, onAnswer }).finally(() => {
      running.delete(request);
      if (frame.id !== undefined && open.get(frame.id)?.cancelling === cancelling) open.delete(frame.id);
    });
    running.add(request);
  };

  const cancel = (id: string | number) => open.get(id)?.cancelling.abort(new Error("cancelled"));

  const read = async () => {
    for await (const line of linesOf(input, LIMITS.body.bytes)) {
      const frame = line === TOO_LONG ? undefined : readFrame(line);
      if (frame?.expectsResponse) start(frame);
      else if (frame?.cancelledId !== undefined) cancel(frame.cancelledId);
      else if (line === TOO_LONG) output(errorText(null, PARSE_ERROR, "the message is too long"));
      else if (!frame) output(errorText(null, PARSE_ERROR, "the line is not a JSON message"));
      if (running.size >= MAX_OPEN_REQUESTS) await Promise.race(running);
    }
    for (const [id, { method }] of open) if (method === ENDLESS) cancel(id);
    await Promise.all(running);
  };
  try {
    await Promise.race([read(), broken.promise]);
  } finally {
    for (const id of open.keys()) cancel(id);
  }
}

interface Path {
  send: RelayOptions["send"];
  output(text: string): Promise<void>;
  /** Called with the result of the request. */
  onAnswer(result: unknown): void;
}

/** Sends a frame until its response is complete, and writes the messages of the response. Never rejects. */
async function forward(frame: SentFrame, { send, output, onAnswer }: Path): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await send(frame);
      // A batch without requests is accepted without a body.
      let isAnswered = response.status === ACCEPTED;
      for await (const text of messagesOf(response)) {
        if (frame.signal.aborted) return;
        const message = addressed(frame, text);
        await output(message.text);
        if (message.isAnswer) onAnswer(message.result);
        isAnswered ||= message.isAnswer;
      }
      if (isAnswered) return;
      throw new Error(`the response (status ${response.status}) ended before it was complete`);
    } catch (error) {
      if (frame.signal.aborted) return;
      if (attempt < MAX_ATTEMPTS && !(error instanceof NoConnection)) continue;
      await output(errorText(frame.id ?? null, INTERNAL_ERROR, messageOf(error)));
      return;
    }
  }
}

/** The request could not be sent at all; sending it again at once would not help. */
export class NoConnection extends Error {}

/**
 * The line to write for a message in a response, and whether it is the answer to the frame. The rejection of a whole
 * HTTP request does not name an id.
 */
function addressed({ id }: Frame, text: string): { text: string; isAnswer: boolean; result?: unknown } {
  if (id === undefined) return { text, isAnswer: true };
  // biome-ignore lint/suspicious/noExplicitAny: a message of the server
  let message: any;
  try {
    message = JSON.parse(text);
  } catch {
    return {
      text: errorText(id, INTERNAL_ERROR, `the server's response is not JSON: ${text}`),
      isAnswer: true,
    };
  }
  if (message.id === id) return { text, isAnswer: true, result: message.result };
  if (message.error && (message.id ?? null) === null) {
    return { text: errorText(id, message.error.code, message.error.message), isAnswer: true };
  }
  return { text, isAnswer: false };
}

function errorText(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}
