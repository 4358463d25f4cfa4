// The annotated pages beside the repository: articles with their text, and pages of seven kinds with text, snippets and
// Markdown. Read only.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "bun";
import { Missing } from "./bench.ts";

const DATA = join(import.meta.dir, "..", "..", "..", "shared", "data", "extraction");

export interface GoldPage {
  html: Uint8Array;
  url: string;
  /** The main content as text. */
  text: string;
}

export interface TypedPage extends GoldPage {
  type: string;
  /** Snippets that must be in the result. */
  required: string[];
  /** Snippets that must not be in the result. */
  unwanted: string[];
  /** The main content as Markdown; null if the annotation has none. */
  markdown: string | null;
}

/** scrapinghub/article-extraction-benchmark. Throws Missing if it does not exist. */
export function readArticles(): GoldPage[] {
  const folder = folderOf("aeb");
  const truth = JSON.parse(readFileSync(join(folder, "ground-truth.json"), "utf8")) as Record<
    string,
    { url: string; articleBody: string }
  >;
  return Object.entries(truth).map(([id, { url, articleBody }]) => ({
    html: unpack(folder, id),
    url,
    text: articleBody,
  }));
}

/** The sample of WCXB's dev split. Throws Missing if it does not exist. */
export function readTypedPages(): TypedPage[] {
  const folder = folderOf("wcxb-dev");
  return readdirSync(join(folder, "gold"))
    .sort()
    .map((file) => {
      const gold = JSON.parse(readFileSync(join(folder, "gold", file), "utf8"));
      const truth = gold.ground_truth as Record<string, unknown>;
      const list = (value: unknown) => (Array.isArray(value) ? (value as string[]) : []);
      return {
        html: unpack(folder, file.replace(".json", "")),
        url: (gold.url as string) || "https://page.invalid/",
        text: (truth.main_content as string | null) ?? "",
        type: gold._internal.page_type.primary as string,
        required: list(truth.with),
        unwanted: list(truth.without),
        markdown: (truth.main_content_markdown as string | null | undefined) ?? null,
      };
    });
}

function folderOf(name: string): string {
  const folder = join(DATA, name);
  if (!existsSync(folder)) throw new Missing(`the pages ${folder} do not exist`);
  return folder;
}

function unpack(folder: string, id: string): Uint8Array {
  return gunzipSync(readFileSync(join(folder, "html", `${id}.html.gz`)));
}
