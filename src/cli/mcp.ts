// ctxrepo mcp: MCP on stdin and stdout, or the configuration with which a client starts it.

import { Command } from "commander";
import { LOCAL_OWNER } from "../auth/users.ts";
import { badRequest } from "../kernel/errors.ts";
import { DEFAULT_SELECTION, selectTools } from "../mcp/tools/all.ts";
import { type DataDirOption, withDataDir } from "./data-dir.ts";
import { CONFIG_CLIENTS, configFor, isConfigClient } from "./mcp-config.ts";
import { connectMcp } from "./mcp-connection.ts";
import { relay } from "./mcp-relay.ts";
import { print, printMessage, write } from "./output.ts";
import { SKILL_TEXT } from "./setup/skill.ts";
import { parseUser } from "./user-options.ts";

interface McpOptions extends DataDirOption {
  tools: string;
  readOnly?: boolean;
  user?: string;
  printConfig?: string;
  printSkill?: boolean;
  http?: boolean;
}

export function mcpCommand(): Command {
  return withDataDir(new Command("mcp"))
    .description("serve the Model Context Protocol on stdin and stdout, for AI clients")
    .option("--tools <LIST>", "core, all, or names of tools, separated by commas", DEFAULT_SELECTION.tools)
    .option("--read-only", "only tools that change nothing")
    .option(
      "--user <EMAIL>",
      `user whose records are used (default: the key in CTXREPO_API_KEY, or ${LOCAL_OWNER})`,
    )
    .option("--print-config <CLIENT>", `print the configuration for ${CONFIG_CLIENTS.join(", ")}`)
    .option("--print-skill", "print the skill that says when an agent should search, and how it cites")
    .option("--http", "with --print-config: for the server's URL and an API key instead of this command")
    .action(mcp);
}

async function mcp(options: McpOptions): Promise<void> {
  const { dataDir, tools, readOnly = false, printConfig, http = false } = options;
  const selection = { tools, isReadOnly: readOnly };
  selectTools(selection);
  const user = options.user === undefined ? undefined : parseUser(options.user);
  if (printConfig !== undefined) {
    if (!isConfigClient(printConfig)) {
      throw badRequest({ path: "--print-config", message: `must be one of ${CONFIG_CLIENTS.join(", ")}` });
    }
    const { text, note } = configFor(printConfig, { selection, user, dataDir, isHttp: http });
    print(text);
    printMessage(note);
    return;
  }
  if (options.printSkill) {
    print(SKILL_TEXT.trimEnd());
    return;
  }
  if (http) throw badRequest({ path: "--http", message: "is an option of --print-config" });
  const key = user === undefined ? process.env.CTXREPO_API_KEY || undefined : undefined;
  const connection = connectMcp({ dataDir, user: user ?? LOCAL_OWNER, key, selection });
  const stop = stopSignal();
  if (process.stdin.isTTY) {
    printMessage("waiting for messages of MCP, one per line; --print-config prints how a client starts this");
  }
  try {
    await Promise.race([
      relay({
        input: process.stdin,
        writeLine: (text) => write(`${text}\n`),
        send: connection.send,
        answered: connection.answered,
      }),
      stop,
    ]);
  } finally {
    await connection.close();
  }
}

/** Resolves at the first SIGINT or SIGTERM. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
