// The program with all its commands, one file each.

import type { Command } from "commander";
import { askCommand } from "./ask.ts";
import { backupCommand } from "./backup.ts";
import { completionCommand } from "./completion/command.ts";
import { doctorCommand } from "./doctor.ts";
import { exportCommand } from "./export.ts";
import { foldersCommand } from "./folders.ts";
import { getCommand } from "./get.ts";
import { importCommand } from "./import.ts";
import { keysCommand } from "./keys.ts";
import { licensesCommand } from "./licenses.ts";
import { listCommand } from "./list.ts";
import { mcpCommand } from "./mcp.ts";
import { openCommand } from "./open.ts";
import { programOf } from "./program-of.ts";
import { addCommand } from "./records/add.ts";
import { archiveCommand } from "./records/archive.ts";
import { collectionCommand } from "./records/collection.ts";
import { editCommand } from "./records/edit.ts";
import { historyCommand } from "./records/history.ts";
import { moveCommand } from "./records/move.ts";
import { promptCommand } from "./records/prompt.ts";
import { refreshCommand } from "./records/refresh.ts";
import { removeCommand } from "./records/remove.ts";
import { tagCommand } from "./records/tag.ts";
import { reindexCommand } from "./reindex.ts";
import { remoteCommand } from "./remotes/command.ts";
import { exchangeCommands } from "./remotes/exchange.ts";
import { restoreCommand } from "./restore.ts";
import { scrapeCommand } from "./scrape.ts";
import { searchCommand } from "./search.ts";
import { serveCommand } from "./serve.ts";
import { serviceCommand } from "./service.ts";
import { setupCommand } from "./setup.ts";
import { statusCommand } from "./status.ts";
import { tokensCommand } from "./tokens.ts";
import { usersCommand } from "./users.ts";

/** The program with all its commands, in the order of its help. */
export function createProgram(): Command {
  return programOf([
    serveCommand(),
    keysCommand(),
    tokensCommand(),
    usersCommand(),
    askCommand(),
    scrapeCommand(),
    importCommand(),
    foldersCommand(),
    exportCommand(),
    statusCommand(),
    searchCommand(),
    getCommand(),
    addCommand(),
    editCommand(),
    moveCommand(),
    tagCommand(),
    archiveCommand(),
    removeCommand(),
    collectionCommand(),
    historyCommand(),
    refreshCommand(),
    promptCommand(),
    listCommand(),
    mcpCommand(),
    setupCommand(),
    openCommand(),
    completionCommand(),
    serviceCommand(),
    backupCommand(),
    restoreCommand(),
    doctorCommand(),
    reindexCommand(),
    licensesCommand(),
    remoteCommand(),
    ...exchangeCommands(),
  ]);
}
