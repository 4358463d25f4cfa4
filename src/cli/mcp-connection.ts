// Where `ctxrepo mcp` sends its messages: to the process that serves the data directory, or to the same endpoint in this process.
// Until there is a connection, a client learns from here what the server is and which tools it has.

import { systemClock } from "../kernel/clock.ts";
import { messageOf } from "../kernel/errors.ts";
import { GENERAL_INSTRUCTIONS } from "../mcp/instructions.ts";
import { type Selection, selectTools } from "../mcp/tools/all.ts";
import { VERSION } from "../version.ts";
import { type Client, openClient } from "./client.ts";
import { NoConnection, type SentFrame } from "./mcp-relay.ts";
import { printFailure, printMessage } from "./output.ts";

/** Messages that need no database. */
const INTRODUCTIONS = new Set([
  "initialize",
  "server/discover",
  "tools/list",
  "resources/templates/list",
  "ping",
]);
/** For how long these wait for the database, which is usually ready by then: its summary is better than none. */
const PATIENCE_MS = 300;

export interface ConnectionOptions {
  dataDir: string;
  /** E-mail of the user to act as. */
  user: string;
  /** An API key to act with, instead of a user. */
  key: string | undefined;
  selection: Selection;
}

export interface McpConnection {
  /** Sends a frame. Throws NoConnection if there is no process to send it to and none can be started here. */
  send(frame: SentFrame): Promise<Response>;
  close(): Promise<void>;
}

/** Starts connecting, and returns at once. */
export function connectMcp(options: ConnectionOptions): McpConnection {
  const { dataDir, user, key, selection } = options;
  const path = `/mcp?${new URLSearchParams({ tools: selection.tools, readOnly: String(selection.isReadOnly) })}`;
  const startedAt = systemClock.monotonic();
  let opening: Promise<Client> | undefined;
  let client: Client | undefined;
  let respond: ReturnType<typeof introduce> | undefined;

  const open = (): Promise<Client> => {
    opening ??= openClient({ dataDir, user, creates: true, indexes: true }).then(
      (opened) => {
        client = opened;
        reportOtherVersion(opened).catch(() => {});
        return opened;
      },
      (error) => {
        // The next message tries again.
        opening = undefined;
        printFailure(messageOf(error));
        throw new NoConnection(messageOf(error), { cause: error });
      },
    );
    return opening;
  };

  /** The client, or undefined for a message that need not wait for it any longer. */
  const clientFor = async ({ method, signal }: SentFrame): Promise<Client | undefined> => {
    // Which tools a key allows is in the database.
    if (client || key !== undefined || !INTRODUCTIONS.has(method ?? "")) return open();
    const leftMs = Math.max(0, startedAt + PATIENCE_MS - systemClock.monotonic());
    const opened = open().catch(() => undefined);
    return Promise.race([opened, systemClock.sleep(leftMs, signal).then(() => undefined)]);
  };

  open().catch(() => {});
  return {
    async send(frame) {
      const used = await clientFor(frame);
      if (!used) {
        respond ??= introduce(selection);
        return (await respond)(frame);
      }
      const { headers, key: idempotencyKey, text, signal } = frame;
      const response = await used.stream("POST", path, {
        text,
        signal,
        headers: {
          ...ACCEPT,
          ...headers,
          "Idempotency-Key": idempotencyKey,
          ...(key !== undefined && { Authorization: `API-Key ${key}` }),
        },
      });
      return response.status === 404 ? withMcp(used, response) : response;
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

const ACCEPT = { Accept: "application/json, text/event-stream" };

/** Responds to introductions without a database. */
async function introduce(selection: Selection): Promise<(frame: SentFrame) => Promise<Response>> {
  const { createMessageHandler, createServer } = await import("../mcp/protocol.ts");
  const serve = createMessageHandler();
  const served = { tools: selectTools(selection), instructions: GENERAL_INSTRUCTIONS };
  return ({ text, headers, signal }) => {
    const request = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: { "Content-Type": "application/json", ...ACCEPT, ...headers },
      signal,
    });
    return serve(request, JSON.parse(text), () => createServer(served));
  };
}

const wayOut = (version: string) =>
  `the running ctxrepo server has version ${version}, this program ${VERSION}: stop that server and start \`ctxrepo serve\` of this version, or use that version for MCP, too`;

/** Says on stderr if the server that answers is of another version. It is used all the same. */
async function reportOtherVersion(client: Client): Promise<void> {
  if (!(await client.usesServer())) return;
  const version = await versionOf(client);
  if (version !== VERSION) printMessage(`ctxrepo: ${wayOut(version)}`);
}

async function versionOf(client: Client): Promise<string> {
  return String((await client.request("GET", "/health")).body?.version ?? "unknown");
}

/** The response, unless it says that the server does not know MCP: then throws NoConnection with the way out. */
async function withMcp(client: Client, response: Response): Promise<Response> {
  const text = await response.text();
  if (text.includes('"jsonrpc"')) return new Response(text, response);
  throw new NoConnection(`MCP is not served: ${wayOut(await versionOf(client))}`);
}
