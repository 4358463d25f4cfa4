// Runs one tool call: arguments, deadline, one Idempotency-Key for each write, and failures as text that says what to
// do next.

import { agentName, hasScope } from "../../auth/identity.ts";
import { placeOf } from "../../features/chunks/place.ts";
import { messageOf } from "../../kernel/errors.ts";
import { sha256Hex } from "../../kernel/hash.ts";
import type { CallOptions, OperationCall } from "../calls.ts";
import type { McpSession } from "../session.ts";
import {
  type ChangedRecord,
  changedDocuments,
  changedPrompts,
  documentFacts,
  endOfLastVisit,
} from "../store.ts";
import { argumentFor, readArguments, unknownText } from "./arguments.ts";
import { roomFor } from "./budget.ts";
import { failureText } from "./failures.ts";
import { paragraphs } from "./markdown.ts";
import { withIds } from "./names.ts";
import { requireSuccess, type Tool, type ToolCall, ToolFailure, type ToolResult } from "./tool.ts";

/** Some clients give up after 60 seconds, others after 30. */
const DEADLINE_MS = 25_000;
const PROGRESS_MS = 5_000;

/** The result of a tool as the protocol has it. */
export interface CallResult extends Record<string, unknown> {
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** One call, as the client sent it. */
export interface SentCall {
  tool: Tool;
  arguments: unknown;
  /** The id of the JSON-RPC request. */
  requestId: string | number;
  /** Aborted when the client cancels the call. */
  signal: AbortSignal;
  /** Tells the client that the call goes on, in seconds of at most this many; absent if it has not asked for that. */
  report?(progress: number, total: number): Promise<void>;
}

/** Runs a tool. Never throws: every failure is a result with `isError`. */
export async function callTool(session: McpSession, sent: SentCall): Promise<CallResult> {
  const { tool } = sent;
  const { clock, log } = session;
  const startedAt = clock.monotonic();
  // Ends the waiting, and operations that only read: what others write is complete.
  const ending = new AbortController();
  const signal = AbortSignal.any([sent.signal, ending.signal]);
  // A client that has gone reads no progress.
  reportProgress(session, sent, signal).catch(() => {});
  let result: CallResult;
  try {
    result = await Promise.race([
      run(session, sent, { signal, endsAt: startedAt + DEADLINE_MS }),
      clock.sleep(DEADLINE_MS, signal).then(() => failed(tooSlow(tool))),
    ]);
  } catch (error) {
    // A client that has cancelled the call reads nothing of it.
    result = failed(sent.signal.aborted ? "the call was cancelled" : textOf(session, tool, error));
  } finally {
    ending.abort(new ToolFailure(500, "the call has ended"));
  }
  const ms = Math.round(clock.monotonic() - startedAt);
  const failure = result.isError && { failed: true };
  log.debug("tool call", { tool: tool.name, ms, ...failure, requestId: session.exchange.id });
  return result;
}

async function reportProgress(
  { clock }: McpSession,
  { report }: SentCall,
  signal: AbortSignal,
): Promise<void> {
  if (!report) return;
  for (let ms = PROGRESS_MS; ms < DEADLINE_MS; ms += PROGRESS_MS) {
    await clock.sleep(PROGRESS_MS, signal);
    await report(ms / 1000, DEADLINE_MS / 1000);
  }
}

const failed = (text: string): CallResult => ({ content: [{ type: "text", text }], isError: true });

function tooSlow({ whenSlow, behaviour }: Tool): string {
  const next =
    behaviour.readOnly || behaviour.idempotent
      ? "Try again in a moment."
      : "The change may still be made: read or search for the record before you repeat the call.";
  return `There is no result after ${DEADLINE_MS / 1000} seconds. ${whenSlow ?? next}`;
}

async function run(
  session: McpSession,
  { tool, arguments: given, requestId }: SentCall,
  { signal, endsAt }: { signal: AbortSignal; endsAt: number },
): Promise<CallResult> {
  const { operations, caller, exchange, frameKey, clock } = session;
  const { values, unknown } = readArguments(tool, given);
  const { response_format: format, ...sent } = values;
  let runs = 0;
  const options = (isCounted: boolean): CallOptions => ({
    caller,
    exchange,
    isCounted,
    cancelled: tool.behaviour.readOnly ? signal : undefined,
    // The runs of a call are in a fixed order, so a repeated frame has the same keys.
    key: frameKey === undefined ? undefined : sha256Hex(JSON.stringify([frameKey, requestId, runs])),
  });
  const others = await withIds(
    {
      // It only reads, so it has no key and does not count among the runs.
      also: async (operation, request) =>
        requireSuccess(await operations.run(operation, request, { ...options(false), key: undefined })),
    },
    sent,
  );
  const namesIn = (request: OperationCall) => (path: string) =>
    argumentFor(path, { tool, request, given: others });
  let isCounted = false;
  const call: ToolCall = {
    arguments: others,
    isDetailed: format === "detailed",
    room: roomFor(sent.maxTokens),
    documentFacts: (ids) => documentFacts(session.store, caller.userId, ids),
    placeOf: (documentId, chunkId) => placeOf(session.store, { documentId, chunkId }),
    endOfLastVisit: () =>
      endOfLastVisit(session.store, { userId: caller.userId, agent: agentName(caller), now: clock.now() }),
    changedSince: (since, limit) => changedSince(session, since, limit),
    clock,
    endsAt,
    sleep: (ms) => clock.sleep(ms, signal),
    run: (request) => call.runInstead(tool.operation, request),
    async runInstead(operation, request) {
      runs++;
      const counts = !isCounted;
      isCounted = true;
      return requireSuccess(await operations.run(operation, request, options(counts)), namesIn(request));
    },
    async also(operation, request) {
      runs++;
      return requireSuccess(await operations.run(operation, request, options(false)), namesIn(request));
    },
  };
  const { text, data } = await tool.handle(call);
  const warning = unknown.length > 0 && `[Ignored: ${unknownText(tool, unknown)}.]`;
  return toResult({ text: paragraphs(warning, text), data });
}

/** Only records that the caller may read. */
function changedSince({ store, caller }: McpSession, since: number, limit: number): ChangedRecord[] {
  const wanted = { userId: caller.userId, since, limit };
  const changed = [
    ...(hasScope(caller, "documents.read") ? changedDocuments(store, wanted) : []),
    ...(hasScope(caller, "prompts.read") ? changedPrompts(store, wanted) : []),
  ];
  return changed.sort((a, b) => b.changedAt - a.changedAt).slice(0, limit);
}

function toResult({ text, data }: ToolResult): CallResult {
  return { content: [{ type: "text", text }], ...(data && { structuredContent: data }) };
}

function textOf({ log, exchange, tools }: McpSession, tool: Tool, error: unknown): string {
  if (error instanceof ToolFailure) return failureText(error, tool, tools);
  log.error("tool call failed", { tool: tool.name, requestId: exchange.id, reason: messageOf(error) });
  return "internal server error. The server's log contains the cause; try again once.";
}
