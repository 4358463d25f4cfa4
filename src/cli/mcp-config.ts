// The configurations that `ctxrepo mcp --print-config` prints: what each client has to be told to start this program,
// or to connect to its server over HTTP.

import { resolve } from "node:path";
import { dataDirectory } from "../base/assets.ts";
import { readSettings } from "../base/config.ts";
import { DEFAULT_SELECTION, type Selection } from "../mcp/tools/all.ts";
import { readAddress } from "./address-file.ts";
import { programCommand } from "./program-command.ts";
import { tomlValue } from "./setup/merge.ts";

export const CONFIG_CLIENTS = ["claude-code", "claude-desktop", "cursor", "vscode", "codex"] as const;
export type ConfigClient = (typeof CONFIG_CLIENTS)[number];

/** The name of the server in the clients. */
const NAME = "ctxrepo";
/** The variable in which clients that can read one find the key. */
const KEY_VARIABLE = "CTXREPO_API_KEY";

export interface ConfigOptions {
  selection: Selection;
  user: string | undefined;
  dataDir: string;
  isHttp: boolean;
}

/** The configuration, and where it belongs. */
export interface Config {
  text: string;
  note: string;
}

export function isConfigClient(name: string): name is ConfigClient {
  return (CONFIG_CLIENTS as readonly string[]).includes(name);
}

/** The configuration of a client. */
export function configFor(client: ConfigClient, options: ConfigOptions): Config {
  return options.isHttp ? httpConfig(client, options) : stdioConfig(client, options);
}

/**
 * What the file of a client contains of the server that this program is: the member of the servers, its name, its
 * entry.
 */
export function serverEntryOf(client: ConfigClient, options: Omit<ConfigOptions, "isHttp">) {
  const [command = "", ...start] = programCommand();
  const server = { command, args: [...start, ...argumentsFor(options)] };
  const member = client === "vscode" ? "servers" : client === "codex" ? "mcp_servers" : "mcpServers";
  return { member, name: NAME, entry: client === "vscode" ? { type: "stdio", ...server } : server };
}

function stdioConfig(client: ConfigClient, options: ConfigOptions): Config {
  const { member, entry } = serverEntryOf(client, options);
  const { command, args } = entry;
  switch (client) {
    case "claude-code":
      return {
        text: shellLine(["claude", "mcp", "add", "--scope", "user", NAME, "--", command, ...args]),
        note: "Run this command.",
      };
    case "claude-desktop":
      return {
        text: json({ [member]: { [NAME]: entry } }),
        note: "Merge this into claude_desktop_config.json (Settings > Developer > Edit Config).",
      };
    case "cursor":
      return {
        text: json({ [member]: { [NAME]: entry } }),
        note: "Merge this into ~/.cursor/mcp.json, or .cursor/mcp.json of a project.",
      };
    case "vscode":
      return {
        text: json({ [member]: { [NAME]: entry } }),
        note: "Merge this into .vscode/mcp.json, or the file of MCP: Open User Configuration.",
      };
    case "codex":
      return {
        text: `[${member}.${NAME}]\ncommand = ${tomlValue(command)}\nargs = ${tomlValue(args)}`,
        note: "Add this to ~/.codex/config.toml.",
      };
  }
}

function httpConfig(client: ConfigClient, options: ConfigOptions): Config {
  const { selection, user, dataDir } = options;
  const url = `${serverUrl(dataDir)}/mcp${queryFor(selection)}`;
  const create = ["ctxrepo", "keys", "create", ...dataDirArguments(dataDir), ...userArguments(user)];
  const key = `Create the key with: ${shellLine([...create, "--name", client])}`;
  switch (client) {
    case "claude-desktop": {
      const { text, note } = stdioConfig(client, options);
      const reason =
        "The file of Claude Desktop cannot contain an HTTP server; this command forwards to the running server.";
      return { text, note: `${reason} ${note}` };
    }
    case "claude-code":
      return {
        text: `${shellLine(["claude", "mcp", "add", "--scope", "user", "--transport", "http", NAME, url])} --header "Authorization: Bearer $${KEY_VARIABLE}"`,
        note: `Set ${KEY_VARIABLE} and run this command. ${key}`,
      };
    case "cursor":
      return {
        text: json({
          mcpServers: { [NAME]: { url, headers: { Authorization: `Bearer \${env:${KEY_VARIABLE}}` } } },
        }),
        note: `Merge this into ~/.cursor/mcp.json and start Cursor with ${KEY_VARIABLE} set. ${key}`,
      };
    case "vscode":
      return {
        text: json({
          inputs: [
            { type: "promptString", id: "ctxrepo-key", description: "API key of ctxrepo", password: true },
          ],
          servers: {
            [NAME]: {
              type: "http",
              url,
              // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in
              headers: { Authorization: "Bearer ${input:ctxrepo-key}" },
            },
          },
        }),
        note: `Merge this into .vscode/mcp.json; VS Code asks for the key once. ${key}`,
      };
    case "codex":
      return {
        text: `[mcp_servers.${NAME}]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = "${KEY_VARIABLE}"`,
        note: `Add this to ~/.codex/config.toml and start Codex with ${KEY_VARIABLE} set. ${key}`,
      };
  }
}

function argumentsFor({ selection, user, dataDir }: Omit<ConfigOptions, "isHttp">): string[] {
  return [
    "mcp",
    ...dataDirArguments(dataDir),
    ...(selection.tools === DEFAULT_SELECTION.tools ? [] : ["--tools", selection.tools]),
    ...(selection.isReadOnly ? ["--read-only"] : []),
    ...userArguments(user),
  ];
}

/** Nothing for the default directory. Clients of the desktop may lack variables that the shell has. */
function dataDirArguments(dataDir: string): string[] {
  const isDefault = resolve(dataDir) === resolve(dataDirectory({ ...process.env, XDG_DATA_HOME: undefined }));
  return isDefault ? [] : ["--data-dir", resolve(dataDir)];
}

const userArguments = (user: string | undefined) => (user === undefined ? [] : ["--user", user]);

function queryFor({ tools, isReadOnly }: Selection): string {
  const parts = [
    ...(tools === DEFAULT_SELECTION.tools
      ? []
      : [`tools=${encodeURIComponent(tools).replaceAll("%2C", ",")}`]),
    ...(isReadOnly ? ["readOnly=true"] : []),
  ];
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

/** The URL of the running server, or the one that `serve` would have without flags. */
function serverUrl(dataDir: string): string {
  const address = readAddress(dataDir);
  if (address?.isServer) return address.url;
  const { host, port, baseUrl } = readSettings({ dataDir }, process.env);
  return baseUrl ?? `http://${host}:${port}`;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** A line for a POSIX shell; words with special characters are quoted. */
function shellLine(words: string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}
