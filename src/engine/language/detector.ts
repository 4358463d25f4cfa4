// Finds the language of a text. English texts mostly show it themselves; for the others, a worker runs a detector until
// it has had no work for two minutes.

import { type Clock, systemClock } from "../../kernel/clock.ts";
import { superviseWorker } from "../../workers/supervisor.ts";
import { ENGLISH, type Language, languageOfScript, OTHER, plainLanguage, UNKNOWN } from "./words.ts";
import type { LanguageApi } from "./worker.ts";

export interface LanguageDetector {
  /** The language of a query; only what its script shows if the detector takes longer than a second. */
  ofQuery(text: string): Promise<Language>;
  /** The language of each passage of a document. One that is too short, or no prose, is in that of most others. */
  ofPassages(texts: readonly string[]): Promise<Language[]>;
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
const MAX_IDLE_MS = 120_000;
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
    const undecided = texts.filter((_, i) => needsDetector(plain[i]!));
    if (undecided.length === 0) return plain;
    isRunning = true;
    const codes = await worker.call.detect({ texts: undecided }).catch((): string[] => []);
    if (isRunning) endWhenIdle();
    return plain.map((one, i) =>
      needsDetector(one) ? codes.shift() || withoutDetector(one, texts[i]!) : one,
    );
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
      const [language] = (await inTime(detect([head]))) ?? [];
      return language ?? withoutDetector(plainLanguage(head), head);
    },
    async ofPassages(texts) {
      const heads = texts.map((text) => text.slice(0, PIECE_UNITS));
      const isTelling = heads.map(
        (head) => plainLanguage(head) === OTHER || (isProse(head) && saysLanguage(head)),
      );
      const found = (await detect(heads.filter((_, i) => isTelling[i]))).values();
      const languages = isTelling.map((one) => (one ? found.next().value! : UNKNOWN));
      const most = mostFrequent(languages.filter((language) => language !== UNKNOWN)) ?? UNKNOWN;
      return languages.map((language) => (language === UNKNOWN ? most : language));
    },
    async isOther(text) {
      const languages = await detect(piecesOf(text).filter(saysLanguage));
      const known = languages.filter((language) => language !== UNKNOWN);
      const other = known.filter((language) => language !== ENGLISH).length;
      return other > 0 && other >= MIN_OTHER_SHARE * known.length;
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

/** Texts in other scripts are not English, but only the detector knows their languages. */
const needsDetector = (plain: Language) => plain === "undecided" || plain === OTHER;
const withoutDetector = (plain: Language, text: string): Language =>
  plain === OTHER ? languageOfScript(text) : plain === "undecided" ? UNKNOWN : plain;

function mostFrequent(languages: readonly Language[]): Language | undefined {
  const counts = [...Map.groupBy(languages, (language) => language)].map(
    ([language, all]) => [language, all.length] as const,
  );
  return counts.sort((a, b) => b[1] - a[1])[0]?.[0];
}

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
