// Group extraction: quality of the extracted text and structure on annotated pages, compared with the text that
// Readability and linkedom extract in the same run. Pages are passed to extractPage one by one.

import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { type ExtractedPage, extractPage } from "../../src/engine/extraction/extract.ts";
import type { Bench } from "./bench.ts";
import { type GoldPage, readArticles, readTypedPages, type TypedPage } from "./extraction-pages.ts";
import {
  f1,
  holds,
  itemF1,
  type Overlap,
  type Structure,
  shingleOverlap,
  structureOf,
  textOf,
  wordF1,
} from "./extraction-scores.ts";
import { type Finding, mean, median, percentile } from "./measures.ts";

const BASELINE = "Readability and linkedom, text";

interface Read<Page> {
  page: Page;
  markdown: string;
  text: string;
  /** Text of the baseline. */
  plain: string;
  ms: number;
}

/** Yields text, snippets, structure and time. */
export async function* extraction(bench: Bench): AsyncGenerator<Finding> {
  const articles = readArticles();
  const typed = readTypedPages();
  bench.note(`extraction: reading ${articles.length} articles and ${typed.length} pages of seven kinds`);
  const readA = articles.map(read);
  const readB = typed.map(read);
  yield* articleText(readA);
  yield* typedText(readB);
  yield* snippets(readB);
  yield* structure(readB);
  const times = [...readA, ...readB].map(({ ms }) => ms);
  yield { measure: "time per page, p50", value: median(times), unit: "ms" };
  yield { measure: "time per page, p95", value: percentile(times, 0.95), unit: "ms" };
  yield { measure: "slowest page", value: Math.max(...times), unit: "ms" };
}

function read<Page extends GoldPage>(page: Page): Read<Page> {
  const startedAt = performance.now();
  const { markdown } = extracted(page);
  const ms = performance.now() - startedAt;
  return { page, markdown, text: textOf(markdown), plain: readAlone(page.html), ms };
}

function extracted({ html, url }: GoldPage): Pick<ExtractedPage, "markdown"> {
  return extractPage({ body: html, contentType: "text/html; charset=utf-8", url, onlyMainContent: true });
}

/** The text of the baseline; empty if it throws. */
function readAlone(html: Uint8Array): string {
  const { document } = parseHTML(new TextDecoder().decode(html));
  try {
    return new Readability(document).parse()?.textContent ?? "";
  } catch {
    return "";
  }
}

function* articleText(pages: Read<GoldPage>[]): Generator<Finding> {
  const score = (text: (page: Read<GoldPage>) => string): Overlap => {
    const overlaps = pages.map((one) => shingleOverlap(text(one), one.page.text));
    return {
      precision: mean(overlaps.map(({ precision }) => precision)),
      recall: mean(overlaps.map(({ recall }) => recall)),
    };
  };
  const ours = score(({ text }) => text);
  const plain = score((one) => one.plain);
  const values = { F1: f1, precision: (of: Overlap) => of.precision, recall: (of: Overlap) => of.recall };
  for (const [name, value] of Object.entries(values)) {
    yield {
      measure: `AEB: ${name} of 4-gram shingles, ${pages.length} articles`,
      value: value(ours),
      unit: "",
      baseline: { name: BASELINE, value: value(plain) },
    };
  }
}

function* typedText(pages: Read<TypedPage>[]): Generator<Finding> {
  const finding = (name: string, some: Read<TypedPage>[]): Finding => ({
    measure: `WCXB dev: F1 of words, ${name} (${some.length})`,
    value: mean(some.map(({ text, page }) => wordF1(text, page.text))),
    unit: "",
    baseline: { name: BASELINE, value: mean(some.map(({ plain, page }) => wordF1(plain, page.text))) },
  });
  yield finding("all", pages);
  const types = [...new Set(pages.map(({ page }) => page.type))].sort();
  for (const type of types) {
    yield finding(
      type,
      pages.filter(({ page }) => page.type === type),
    );
  }
}

function* snippets(pages: Read<TypedPage>[]): Generator<Finding> {
  for (const [measure, of] of [
    ["required snippets that are present", (page: TypedPage) => page.required],
    ["unwanted snippets that are present", (page: TypedPage) => page.unwanted],
  ] as const) {
    const share = (text: (page: Read<TypedPage>) => string) => {
      const results = pages.flatMap((one) => of(one.page).map((snippet) => holds(text(one), snippet)));
      const judged = results.filter((result) => result !== null);
      return (100 * judged.filter((result) => result).length) / judged.length;
    };
    const value = share(({ text }) => text);
    const baseline = { name: BASELINE, value: share(({ plain }) => plain) };
    yield { measure: `WCXB dev: ${measure}`, value, unit: "%", baseline };
  }
}

/** Only pages whose annotation has the kind of element: in the others it may have been omitted. */
function* structure(pages: Read<TypedPage>[]): Generator<Finding> {
  const pairs = pages.flatMap(({ markdown, page }) =>
    page.markdown === null ? [] : [{ ours: structureOf(markdown), gold: structureOf(page.markdown) }],
  );
  const kinds: [string, (of: Structure) => string[]][] = [
    ["headings with their level", ({ headings }) => headings],
    ["code blocks", ({ fences }) => fences.map(({ code }) => code)],
    ["table rows", ({ rows }) => rows],
    ["list items", ({ items }) => items],
  ];
  for (const [name, of] of kinds) {
    const judged = pairs.filter(({ gold }) => of(gold).length > 0);
    yield {
      measure: `WCXB dev: F1 of ${name}, ${judged.length} pages`,
      value: mean(judged.map(({ ours, gold }) => itemF1(of(ours), of(gold)))),
      unit: "",
    };
  }
  const same = pairs.flatMap(({ ours, gold }) => {
    const languages = new Map(ours.fences.map(({ code, language }) => [code, language]));
    const named = gold.fences.filter(({ code, language }) => language !== "" && languages.has(code));
    return named.map(({ code, language }) => languages.get(code) === language);
  });
  yield {
    measure: `WCXB dev: correct language, of ${same.length} code blocks in both`,
    value: (100 * same.filter((is) => is).length) / same.length,
    unit: "%",
  };
}
