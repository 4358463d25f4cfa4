// Where the clients of MCP keep their configuration and their agent skills.

import { homedir } from "node:os";
import { join } from "node:path";
import type { ConfigClient } from "../mcp-config.ts";

interface Places {
  /** The file of the configuration. */
  config: string;
  /** The folder of agent skills, `.agents/skills` for those that share it; undefined if the client has none. */
  skills: string | undefined;
}

/**
 * The places of a client: those of the user, or those of the project in the folder `project`. Undefined if the client
 * has no configuration of projects.
 */
export function placesOf(client: ConfigClient, project: string | undefined): Places | undefined {
  const home = homedir();
  if (project !== undefined) return placesIn(client, project);
  const { CLAUDE_CONFIG_DIR: claude, CODEX_HOME: codex } = process.env;
  const shared = join(home, ".agents", "skills");
  switch (client) {
    case "claude-code":
      return {
        config: join(claude || home, ".claude.json"),
        skills: join(claude || join(home, ".claude"), "skills"),
      };
    case "claude-desktop":
      return {
        config: join(applicationFolder(home), "Claude", "claude_desktop_config.json"),
        skills: undefined,
      };
    case "cursor":
      return { config: join(home, ".cursor", "mcp.json"), skills: shared };
    case "vscode":
      return { config: join(applicationFolder(home), "Code", "User", "mcp.json"), skills: shared };
    case "codex":
      return { config: join(codex || join(home, ".codex"), "config.toml"), skills: shared };
  }
}

function placesIn(client: ConfigClient, project: string): Places | undefined {
  const shared = join(project, ".agents", "skills");
  switch (client) {
    case "claude-code":
      return { config: join(project, ".mcp.json"), skills: join(project, ".claude", "skills") };
    case "cursor":
      return { config: join(project, ".cursor", "mcp.json"), skills: shared };
    case "vscode":
      return { config: join(project, ".vscode", "mcp.json"), skills: shared };
    case "codex":
      return { config: join(project, ".codex", "config.toml"), skills: shared };
    case "claude-desktop":
      return undefined;
  }
}

/** Where desktop applications keep the data of a user. */
function applicationFolder(home: string): string {
  if (process.platform === "darwin") return join(home, "Library", "Application Support");
  if (process.platform === "win32") return process.env.APPDATA || join(home, "AppData", "Roaming");
  return process.env.XDG_CONFIG_HOME || join(home, ".config");
}
