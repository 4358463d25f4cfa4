// The protocol: the only module that uses the SDK, which is loaded when the first client connects. It maps the methods
// of MCP to tools, resources and prompts. A message is served by a server object of its own; nothing is kept between
// messages.

import {
  type AuthInfo,
  type CreateMcpHandlerOptions,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { messageOf } from "../kernel/errors.ts";
import { VERSION } from "../base/version.ts";
import { completeId, listResources, RESOURCE_TEMPLATES, readResource } from "./resources.ts";
import { INVALID_PARAMS, McpFailure, type McpSession } from "./session.ts";
import { getPrompt, listPrompts } from "./stored-prompts.ts";
import { openSubscription } from "./subscriptions.ts";
import { TOOLS } from "./tools/all.ts";
import { callTool } from "./tools/call-tool.ts";
import { listedTool } from "./tools/listing.ts";
import { oneLine } from "./tools/markdown.ts";
import type { Tool } from "./tools/tool.ts";

const INTERNAL_ERROR = -32603;

const HOUR_MS = 3_600_000;
/** For how long clients may reuse a result. What is listed depends on the credential. */
const CACHE_HINTS = {
  "server/discover": { ttlMs: 60_000, cacheScope: "private" },
  "tools/list": { ttlMs: HOUR_MS, cacheScope: "private" },
  "resources/templates/list": { ttlMs: HOUR_MS, cacheScope: "private" },
  "prompts/list": { ttlMs: 10_000, cacheScope: "private" },
  "resources/list": { ttlMs: 10_000, cacheScope: "private" },
  "resources/read": { ttlMs: 0, cacheScope: "private" },
} as const;

/** Results of elicitations would be validated; this server never asks for one. */
const noValidation = {
  getValidator: () => {
    throw new Error("this server elicits nothing");
  },
};

/** What a server object is made from: the tools and instructions, and the session that serves everything else. */
export interface Served {
  tools: readonly Tool[];
  /** Present for messages that return instructions. */
  instructions?: string;
  /** Whether the client can be told about changes: since 2026-07-28, which needs no session for it. */
  announcesChanges?: boolean;
  /** Undefined while there is no database yet: only lists of tools and templates are served then. */
  session?: McpSession;
}

/** A server object for one message. */
export function createServer({ tools, instructions, announcesChanges, session }: Served): Server {
  const server = new Server(
    { name: "ctxrepo", title: "Context Repository", version: VERSION },
    {
      capabilities: announcesChanges
        ? {
            tools: {},
            resources: { subscribe: true, listChanged: true },
            prompts: { listChanged: true },
            completions: {},
          }
        : { tools: {}, resources: {}, prompts: {}, completions: {} },
      cacheHints: CACHE_HINTS,
      jsonSchemaValidator: noValidation,
      ...(instructions !== undefined && { instructions }),
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(listedTool) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: RESOURCE_TEMPLATES }));
  if (session) serve(server, session);
  return server;
}

function serve(server: Server, session: McpSession): void {
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const tool = session.tools.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(INVALID_PARAMS, missingTool(params.name, session.tools));
    const { id: requestId, signal, notify } = mcpReq;
    const progressToken = session.acceptsStream ? params._meta?.progressToken : undefined;
    const report = (progress: number, total: number) =>
      notify({ method: "notifications/progress", params: { progressToken, progress, total } });
    const call = { tool, arguments: params.arguments, requestId, signal };
    return callTool(session, { ...call, ...(progressToken !== undefined && { report }) });
  });
  server.setRequestHandler("resources/list", ({ params }) =>
    withErrors(session, () => listResources(session, params?.cursor)),
  );
  server.setRequestHandler("resources/read", ({ params: { uri } }) =>
    withErrors(session, () => readResource(session, uri), uri),
  );
  server.setRequestHandler("prompts/list", ({ params }) =>
    withErrors(session, () => listPrompts(session, params?.cursor)),
  );
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given = {} } }) =>
    withErrors(session, () => getPrompt(session, { name, given })),
  );
  server.setRequestHandler("completion/complete", ({ params: { ref, argument } }) =>
    withErrors(session, async () => {
      if (ref.type !== "ref/resource") return { completion: { values: [], hasMore: false } };
      return { completion: await completeId(session, ref.uri, argument.value) };
    }),
  );
}

function missingTool(name: string, tools: readonly Tool[]): string {
  const available = `available: ${tools.map((tool) => tool.name).join(", ")}`;
  return TOOLS.some((tool) => tool.name === name)
    ? `${name} is not available here: it was not selected, or the credential lacks its scope (${available})`
    : `unknown tool ${oneLine(name)} (${available})`;
}

/** Turns failures into errors of the protocol; internal ones are logged and reveal nothing. */
async function withErrors<Value>(
  { log, exchange }: McpSession,
  action: () => Promise<Value>,
  uri?: string,
): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof McpFailure) {
      if (error.kind === "not-found" && uri !== undefined)
        throw new ResourceNotFoundError(oneLine(uri), error.message);
      throw new ProtocolError(error.kind === "internal" ? INTERNAL_ERROR : INVALID_PARAMS, error.message);
    }
    log.error("request failed", { route: exchange.route, requestId: exchange.id, reason: messageOf(error) });
    throw new ProtocolError(INTERNAL_ERROR, "internal server error");
  }
}

/** A POST request with its parsed message. */
interface Posted {
  request: Request;
  message: object;
  /** Whether the client accepts a stream of messages; otherwise the response is one JSON value. */
  acceptsStream: boolean;
  /** Undefined while there is no database yet. */
  session?: McpSession;
}

/** Serves a message with the server object that `create` returns. */
type ServeMessage = (posted: Posted, create: () => Server) => Promise<Response>;

/** Serves the messages of one process. */
export function createMessageHandler(): ServeMessage {
  const handler = handlerWith({});
  return async ({ request, message, acceptsStream, session }, create) => {
    const headers = new Headers(request.headers);
    headers.set("Accept", "application/json, text/event-stream");
    const sent = new Request(request.url, { method: request.method, headers, signal: request.signal });
    if (!acceptsStream && (await isLegacyRequest(sent, message))) {
      return legacyJson(sent, message, create());
    }
    const serving = session && isListening(message) ? listeningHandler(session, message) : handler;
    return serving.fetch(sent, {
      parsedBody: message,
      authInfo: { token: "", clientId: "", scopes: [], extra: { create } },
    });
  };
}

const handlerWith = (options: CreateMcpHandlerOptions) =>
  createMcpHandler(({ authInfo }) => creatorIn(authInfo)(), options);

const isListening = (message: object) => "method" in message && message.method === "subscriptions/listen";

/** The SDK sends the events of a handler to all its streams, so that each stream has a handler of its own. */
function listeningHandler(session: McpSession, message: object): McpHttpHandler {
  const subscription = openSubscription(session, message, () => void handler.close());
  const handler = handlerWith({ bus: { ...subscription, publish() {} } });
  return handler;
}

/** Serves a message of an earlier revision with one JSON value. The SDK's handler would stream it. */
async function legacyJson(request: Request, message: object, server: Server): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(request.signal.reason);
  request.signal.addEventListener("abort", abort, { once: true });
  try {
    await server.connect(transport);
    return await Promise.race([transport.handleRequest(request, { parsedBody: message }), aborted.promise]);
  } finally {
    request.signal.removeEventListener("abort", abort);
    await server.close();
  }
}

/** The SDK passes nothing else of a request on to where server objects are made. */
function creatorIn(authInfo: AuthInfo | undefined): () => Server {
  if (!authInfo) throw new Error("the message came without its server");
  return authInfo.extra?.create as () => Server;
}
