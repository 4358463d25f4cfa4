// The record that a file describes: front matter, title, tags, content and metadata. The rules are those of `ctxrepo import`.

/** The members of a new record, and which kind it is. */
type CreateBody = {
  type: "document" | "prompt";
  title: string;
  content: string;
  tags: string[];
  metadata: Record<string, unknown>;
} & Record<string, unknown>;

/** A Markdown file split into front matter and body. */
interface MarkdownFile {
  members: Record<string, unknown>;
  body: string;
}

const MAX_TITLE_BYTES = 512;
const MAX_ALIASES = 100;

/** The record of a Markdown or text file. */
export async function recordOf(
  path: string,
  text: string,
  addedTags: readonly string[],
): Promise<CreateBody> {
  if (/\.txt$/i.test(path)) {
    return { type: "document", title: titleOf("", path), content: text, tags: [...addedTags], metadata: {} };
  }
  const { members, body } = await readFrontMatter(text);
  const { title, tags, type, ...others } = members;
  const common = {
    title: titleOf(textOf(title) || firstHeading(body), path),
    content: body,
    tags: tagsOf(tags, addedTags),
  };
  if (type !== "prompt") {
    return { type: "document", ...common, metadata: type === undefined ? others : { type, ...others } };
  }
  const { description, variables, parameters, ...metadata } = others;
  return {
    type: "prompt",
    ...common,
    metadata,
    description: textOf(description),
    variables: (Array.isArray(variables) ? variables : []).map((variable) =>
      typeof variable === "string" ? { name: variable, type: "string" } : variable,
    ),
    parameters: isObject(parameters) ? parameters : {},
  };
}

/** The record of a web page that was read as Markdown. */
export function recordOfPage(
  path: string,
  page: { title: string; markdown: string; html: string },
  addedTags: readonly string[],
): CreateBody {
  return {
    type: "document",
    title: titleOf(page.title, path),
    content: page.markdown,
    rawHtml: page.html,
    tags: [...addedTags],
    metadata: {},
  };
}

async function readFrontMatter(text: string): Promise<MarkdownFile> {
  const [, yaml] = /^---[ \t]*\r?\n(?![ \t]*\r?\n)([\s\S]*?\r?\n)---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const whole = { members: {}, body: text };
  if (yaml === undefined) return whole;
  const { parseDocument } = await import("yaml");
  try {
    const document = parseDocument(yaml, { schema: "core", logLevel: "silent" });
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES }) ?? {};
    if (document.errors.length > 0 || !isObject(value)) return whole;
    const [fenced = ""] = /^---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
    return { members: JSON.parse(JSON.stringify(value)), body: text.slice(fenced.length) };
  } catch {
    return whole;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown) =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : "";

function tagsOf(value: unknown, added: readonly string[]): string[] {
  const given = Array.isArray(value) ? value.map(textOf) : textOf(value).split(",");
  const tags = given.map((tag) => tag.trim().replace(/^#+(?=\S)/, ""));
  return [...new Set([...tags.filter((tag) => tag !== "" && !tag.includes(",")), ...added])];
}

/** A title that fits: the given one, or else the name of the file. */
function titleOf(given: string, path: string): string {
  const name = path.split("/").at(-1) ?? path;
  let title = given.replaceAll("\0", "").trim() || name.replace(/\.[^.]+$/, "");
  while (new TextEncoder().encode(title).length > MAX_TITLE_BYTES) title = title.slice(0, -1);
  return title;
}

/** The text of the first heading outside of code; "" if there is none. */
function firstHeading(markdown: string): string {
  const withoutCode = markdown.slice(0, 64 * 1024).replace(/^(```|~~~)[\s\S]*?^\1/gm, "");
  const [, atx, setext] =
    /^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$|^(\S.*)\r?\n(?:=+|-+)[ \t]*$/m.exec(withoutCode) ?? [];
  return (atx ?? setext ?? "").replace(/[*_`]/g, "").trim();
}
