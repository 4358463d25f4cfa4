// The record that a file describes: front matter, title, tags, content and metadata, as the API accepts them. Must run
// in a browser, too.

import { headingText } from "../engine/chunking/heading.ts";
import { describeLeftOut, type LeftOut } from "../kernel/left-out.ts";
import { scanBlocks } from "../engine/markdown/blocks.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { Failure, messageOf } from "../kernel/errors.ts";
import { ID_PATTERN } from "../kernel/ids.ts";
import { importPathOf, withoutImportMembers } from "../kernel/import-members.ts";
import { LIMITS } from "../kernel/limits.ts";
import { normalizeTags, tagProblems } from "../kernel/tags.ts";
import { cutBytes, cutUnits } from "../kernel/text.ts";
import { EXPORT_FORMAT, type PartMember, partPath } from "./export-layout.ts";
import { typeOf } from "./file-types.ts";
import { readFrontMatter } from "./front-matter.ts";

export type RecordKind = "document" | "prompt";

/** The members of a record that import sets. Optional ones are set only if the file has them. */
interface RecordFields {
  title: string;
  content: string;
  tags: string[];
  metadata: Record<string, unknown>;
  sourceUrl?: string;
  contentHtml?: string;
  rawHtml?: string;
  description?: string;
  variables?: unknown[];
  parameters?: Record<string, unknown>;
  isPublic?: boolean;
}

export interface FileRecord {
  kind: RecordKind;
  fields: RecordFields;
  workspaceId?: string;
  /** The status of an exported document. */
  status?: "draft" | "published" | "archived";
  /** The source of an exported document; the others come from files. */
  sourceType?: "manual";
  /** The record that an exported file was written from, and when that had changed last (ISO 8601). */
  exported?: { id: string; updatedAt: string };
  /** What was left out or kept in another form, for people. */
  notes: string[];
  /** What the reader of the file left out. */
  leftOut: readonly LeftOut[];
}

/** The text of a file and what belongs to it. */
export interface FileText {
  /** The name of the file, without its folder. */
  name: string;
  text: string;
  /** What was read from an HTML, PDF or Word file; its Markdown is the content. */
  page?: { title: string; markdown: string; metadata: object; leftOut: readonly LeftOut[] };
  /** The text of a part of an exported record, by its path inside the exported folder. Throws if it cannot be read. */
  readPart(path: string): string | Promise<string>;
}

/** A longer heading is not read. */
const HEADING_UNITS = 64 * 1024;

/** Builds the record of a file; `addedTags` come after its own. */
export async function recordOf(file: FileText, addedTags: readonly string[]): Promise<FileRecord> {
  const { name, text, page } = file;
  if (page) {
    const fields: RecordFields = {
      ...named(page.title, name),
      content: page.markdown.toWellFormed(),
      metadata: { ...page.metadata },
      tags: normalizeTags(addedTags),
      rawHtml: text === "" ? undefined : text,
    };
    const { leftOut } = page;
    return { kind: "document", fields, notes: [describeLeftOut(leftOut) ?? []].flat(), leftOut };
  }
  if (typeOf(name) === "text") {
    const fields = { content: text, metadata: {}, tags: normalizeTags(addedTags), ...named("", name) };
    return { kind: "document", fields, notes: [], leftOut: [] };
  }
  const { members = {}, body, problem } = readFrontMatter(text);
  const notes = problem === undefined ? [] : [problem];
  if (members.ctxrepo === EXPORT_FORMAT) return exportedRecord(file, { members, body, addedTags });
  const { type, ...others } = members;
  const isPrompt = type === "prompt";
  const { taken, kept } = takeMembers(others, isPrompt ? PROMPT_FORMS : DOCUMENT_FORMS, notes);
  const fields: RecordFields = {
    ...named(textOf(taken.title) || leadingHeading(body), name),
    content: body,
    tags: tagsOf(taken.tags, addedTags, notes),
    metadata: withoutImportMembers(isPrompt || type === undefined ? kept : { type, ...kept }),
    ...(isPrompt && promptFields(taken)),
  };
  return { kind: isPrompt ? "prompt" : "document", fields, notes, leftOut: [] };
}

type Members = Record<string, unknown>;
/** What a member must be, for people, and whether a value is that. */
type Form = [what: string, fits: (value: unknown) => boolean];

const isText = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The members of front matter that are not metadata. */
const DOCUMENT_FORMS: Record<string, Form> = {
  title: ["text", isText],
  tags: ["text or a list", (value) => isText(value) || Array.isArray(value)],
};
const PROMPT_FORMS: Record<string, Form> = {
  ...DOCUMENT_FORMS,
  description: ["text", isText],
  variables: ["a list", Array.isArray],
  parameters: ["a mapping", isObject],
};

/**
 * Separates members from metadata. A member in another form is kept in the metadata, and noted; an empty one counts as
 * absent.
 */
function takeMembers(
  members: Members,
  forms: Record<string, Form>,
  notes: string[],
): { taken: Members; kept: Members } {
  const [taken, kept]: [Members, Members] = [{}, {}];
  for (const [name, value] of Object.entries(members)) {
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form && value === null) continue;
    if (form?.[1](value)) taken[name] = value;
    else kept[name] = value;
    if (form && name in kept) notes.push(`${name} is not ${form[0]}: it is kept in the metadata`);
  }
  return { taken, kept };
}

function promptFields({ description, variables, parameters }: Members) {
  return {
    description: textOf(description),
    variables: ((variables ?? []) as unknown[]).map(variableOf),
    parameters: (parameters ?? {}) as Members,
  };
}

/** A variable may be given by its name alone. */
const variableOf = (variable: unknown) =>
  typeof variable === "string" ? { name: variable, type: "string" } : variable;

interface Exported {
  members: Record<string, unknown>;
  body: string;
  addedTags: readonly string[];
}

/** The record of a file that `export` wrote: all its members are those of the record. */
async function exportedRecord(
  file: FileText,
  { members: front, body, addedTags }: Exported,
): Promise<FileRecord> {
  const notes: string[] = [];
  const members = { ...(await membersBeside(file, front)), ...front };
  const { id, updatedAt, sourceUrl, description, variables, parameters, isPublic, status, metadata } =
    members;
  if (metadata !== undefined && !isObject(metadata)) throw notOfExport("metadata is not a mapping");
  const isPrompt = members.type === "prompt";
  const fields: RecordFields = {
    title: textOf(members.title) || file.name,
    content: body,
    tags: tagsOf(members.tags, addedTags, notes),
    metadata: withoutImportMembers((metadata ?? {}) as Members),
    ...(isPrompt
      ? {
          description: textOf(description),
          variables: (variables ?? []) as unknown[],
          parameters: (parameters ?? {}) as Record<string, unknown>,
          isPublic: isPublic === true,
        }
      : {
          ...(sourceUrl !== undefined && { sourceUrl: textOf(sourceUrl) }),
          contentHtml: await partOf(file, members, "contentHtml"),
          rawHtml: await partOf(file, members, "rawHtml"),
        }),
  };
  return {
    kind: isPrompt ? "prompt" : "document",
    fields,
    workspaceId: typeof members.workspaceId === "string" ? members.workspaceId : undefined,
    sourceType: members.sourceType === "manual" ? "manual" : undefined,
    status: status === "draft" || status === "archived" ? status : undefined,
    ...(ID_PATTERN.test(textOf(id)) && { exported: { id: textOf(id), updatedAt: textOf(updatedAt) } }),
    notes,
    leftOut: [],
  };
}

const notOfExport = (message: string) => new Failure("unprocessable", message);

/** The text of the part that a member names; undefined without such a member. */
async function partOf(file: FileText, members: Members, member: PartMember): Promise<string | undefined> {
  const name = members[member];
  if (typeof name !== "string") return undefined;
  const path = partPath(member, name);
  try {
    return await file.readPart(path);
  } catch (error) {
    throw notOfExport(`${member}: ${path} ${messageOf(error)}`);
  }
}

/** Members that were too many for front matter. */
async function membersBeside(file: FileText, front: Members): Promise<Members> {
  const text = await partOf(file, front, "members");
  if (text === undefined) return {};
  try {
    const members: unknown = JSON.parse(text);
    if (isObject(members)) return members as Members;
  } catch {
    // As below.
  }
  throw notOfExport("members: is not a JSON object");
}

/**
 * The number of the rules by which a file becomes a record. Raise it when they change: the next import applies them to
 * files that did not change. 2: only a level-1 heading that comes first is the title. 3: numbers of front matter keep
 * their writing; equations, fields, forms and fonts of PDF and Word files are read.
 */
export const IMPORT_RULES = 3;

/** What import remembers of a file in the metadata of its record. */
export interface Bookkeeping {
  importPath: string;
  /** The folder that was named; absent if the file was. */
  importRoot?: string;
  /** Of the file's bytes: `sha256:` and the digest. */
  importHash: string;
  /** Digest of the record's members as import set them: a record with another one was edited since. */
  importState: string;
  /** IMPORT_RULES of that import. */
  importRules?: number;
  /** What the reader of the file left out; absent if that was nothing. */
  importNotes?: readonly LeftOut[];
}

/** What import remembered in this metadata; undefined if the record belongs to no file. */
export function bookkeepingOf(metadata: Record<string, unknown>): Bookkeeping | undefined {
  const importPath = importPathOf(metadata);
  if (importPath === undefined) return undefined;
  const { importRoot, importHash, importState, importRules } = metadata;
  return {
    importPath,
    ...(typeof importRoot === "string" && { importRoot }),
    importHash: textOf(importHash),
    importState: textOf(importState),
    ...(typeof importRules === "number" && { importRules }),
  };
}

/** A record as the API returns it, of either kind. A document may come without its content. */
export type StoredFields = Omit<RecordFields, "content"> & { content?: string; contentHash?: string };

/** Lower-case hex SHA-256 of a text in UTF-8. */
export type Digest = (text: string) => string | Promise<string>;

/** Digest of the members that both import and people change. Equal digests mean equal members. */
export async function stateOf(fields: StoredFields, digest: Digest): Promise<string> {
  const { title, content = "", tags, metadata, description, variables, parameters } = fields;
  const text = fields.contentHash ?? `sha256:${await digest(content)}`;
  const prompt = [description ?? "", variables ?? [], parameters ?? {}];
  const state = canonicalJson([title, text, tags, withoutImportMembers(metadata), prompt]);
  return (await digest(state)).slice(0, 32);
}

/** A title that the API accepts: the given one, or else the name of the file. */
function named(title: string, file: string): { title: string } {
  const text = title.replaceAll("\0", "").trim() || file.replace(/(?<=.)\.[^.]*$/s, "").trim() || file;
  return { title: cutBytes(text.toWellFormed(), LIMITS.title.bytes).trim() };
}

function textOf(value: unknown): string {
  return isText(value) ? String(value) : "";
}

/** Tags of front matter, a list or a text with commas; a leading `#` is dropped, as in Obsidian. */
function tagsOf(value: unknown, added: readonly string[], notes: string[]): string[] {
  const given = Array.isArray(value) ? value.filter((tag) => tag !== null) : textOf(value).split(",");
  const texts = given.filter(isText).map((tag) =>
    textOf(tag)
      .trim()
      .replace(/^#+(?=\S)/, ""),
  );
  const tags = texts.filter((tag) => tag !== "");
  const usable = tags.filter((tag) => tagProblems([tag], "tags").length === 0);
  const lost = given.length - texts.length + tags.length - usable.length;
  if (lost > 0) notes.push(lost === 1 ? "1 tag cannot be stored" : `${lost} tags cannot be stored`);
  return normalizeTags([...usable, ...added]);
}

/**
 * The text of a level-1 heading, in Markdown or HTML, that is the first block; "" otherwise. Blocks of badges are no
 * text.
 */
function leadingHeading(markdown: string): string {
  const start = cutUnits(markdown, HEADING_UNITS).replace(METADATA_BLOCK, "");
  let heading: string | undefined;
  scanBlocks(start, (block) => {
    const source = start.slice(block.start, block.end).replace(BADGE, "");
    if (heading !== undefined || source.trim() === "") return;
    heading = block.level === 1 ? source : (HTML_HEADING.exec(source)?.[1] ?? "");
  });
  const text = heading?.replace(/\n(?!=|-)/g, " ") ?? "";
  return headingText(text, { start: 0, end: text.length });
}

/** A block of members that is not the front matter: a second one, or one after blank lines. It is not a heading. */
const METADATA_BLOCK =
  /^\s*---[ \t]*(?:yaml)?[ \t]*\n(?:[\w-]+:.*\n|[ \t]+\S.*\n|-[ \t].*\n|#.*\n|\n)*---[ \t]*(?:\n|$)/;
/** An HTML block that starts with a heading, maybe inside of other elements. */
const HTML_HEADING = /^\s*(?:<(?!h1\b)[^<>]*>\s*)*<h1\b[^<>]*>([\s\S]*?)<\/h1>/i;
/** A picture that is a link. */
const BADGE =
  /\[!\[[^\]]{0,200}\](?:\([^()]{0,999}\)|\[[^\]]{0,200}\])\](?:\([^()]{0,999}\)|\[[^\]]{0,200}\])/g;
