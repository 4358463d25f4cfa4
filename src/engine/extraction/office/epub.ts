// Reads an e-book (.epub): the texts of its spine, one after another. https://www.w3.org/TR/epub-33/

import { posix } from "node:path";
import { countLeftOut } from "../../../kernel/left-out.ts";
import { ExtractionError } from "../errors.ts";
import { openArchive } from "./archive.ts";
import type { FileContents } from "./contents.ts";
import { bodyOf, pageOf } from "./html.ts";
import { openPackage } from "./package.ts";
import { elementAt, elementsBelow, elementsIn, type XmlElement, xmlText } from "./xml.ts";

const CONTAINER = "META-INF/container.xml";

/** Reads a book. Throws an Error if it is damaged, ExtractionError if it is encrypted or too large. */
export async function readEpub(bytes: Uint8Array): Promise<FileContents> {
  const archive = await openArchive(bytes);
  const parts = openPackage(archive, CONTAINER);
  const leftOut = countLeftOut();
  const rootFile = elementsBelow(await parts.read(CONTAINER), "rootfile").next().value;
  const path = rootFile?.attributes["full-path"] ?? "";
  const book = await parts.read(path);
  const folder = posix.dirname(path);
  const items = new Map(
    [...elementsBelow(book, "item", "opf:item")].map(({ attributes }) => [attributes.id ?? "", attributes]),
  );
  const chapters: string[] = [];
  const seen = new Set<string>();
  for (const { attributes } of elementsBelow(book, "itemref", "opf:itemref")) {
    const item = items.get(attributes.idref ?? "");
    if (!item || /(?:^|\s)nav(?:\s|$)/.test(item.properties ?? "")) continue;
    const name = posix.join(folder, decoded(item.href ?? ""));
    if (seen.has(name)) continue;
    seen.add(name);
    if (!archive.has(name)) {
      leftOut.add("unreadable-part");
      continue;
    }
    const page = new TextDecoder().decode(await archive.read(name));
    leftOut.add("image", [...page.matchAll(/<(?:img|image)\s/gi)].length);
    chapters.push(bodyOf(page));
  }
  if (archive.has("META-INF/encryption.xml") && chapters.every((chapter) => !/<p[\s>]/i.test(chapter)))
    throw new ExtractionError("NOT_TEXT", "the book is protected against reading");
  const metadata = elementAt(book, "metadata") ?? elementAt(book, "opf:metadata");
  const author = textOf(metadata, "dc:creator");
  const title = textOf(metadata, "dc:title");
  return {
    title,
    html: pageOf(chapters.join("\n"), title),
    metadata: { ...(author !== "" && { byline: author }) },
    leftOut: leftOut.all(),
  };
}

const textOf = (metadata: XmlElement | undefined, name: string): string =>
  (metadata ? elementsIn(metadata, name) : [])
    .map((one) => xmlText(one).trim())
    .find((text) => text !== "") ?? "";

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
