// Divides an export of Evernote (.enex) into its notes, and the files that they contain.
// http://xml.evernote.com/pub/evernote-export4.dtd

import { countLeftOut } from "../../../kernel/left-out.ts";
import { ExtractionError } from "../errors.ts";
import { elementAt, elementsIn, readXml, xmlText } from "../office/xml.ts";
import { decodeText } from "../shared/charset.ts";
import { escapeHtml } from "../shared/text.ts";
import { MAX_PARTS, namer, type Part, type UnpackedFile } from "./part.ts";

type IsKnown = (name: string) => boolean;

/** Divides an export. `isKnown` says which files are read. Throws ExtractionError if it is none. */
export async function unpackNotes(bytes: Uint8Array, isKnown: IsKnown): Promise<UnpackedFile> {
  const text = decodeText(bytes, "utf-8");
  if (!/<en-export[\s>]/.test(text.slice(0, 4_096)))
    throw new ExtractionError("NOT_TEXT", "the file is no export of Evernote");
  const nameOf = namer();
  const parts: Part[] = [];
  for (let start = text.indexOf("<note>"), end = start; start >= 0 && end >= 0; ) {
    end = text.indexOf("</note>", start);
    parts.push(...notesOf(text.slice(start, end < 0 ? undefined : end + 7), { nameOf, isKnown }));
    start = text.indexOf("<note>", end);
    if (parts.length > MAX_PARTS)
      throw new ExtractionError("TOO_LARGE", `the export has more than ${MAX_PARTS} notes and files`);
  }
  return { parts, others: [] };
}

interface Context {
  nameOf: ReturnType<typeof namer>;
  isKnown: IsKnown;
}

/** One note as a page of HTML, and its files of known kinds. */
function notesOf(xml: string, { nameOf, isKnown }: Context): Part[] {
  const leftOut = countLeftOut();
  const note = readXml(xml);
  const textAt = (...path: string[]) => {
    const element = elementAt(note, ...path);
    return element ? xmlText(element).trim() : "";
  };
  const title = textAt("title");
  const created = textAt("created");
  const tags = elementsIn(note, "tag").map((tag) => xmlText(tag).trim());
  const content = textAt("content");
  leftOut.add("encrypted", content.match(/<en-crypt[\s>]/g)?.length ?? 0);
  const path = nameOf(title, `${created} ${title}`, "html");
  const head = `<title>${escapeHtml(title)}</title>`;
  const html = `<!doctype html><html><head><meta charset="utf-8">${head}</head><body>${bodyOf(content)}</body></html>`;
  const page: Part = { path, body: new TextEncoder().encode(html), tags };
  const parts = [page];
  for (const resource of elementsIn(note, "resource")) {
    const nameElement = elementAt(resource, "resource-attributes", "file-name");
    const name = nameElement ? xmlText(nameElement).trim() : "";
    const data = elementAt(resource, "data");
    if (data && isKnown(name)) {
      const body = Buffer.from(xmlText(data), "base64");
      const [, base = "", ending = ""] = /^(.*)\.([^.]+)$/.exec(name) ?? [];
      parts.push({ path: nameOf(base, `${path} ${name}`, ending), body, tags });
    } else {
      const type = elementAt(resource, "mime");
      leftOut.add(type && xmlText(type).startsWith("image/") ? "image" : "attachment");
    }
  }
  page.leftOut = leftOut.all();
  return parts;
}

/** The content of a note as HTML: boxes of tasks are check boxes. */
function bodyOf(content: string): string {
  const start = /<en-note[^<>]*>/.exec(content);
  const end = content.lastIndexOf("</en-note>");
  if (!start) return "";
  return content
    .slice(start.index + start[0].length, end < 0 ? undefined : end)
    .replace(/<en-todo([^<>]*)>/g, (_all, attributes: string) =>
      /checked\s*=\s*"true"/.test(attributes) ? '<input type="checkbox" checked>' : '<input type="checkbox">',
    )
    .replace(/<\/en-todo>|<en-media[^<>]*>|<\/en-media>/g, "")
    .replace(/<en-crypt[\s\S]*?(?:<\/en-crypt>|$)/g, "");
}
