// Clients of MCP for tests: messages sent straight to the endpoint, and the two official clients over both transports.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as EarlierStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as EarlierHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { commandOf, MAIN, plainEnvironment } from "./processes.ts";
import type { Started } from "./start.ts";

const NAME = { name: "ctxrepo-tests", version: "1.0.0" };

// biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON
type Json = any;

export interface Posted {
  status: number;
  headers: Headers;
  /** The last message of the response. */
  message: Json;
}

export interface McpRequest {
  query?: string;
  headers?: Record<string, string>;
  id?: string | number;
}

/** Sends messages to the endpoint, by default with the key of the server's owner. */
export function mcpPoster({ send, url, key }: Pick<Started, "send" | "url" | "key">) {
  const post = async (body: unknown, { query = "", headers = {} }: McpRequest = {}): Promise<Posted> => {
    const response = await send(
      new Request(`${url}/mcp${query}`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${key.key}`,
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          ...headers,
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
    const text = await response.text();
    const data = text
      .split("\n")
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trim())
      .filter((line) => line !== "");
    const last = data.length > 0 ? data.at(-1)! : text;
    return {
      status: response.status,
      headers: response.headers,
      message: last === "" ? undefined : JSON.parse(last),
    };
  };
  const ask = (method: string, params: object = {}, options: McpRequest = {}) =>
    post({ jsonrpc: "2.0", id: options.id ?? 1, method, params }, options);
  /** Calls a tool of the complete set. */
  const tool = async (
    name: string,
    given: object = {},
    options: McpRequest = {},
  ): Promise<{ text: string; data: Json; isError: boolean }> => {
    const { message } = await ask(
      "tools/call",
      { name, arguments: given },
      { query: "?tools=all", ...options },
    );
    if (!message.result) throw new Error(JSON.stringify(message));
    const { content, structuredContent, isError = false } = message.result;
    return { text: content[0].text, data: structuredContent, isError };
  };
  return { post, ask, tool };
}

/** What the official clients have in common. */
export interface OfficialClient {
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<Json>;
  listTools(): Promise<{ tools: Json[] }>;
  listPrompts(): Promise<{ prompts: Json[] }>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<Json>;
  readResource(params: { uri: string }): Promise<Json>;
  listResourceTemplates(): Promise<{ resourceTemplates: Json[] }>;
  complete(params: Json): Promise<Json>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

/** Versions of the official clients. */
export type ClientVersion = "client 2.4.0" | "sdk 1.32.2";

/** Connects to the endpoint of a server. */
export async function connectOverHttp(
  version: ClientVersion,
  { url, key }: { url: string; key: string },
): Promise<OfficialClient> {
  const endpoint = new URL(`${url}/mcp?tools=all`);
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  if (version === "client 2.4.0") {
    const client = new Client(NAME);
    await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }));
    return client as OfficialClient;
  }
  const client = new EarlierClient(NAME);
  await client.connect(new EarlierHttp(endpoint, { requestInit }) as Parameters<EarlierClient["connect"]>[0]);
  return client as OfficialClient;
}

export interface StdioOptions {
  dataDir: string;
  args?: string[];
  environment?: Record<string, string>;
}

/** How `ctxrepo mcp` is started, with nothing of this machine's environment but the path. */
export function mcpCommand({ dataDir, args = [], environment = {} }: StdioOptions) {
  const [command, ...given] = commandOf(MAIN, "mcp", "--data-dir", dataDir, ...args);
  return { command, args: given, env: { ...plainEnvironment(), ...environment } };
}

/** Starts `ctxrepo mcp` and connects to it. */
export async function connectOverStdio(
  version: ClientVersion,
  options: StdioOptions,
): Promise<OfficialClient & { pid: number }> {
  const command = { ...mcpCommand(options), stderr: "inherit" as const };
  if (version === "client 2.4.0") {
    const client = new Client(NAME);
    const transport = new StdioClientTransport(command);
    await client.connect(transport);
    return Object.assign(client as OfficialClient, { pid: transport.pid! });
  }
  const client = new EarlierClient(NAME);
  const transport = new EarlierStdio(command);
  await client.connect(transport as Parameters<EarlierClient["connect"]>[0]);
  return Object.assign(client as OfficialClient, { pid: transport.pid! });
}
