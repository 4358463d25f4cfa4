// POST /mcp: who sends the message, which tools it may use, and its body. Host, Origin, path and method are checked
// before, in server.ts. The protocol itself is in protocol.ts, which is loaded with the first message.

import type { Identity } from "../auth/identity.ts";
import { failureReply } from "../http/dispatch.ts";
import type { Edge } from "../http/edge.ts";
import { errorReply } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { readIdempotencyKey } from "../http/idempotency.ts";
import { failureOf } from "../http/parse-body.ts";
import { readQuery } from "../http/query.ts";
import { readMessage } from "../http/read-body.ts";
import { observedResponse, plainResponse } from "../http/respond.ts";
import { badRequest, Failure } from "../kernel/errors.ts";
import type { Following } from "../kernel/following.ts";
import type { Operations } from "./calls.ts";
import { mcpQuery, requireKnownParameters } from "./contract.ts";
import { instructionsFor } from "./instructions.ts";
import { parseMessage } from "./message.ts";
import { readParams } from "./params.ts";
import { programOf } from "./program.ts";
import type { Served } from "./protocol.ts";
import { INVALID_PARAMS, type McpDeps, McpFailure, type McpSession } from "./session.ts";
import { DEFAULT_SELECTION, isAllowed, selectTools } from "./tools/all.ts";

/** Keys are accepted as bearer tokens too, because most clients can send nothing else. */
const BEARER_KEY = /^Bearer +(gm_\S+)$/i;
/** The messages whose result contains the instructions. */
const INTRODUCTIONS = new Set(["initialize", "server/discover"]);

const NOT_STORED = { "Cache-Control": "no-store" };

type Protocol = Awaited<ReturnType<typeof loadProtocol>>;
type ServerOf = Parameters<Protocol["serve"]>[1];

/** Responds to POST requests for `/mcp`; `rawQuery` is without the question mark. Never throws. */
type McpEndpoint = (request: Request, rawQuery: string, exchange: Exchange) => Promise<Response>;

/** What the conformance suite replaces. */
export interface McpReplacements {
  identify?: (headers: Headers) => Promise<Identity>;
  /** Makes the server object of a message. */
  createServer?: (served: Served) => ReturnType<ServerOf>;
}

/** The endpoint of one server. */
export function mcpEndpoint(edge: Edge, operations: Operations, replaced: McpReplacements = {}): McpEndpoint {
  const { store, clock, log, changes } = edge;
  const deps: McpDeps = { store, clock, log, changes, operations };
  const identify = replaced.identify ?? ((headers) => identifyCaller(edge, headers));
  let loading: Promise<Protocol> | undefined;
  return async (request, rawQuery, exchange) => {
    let sent: { id?: unknown } = {};
    try {
      exchange.enter("authentication");
      const caller = await identify(request.headers);
      exchange.caller = caller.credentialId;
      exchange.enter("body");
      const identifyAgain = () => identify(request.headers);
      const session = readSession(deps, {
        caller,
        identify: identifyAgain,
        headers: request.headers,
        rawQuery,
        exchange,
        isTwin: edge.following !== null,
      });
      sent = await messageIn(edge, request, caller);
      const message = readParams(sent);
      session.caller = { ...caller, program: programOf(message, request.headers) };
      const method = "method" in message ? String(message.method) : "";
      const served: Served = {
        session,
        tools: session.tools,
        announcesChanges: method !== "initialize",
        ...(INTRODUCTIONS.has(method) && { instructions: introduction(edge, caller) }),
      };
      exchange.enter("handler");
      loading ??= loadProtocol();
      const { serve, createServer } = await loading;
      const create = () => (replaced.createServer ?? createServer)(served);
      const { url, headers, signal } = request;
      const sending = { request: new Request(url, { method: "POST", headers, signal }), message };
      const response = await serve({ ...sending, acceptsStream: session.acceptsStream, session }, create);
      if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
      return observedResponse(exchange, response);
    } catch (error) {
      if (error instanceof McpFailure) return invalidParams(exchange, sent.id, error);
      return rejection(edge, { exchange, isAborted: request.signal.aborted }, error);
    }
  };
}

/** The instructions; those of a read-only twin say so first. */
function introduction({ store, following }: Edge, caller: Identity): string {
  const instructions = instructionsFor(store, caller);
  if (following === null) return instructions;
  return `This server is a read-only twin of ${following.remote}, as of ${pulledAt(following)}. ${instructions}`;
}

const pulledAt = ({ pulledAt: at }: Following) =>
  at === null ? "an earlier time" : new Date(at).toISOString();

async function loadProtocol() {
  const { createMessageHandler, createServer } = await import("./protocol.ts");
  return { serve: createMessageHandler(), createServer };
}

async function identifyCaller({ credentials, baseUrl }: Edge, headers: Headers): Promise<Identity> {
  const authorization = headers.get("authorization")?.replace(BEARER_KEY, "API-Key $1") ?? null;
  const audiences = [baseUrl, `${baseUrl}/v1`, `${baseUrl}/mcp`];
  const identity = await credentials.identify(authorization, audiences);
  if (!identity) {
    throw new Failure(
      "unauthenticated",
      "missing or invalid credentials: send an API key as `Authorization: Bearer gm_…` (ctxrepo keys create)",
    );
  }
  return identity;
}

interface Received {
  /** Whether the server is a read-only twin: it offers no tools that write. */
  isTwin: boolean;
  caller: Identity;
  identify(): Promise<Identity>;
  headers: Headers;
  rawQuery: string;
  exchange: Exchange;
}

function readSession(deps: McpDeps, { headers, rawQuery, isTwin, ...received }: Received): McpSession {
  requireKnownParameters(rawQuery);
  const { tools = DEFAULT_SELECTION.tools, readOnly } = readQuery(mcpQuery, rawQuery);
  const selected = selectTools({ tools, isReadOnly: readOnly || isTwin });
  return {
    ...deps,
    ...received,
    tools: selected.filter((tool) => isAllowed(tool, received.caller, deps.operations)),
    acceptsStream: acceptsStream(headers),
    frameKey: readIdempotencyKey(headers),
  };
}

const acceptsStream = (headers: Headers) =>
  headers.get("accept")?.toLowerCase().includes("text/event-stream") === true;

async function messageIn(edge: Edge, request: Request, { userId }: Identity): Promise<object> {
  if (request.headers.has("content-encoding")) {
    throw badRequest({ path: "Content-Encoding", message: "is not supported: send the body uncompressed" });
  }
  const requester = { userId, cancelled: request.signal };
  const { value = {}, problem } = await readMessage(edge, { request, requester }, parseMessage);
  if (problem) throw failureOf(problem);
  return value;
}

/** The response to a message whose parameters cannot be read. */
function invalidParams(exchange: Exchange, id: unknown = null, { message }: McpFailure): Response {
  const body = { jsonrpc: "2.0", id, error: { code: INVALID_PARAMS, message } };
  return plainResponse(exchange, { status: 200, headers: NOT_STORED, body });
}

/** An error that is valid in JSON-RPC and in the envelope of the API. That a client has disconnected is no failure. */
function rejection(
  edge: Edge,
  { exchange, isAborted }: { exchange: Exchange; isAborted: boolean },
  error: unknown,
): Response {
  const { status, body } = isAborted ? errorReply(error) : failureReply(edge, error, exchange);
  return plainResponse(exchange, {
    status,
    headers: { ...NOT_STORED, ...(status === 401 && { "WWW-Authenticate": challenge(edge) }) },
    body: { jsonrpc: "2.0", id: null, ...(body as object) },
  });
}

/**
 * How to authenticate. The metadata is named only if an identity provider issues tokens: otherwise clients would try to
 * register with this server, and report that instead of the missing key.
 */
function challenge({ credentials, baseUrl }: Edge): string {
  const metadata = credentials.provider
    ? `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`
    : 'Bearer realm="ctxrepo"';
  return `${metadata}, API-Key realm="ctxrepo"`;
}
