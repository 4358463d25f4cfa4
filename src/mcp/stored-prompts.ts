// Stored prompts as prompts of MCP: each has a readable name, and its ${name} placeholders are the arguments.

import { hasScope } from "../auth/identity.ts";
import { LIMITS } from "../kernel/limits.ts";
import { request } from "./resources.ts";
import { McpFailure, type McpSession } from "./session.ts";
import { slugOf } from "./slug.ts";
import { promptsEndingWith, promptTemplate } from "./store.ts";
import { oneLine } from "./tools/markdown.ts";

const PAGE = 50;
const MAX_ARGUMENTS = 100;
/** Characters of the id in a name. Ids end in random characters, so names are unique in practice. */
const ENDING = 6;
/** The filled-in text; a template that names an argument often could otherwise become arbitrarily long. */
const MAX_FILLED_CHARACTERS = 4 * 1024 ** 2;

const PLACEHOLDER = /\$\{\s*([\p{L}_][\p{L}\p{N}_.-]{0,99})\s*\}/gu;
const NAME = /^(?:.*-)?([0-9A-Za-z]{6})$/s;
const ID = /^[0-9A-Za-z]{27}$/;

/** The name of a prompt: its title in lower case with hyphens, and the end of its id. */
function nameOf({ id, title }: { id: string; title: string }): string {
  return slugOf(title) + id.slice(-ENDING);
}

/** The names of the placeholders of a template, each once, in order. */
function placeholdersOf(content: string): string[] {
  const names = new Set<string>();
  for (const [, name] of content.matchAll(PLACEHOLDER)) {
    names.add(name!);
    if (names.size >= MAX_ARGUMENTS) break;
  }
  return [...names];
}

/**
 * A page of the caller's prompts, newest first; none for a credential that must not read them, as in the other lists.
 */
export async function listPrompts(session: McpSession, cursor: string | undefined) {
  if (!hasScope(session.caller, "prompts.read")) return { prompts: [] };
  const { data, pagination } = await request(session, "prompts.list", { query: { limit: PAGE, cursor } });
  return {
    prompts: data.map((row: { id: string; title: string; description: string }) => {
      const { content, variables } = promptTemplate(session.store, row.id) ?? { content: "", variables: [] };
      const described = new Map(variables.map((variable) => [variable.name, variable.description]));
      return {
        name: nameOf(row),
        title: oneLine(row.title),
        description: oneLine(row.description || row.title, 500),
        arguments: placeholdersOf(content).map((name) => ({
          name,
          ...(described.get(name) && { description: oneLine(described.get(name)!) }),
          required: described.has(name),
        })),
      };
    }),
    ...(pagination.hasMore && { nextCursor: pagination.cursor }),
  };
}

/** A prompt with its placeholders filled in. Those without an argument stay as they are. Throws McpFailure. */
export async function getPrompt(
  session: McpSession,
  { name, given }: { name: string; given: Record<string, string> },
) {
  const { data } = await request(session, "prompts.get", { id: idOf(session, name) });
  const text = filled(data.content, given);
  return {
    description: oneLine(data.description || data.title, 500),
    messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
  };
}

function idOf({ store, caller }: McpSession, name: string): string {
  if (ID.test(name)) return name;
  const [, ending] = NAME.exec(name) ?? [];
  const candidates = ending === undefined ? [] : promptsEndingWith(store, caller.userId, ending);
  // The title may have changed since the name was listed.
  const found = candidates.find((row) => nameOf(row) === name) ?? candidates[0];
  if (found === undefined) {
    throw new McpFailure("invalid-params", `there is no prompt ${oneLine(name)}: list the prompts again`);
  }
  return found.id;
}

function filled(content: string, given: Record<string, string>): string {
  let length = content.length;
  for (const [, name] of content.matchAll(PLACEHOLDER)) {
    if (Object.hasOwn(given, name!)) length += given[name!]!.length;
  }
  if (length > MAX_FILLED_CHARACTERS + LIMITS.prompt.contentBytes) {
    throw new McpFailure("invalid-params", "the arguments make the prompt too long");
  }
  return content.replace(PLACEHOLDER, (placeholder, name: string) =>
    Object.hasOwn(given, name) ? given[name]! : placeholder,
  );
}
