// The API of the language worker: the detector with its table of n-grams, about 40 MB, which only texts need whose
// language is not plain.

import { eld } from "eld/extrasmall";
import type { WorkerApi } from "../../workers/rpc.ts";
import type { Language } from "./words.ts";

export interface LanguageApi extends WorkerApi {
  /** The language of each text, in less than a millisecond each. */
  detect(input: { texts: readonly string[] }): Language[];
}

/** The functions of the worker. */
export function serveLanguage(): LanguageApi {
  return { detect: ({ texts }) => texts.map(detect) };
}

function detect(text: string): Language {
  // The table has composed letters only.
  const found = eld.detect(text.normalize("NFC"));
  if (!found.isReliable()) return "unknown";
  return found.language === "en" ? "english" : "other";
}
