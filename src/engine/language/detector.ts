// Says whether a text is English. Most texts show it themselves; for the others, a worker runs a detector until it has
// had no work for ten minutes.

import { type Clock, systemClock } from "../../kernel/clock.ts";
import { superviseWorker } from "../../workers/supervisor.ts";
import { type Language, plainLanguage } from "./words.ts";
import type { LanguageApi } from "./worker.ts";

export interface LanguageDetector {
  /** The language of a query. `unknown` also if the detector cannot be used, or takes longer than a second. */
  ofQuery(text: string): Promise<Language>;
  /** The ISO 639-1 code of the language of a query; undefined under the same conditions. */
  codeOf(text: string): Promise<string | undefined>;
  /** Whether a part of a document is in another language than English. */
  isOther(text: string): Promise<boolean>;
  /** Starts the worker before a query needs it. */
  start(): void;
  close(): Promise<void>;
}

/** Only the start of a query is read. */
const MAX_QUERY_UNITS = 1_000;
/** Parts of a document that are read, and their lengths. */
const MAX_PIECES = 24;
const PIECE_UNITS = 600;
/** Pieces in another language, of those that are in any: a title or a quotation in it does not count. */
const MIN_OTHER_SHARE = 0.1;
const MAX_IDLE_MS = 600_000;
/** How long a query waits for the detector, which takes 0.3 s to start and no time afterwards. */
const MAX_WAIT_MS = 1_000;

/** A detector whose worker starts with the first text that needs it. */
export function openLanguageDetector(clock: Clock = systemClock): LanguageDetector {
  const worker = superviseWorker<LanguageApi>({ role: "language" });
  let isRunning = false;
  let timer: AbortController | undefined;

  const endWhenIdle = () => {
    timer?.abort();
    timer = new AbortController();
    clock.sleep(MAX_IDLE_MS, timer.signal).then(
      () => {
        isRunning = false;
        worker.replace();
      },
      () => {},
    );
  };
  const detect = async (texts: readonly string[]): Promise<Language[]> => {
    const plain = texts.map(plainLanguage);
    const undecided = texts.filter((_, i) => plain[i] === "undecided");
    if (undecided.length === 0) return plain as Language[];
    isRunning = true;
    const codes = await codesOf(undecided);
    return plain.map((one) => (one === "undecided" ? languageOf(codes.shift()) : one));
  };
  const codesOf = async (texts: readonly string[]): Promise<string[]> => {
    isRunning = true;
    const codes = await worker.call.detect({ texts }).catch((): string[] => []);
    if (isRunning) endWhenIdle();
    return codes;
  };
  /** What is found of a query, unless that takes too long. */
  const inTime = async <Found>(found: Promise<Found>): Promise<Found | undefined> => {
    const patience = new AbortController();
    const late = clock.sleep(MAX_WAIT_MS, patience.signal).catch(() => {});
    const first = await Promise.race([found, late]);
    patience.abort();
    return first as Found | undefined;
  };
  return {
    async ofQuery(text) {
      const head = text.slice(0, MAX_QUERY_UNITS);
      const plain = plainLanguage(head);
      if (plain !== "undecided") return plain;
      const [language = "unknown"] = (await inTime(detect([head]))) ?? [];
      return language;
    },
    async codeOf(text) {
      const head = text.slice(0, MAX_QUERY_UNITS);
      const plain = plainLanguage(head);
      if (plain === "english") return "en";
      if (plain === "unknown") return undefined;
      const [code = ""] = (await inTime(codesOf([head]))) ?? [];
      return code === "" ? undefined : code;
    },
    async isOther(text) {
      const languages = await detect(piecesOf(text).filter(saysLanguage));
      const other = languages.filter((language) => language === "other").length;
      const known = languages.filter((language) => language !== "unknown").length;
      return other > 0 && other >= MIN_OTHER_SHARE * known;
    },
    start() {
      worker.start();
      isRunning = true;
      endWhenIdle();
    },
    async close() {
      timer?.abort();
      isRunning = false;
      await worker.close();
    },
  };
}

const languageOf = (code: string | undefined): Language =>
  code === "en" ? "english" : code ? "other" : "unknown";

/** Pieces of a text, evenly distributed, that are prose rather than code or data. */
function piecesOf(text: string): string[] {
  const count = Math.min(MAX_PIECES, Math.ceil(text.length / PIECE_UNITS));
  const step = Math.floor(text.length / Math.max(1, count));
  return Array.from({ length: count }, (_, i) => text.slice(i * step, i * step + PIECE_UNITS)).filter(
    isProse,
  );
}

/** A shorter piece in Latin letters does not make a store multilingual: the detector takes `a noise` for French. */
const MIN_PIECE_WORDS = 5;
const MIN_PIECE_LETTERS = 25;

function saysLanguage(text: string): boolean {
  if (plainLanguage(text) !== "undecided") return true;
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.length >= MIN_PIECE_WORDS && words.join("").length >= MIN_PIECE_LETTERS;
}

/** Letters and spaces are at least this share of prose; code and tables of numbers have fewer. */
const MIN_PROSE_SHARE = 0.85;

function isProse(text: string): boolean {
  const prose = text.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0;
  return prose >= MIN_PROSE_SHARE * [...text].length;
}
