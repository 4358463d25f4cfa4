// How `ctxrepo mcp` introduces itself while it has no connection: what the server is and which tools it has. It neither
// takes the lock nor migrates the database nor loads the model, so that clients need not wait for any of these.

import { USER_SCOPES } from "../auth/scopes.ts";
import { findUserByEmail } from "../auth/users.ts";
import { databasePath, openUnchanged } from "../db/open.ts";
import { readerOf } from "../db/open-store.ts";
import { GENERAL_INSTRUCTIONS, instructionsFor } from "../mcp/instructions.ts";
import { type Selection, selectTools } from "../mcp/tools/all.ts";
import type { SentFrame } from "./mcp-relay.ts";

/** Messages that need no connection. */
const INTRODUCTIONS = new Set([
  "initialize",
  "server/discover",
  "tools/list",
  "resources/templates/list",
  "ping",
]);

/** Whether a message can be answered without a connection. */
export const isIntroduction = ({ method }: SentFrame) => method !== undefined && INTRODUCTIONS.has(method);

/** Both types of content that a client of the protocol must accept. */
export const ACCEPT = { Accept: "application/json, text/event-stream" };

export interface Introduction {
  dataDir: string;
  /** E-mail of the user to act as. */
  user: string;
  selection: Selection;
}

/** Loads the protocol, and returns a function that responds to introductions. */
export async function introduce({
  dataDir,
  user,
  selection,
}: Introduction): Promise<(frame: SentFrame) => Promise<Response>> {
  const { createMessageHandler, createServer } = await import("../mcp/protocol.ts");
  const serve = createMessageHandler();
  const served = { tools: selectTools(selection), instructions: instructionsOf(dataDir, user) };
  return ({ text, method, headers, signal }) => {
    const request = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: { "Content-Type": "application/json", ...ACCEPT, ...headers },
      signal,
    });
    const posted = { request, message: JSON.parse(text), acceptsStream: true };
    return serve(posted, () => createServer({ ...served, announcesChanges: method !== "initialize" }));
  };
}

/** The instructions with a summary of the user's records, or without it if the database cannot be read as it is. */
function instructionsOf(dataDir: string, email: string): string {
  try {
    const database = openUnchanged(databasePath(dataDir));
    try {
      const reader = readerOf(database);
      const user = findUserByEmail(reader, email);
      return user ? instructionsFor(reader, { userId: user.id, scopes: USER_SCOPES }) : GENERAL_INSTRUCTIONS;
    } finally {
      database.close();
    }
  } catch {
    // There is none yet, or it has to be migrated first.
    return GENERAL_INSTRUCTIONS;
  }
}
