// All tools in the order in which they are listed, and which of them a client sees.

import type { Identity } from "../../auth/identity.ts";
import { grants } from "../../auth/scopes.ts";
import { badRequest } from "../../kernel/errors.ts";
import type { Operations } from "../calls.ts";
import { getUserInfo } from "./account.ts";
import * as collections from "./collections.ts";
import * as documents from "./documents.ts";
import * as editing from "./edit-document.ts";
import { findItems } from "./find-items.ts";
import { leaseDocument } from "./lease.ts";
import * as pages from "./pages.ts";
import * as prompts from "./prompts.ts";
import { reason } from "./reason.ts";
import { recentChanges } from "./recent-changes.ts";
import * as search from "./search.ts";
import type { Tool } from "./tool.ts";

/** The tools that are listed by default: what an agent needs to find, read and write. */
const CORE: readonly Tool[] = [
  findItems,
  search.deepSearch,
  search.deepRead,
  search.deepExpand,
  reason,
  documents.listDocuments,
  documents.getDocument,
  documents.createDocument,
  editing.updateDocument,
  prompts.searchPrompts,
  prompts.readPrompt,
  pages.scrapeUrl,
];

/** Every tool: the default ones first, because clients may show or load only the first ones. */
export const TOOLS: readonly Tool[] = [
  ...CORE,
  getUserInfo,
  prompts.createPrompt,
  prompts.updatePrompt,
  prompts.deletePrompt,
  prompts.getPromptVersions,
  prompts.restorePromptVersion,
  collections.listCollections,
  collections.getCollection,
  collections.createCollection,
  collections.updateCollection,
  collections.deleteCollection,
  collections.addToCollection,
  collections.removeFromCollection,
  documents.deleteDocument,
  documents.getDocumentVersions,
  editing.restoreDocumentVersion,
  editing.appendToDocument,
  recentChanges,
  leaseDocument,
  pages.refreshDocument,
];

/** Which tools a client wants, as `--tools` and `--read-only` or as the query of `/mcp` name them. */
export interface Selection {
  /** `all`, `core`, and names of tools, separated by commas. */
  tools: string;
  isReadOnly: boolean;
}

export const DEFAULT_SELECTION: Selection = { tools: "core", isReadOnly: false };

/** The selected tools. Throws `bad-request` for an unknown name. */
export function selectTools({ tools, isReadOnly }: Selection): readonly Tool[] {
  const names = tools
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const known = new Set(["all", "core", ...TOOLS.map(({ name }) => name)]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined || names.length === 0) {
    throw badRequest({
      path: "tools",
      message: `unknown tool "${(unknown ?? "").slice(0, 100)}" (known: ${[...known].join(", ")})`,
    });
  }
  const isSelected = (tool: Tool) =>
    names.includes("all") || names.includes(tool.name) || (names.includes("core") && CORE.includes(tool));
  return TOOLS.filter((tool) => isSelected(tool) && (!isReadOnly || tool.behaviour.readOnly === true));
}

/** Whether a credential with these scopes may use a tool. */
export function isAllowed(
  tool: Tool,
  { scopes }: Pick<Identity, "scopes">,
  { requirementOf }: Pick<Operations, "requirementOf">,
): boolean {
  const requirement = requirementOf(tool.operation);
  return typeof requirement === "string" || requirement.anyOf.some((scope) => grants(scopes, scope));
}
