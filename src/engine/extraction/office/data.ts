// Reads data files (JSON, YAML, TOML) as they are, as one code block: their values are found by search.

import { decodeText } from "../shared/charset.ts";
import type { FileContents } from "./contents.ts";
import { fenceOf } from "./html.ts";

/** The whole text with the language of the file's ending. */
export async function readData(bytes: Uint8Array, ending: string): Promise<FileContents> {
  const text = decodeText(bytes, "").replace(/^\ufeff/, "");
  const language = ending === "yml" ? "yaml" : ending;
  return {
    title: "",
    markdown: text.trim() === "" ? "" : fenceOf(text, language),
    metadata: {},
    leftOut: [],
  };
}
