// Where `ctxrepo mcp` sends its messages: to the process that serves the data directory, or to the same endpoint in
// this process. Until there is a connection, introductions are answered here.

import { messageOf } from "../kernel/errors.ts";
import type { Selection } from "../mcp/tools/all.ts";
import { VERSION } from "../base/version.ts";
import { type Client, openClient } from "./client.ts";
import { findProcess } from "./local-calls.ts";
import { ACCEPT, introduce, isIntroduction } from "./mcp-introduction.ts";
import type { Frame } from "./mcp-frames.ts";
import { NoConnection, type SentFrame } from "./mcp-relay.ts";
import { printFailure, printMessage } from "./output.ts";

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
  /** A frame has its response. A client that knows the tools will use them: database and model should be ready then. */
  answered(frame: Frame): void;
  close(): Promise<void>;
}

/** Starts connecting, and returns at once. */
export function connectMcp(options: ConnectionOptions): McpConnection {
  const { dataDir, user, key, selection } = options;
  const path = `/mcp?${new URLSearchParams({ tools: selection.tools, readOnly: String(selection.isReadOnly) })}`;
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

  const finding = findProcess(dataDir);
  finding.then((found) => found && open().catch(() => {})).catch(() => {});

  /** The client, or undefined for an introduction that must not wait until this process has opened the database. */
  const clientFor = async (frame: SentFrame): Promise<Client | undefined> => {
    // Which tools a key allows is in the database.
    if (client || key !== undefined || !isIntroduction(frame)) return open();
    const found = await finding.catch(() => undefined);
    return found ? open().catch(() => undefined) : undefined;
  };

  return {
    async send(frame) {
      const used = await clientFor(frame);
      if (!used) {
        respond ??= introduce({ dataDir, user, selection });
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
      if (response.status === 401 && key !== undefined) {
        await response.body?.cancel();
        printFailure(WRONG_KEY);
        throw new NoConnection(WRONG_KEY);
      }
      return response.status === 404 ? withMcp(used, response) : response;
    },
    answered({ method }) {
      if (method === "tools/list") open().catch(() => {});
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

const WRONG_KEY =
  "the key in CTXREPO_API_KEY is wrong or was revoked: create another with `ctxrepo keys create`, or remove the variable to act as the local owner";

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
