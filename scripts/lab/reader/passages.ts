// Splits the documents of documents.jsonl.gz into passages and paragraphs as the product reads them, for train.py:
//
//     cd scripts/lab/reader && bun passages.ts > documents-read.jsonl
//
// Prints one line of JSON for each question: the question as it is read with each text, the texts, and the indexes of those that
// answer it, for passages and for paragraphs.

import { join } from "node:path";
import { indexedPassages } from "../../../src/engine/answers/3-rank/features.ts";
import type { Evidence } from "../../../src/engine/answers/2-passages/passages.ts";
import { textOf } from "../../../src/engine/answers/4-read.ts";
import { headingStates } from "../../../src/engine/chunking/statements.ts";
import { chunkMarkdown } from "../../../src/engine/chunking/tree.ts";
import { continuesTable } from "../../../src/engine/markdown/introduction.ts";
import { pairOf, textOfParagraph } from "./pair.ts";

/**
 * A document with questions; `quotes` are words copied from each of its lines that answers, none if it does not answer.
 */
interface Document {
  text: string;
  questions: { question: string; quotes: string[] }[];
}

/** All paragraphs of a document. */
function evidenceOf(text: string): Evidence[] {
  const title = text.split("\n", 1)[0]!.replace(/^#+\s*/, "");
  const chunks = chunkMarkdown(text);
  const textAt = ({ startIndex, endIndex }: (typeof chunks)[number]) => text.slice(startIndex, endIndex);
  const stated = new Set<string>();
  return chunks.flatMap((chunk, i) => {
    if (chunk.level !== "paragraph") return [];
    const own = textAt(chunk);
    const isBefore = (one: (typeof chunks)[number]) =>
      one.parent === chunk.parent && !(continuesTable(own) && continuesTable(textAt(one)));
    const before = chunks.slice(0, i).findLast(isBefore);
    const heading = chunk.sectionPath.findLast((one) => headingStates(one) && !stated.has(one));
    if (heading !== undefined) stated.add(heading);
    return {
      id: `${i}`,
      documentId: "",
      title,
      path: chunk.sectionPath,
      index: 0,
      text: own,
      opening: "",
      ...(before && { before: textAt(before) }),
      ...(heading !== undefined && { heading: { text: heading, id: "" } }),
    };
  });
}

const words = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;

/** Whether a text contains the words of a quote; those of a row in any order, because headers are between them. */
function contains(text: string, quote: string, isRow: boolean): boolean {
  const all = words(text);
  const quoted = words(quote);
  return (
    all.includes(quoted) ||
    (isRow &&
      quoted
        .trim()
        .split(" ")
        .every((word) => all.includes(` ${word} `)))
  );
}

function* questionsOf({ text, questions }: Document) {
  const evidence = evidenceOf(text);
  const passages = indexedPassages(evidence);
  const texts = passages.map((passage) => textOf(passage, evidence[passage.chunk]!));
  const paragraphs = evidence.map(textOfParagraph);
  for (const { question, quotes } of questions) {
    const answers = quotes.map((quote) => {
      const hits = passages.flatMap(({ plain }, i) => (contains(plain, quote, false) ? i : []));
      return hits.length > 0
        ? hits
        : passages.flatMap(({ plain, kind }, i) => (contains(plain, quote, kind === "row") ? i : []));
    });
    // A quote that no passage contains, or many do, tells nothing.
    if (answers.some(({ length }) => length === 0 || length > 3)) continue;
    const right = [...new Set(answers.flat())];
    yield {
      passages: texts.map((text) => pairOf(question, text)),
      answeredBy: right,
      paragraphs: paragraphs.map((text) => pairOf(question, text)),
      answeredIn: [...new Set(right.map((i) => passages[i]!.chunk))],
    };
  }
}

const file = await Bun.file(join(import.meta.dir, "documents.jsonl.gz")).bytes();
for (const line of new TextDecoder().decode(Bun.gunzipSync(file)).trim().split("\n"))
  for (const question of questionsOf(JSON.parse(line) as Document)) console.log(JSON.stringify(question));
