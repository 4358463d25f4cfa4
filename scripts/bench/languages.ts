// Group languages: questions in six languages about short paragraphs in the same and in other languages, of which each
// answers one; see languages/. Compared with the English model alone. Uses the API of real servers, with one user for
// each language.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, inLanes } from "./bench.ts";
import { startChild } from "./child-server.ts";
import type { Collection } from "./collections.ts";
import { type Finding, mean } from "./measures.ts";
import { ndcg } from "./ranking.ts";
import { type StoredCollection, storeCollection } from "./stored-collections.ts";

const LANGUAGES = ["en", "de", "es", "ru", "zh", "tr"] as const;
type Language = (typeof LANGUAGES)[number];
const LANES = 3;
const DEPTH = 10;

/** What one question found in one language's paragraphs. */
interface Found {
  asked: Language;
  read: Language;
  ndcg: number;
  /** Whether the right paragraph passes the default threshold, and how many paragraphs do. */
  passes: boolean;
  passing: number;
}

/** Yields nDCG@10 and what passes the default threshold: in the same language, across languages, and for each. */
export async function* languages(bench: Bench): AsyncGenerator<Finding> {
  const both = await searched(bench, "all");
  const english = await searched(bench, "english");
  const name = "English model alone";
  const compared = (measure: string, unit: string, of: (found: Found[]) => number): Finding => ({
    measure,
    unit,
    value: of(both),
    baseline: { name, value: of(english) },
  });
  const among = (isWanted: (found: Found) => boolean, of: (found: Found) => number) => (all: Found[]) =>
    mean(all.filter(isWanted).map(of));
  const isSame = ({ asked, read }: Found) => asked === read;
  const quality = ({ ndcg: value }: Found) => value;
  const passes = ({ passes: value }: Found) => 100 * Number(value);
  for (const language of LANGUAGES) {
    const isOwn = (found: Found) => isSame(found) && found.read === language;
    yield compared(`nDCG@10 in ${language}`, "", among(isOwn, quality));
    yield compared(`right hits above the threshold in ${language}`, "%", among(isOwn, passes));
  }
  for (const language of LANGUAGES) {
    const isAcross = (found: Found) => !isSame(found) && found.asked === language;
    yield compared(`nDCG@10 of questions in ${language} about others`, "", among(isAcross, quality));
    yield compared(`their right hits above the threshold`, "%", among(isAcross, passes));
  }
  yield compared(
    "paragraphs above the threshold, same language",
    "of 40",
    among(isSame, (one) => one.passing),
  );
  yield compared(
    "paragraphs above the threshold, across languages",
    "of 40",
    among(
      (found) => !isSame(found),
      (one) => one.passing,
    ),
  );
}

async function searched(bench: Bench, choice: "all" | "english"): Promise<Found[]> {
  const dataDir = bench.folder();
  const server = await startChild(bench, dataDir, { flags: ["--languages", choice] });
  bench.note(`languages: storing and searching with --languages ${choice}`);
  const stored = new Map<Language, StoredCollection>();
  for (const language of LANGUAGES)
    stored.set(language, await storeCollection(bench, { server, dataDir }, readSet(language)));
  await server.idle();
  const questions = LANGUAGES.flatMap((asked) =>
    LANGUAGES.flatMap((read) =>
      stored.get(asked)!.collection.queries.map((query) => ({ asked, read, query })),
    ),
  );
  const found: Found[] = [];
  await inLanes(questions, LANES, async ({ asked, read, query }) => {
    const { ranked } = stored.get(read)!;
    const all = await ranked(query.text, { scoreThreshold: "0" });
    const passing = await ranked(query.text);
    found.push({
      ...{ asked, read, passing: passing.length },
      ndcg: ndcg(
        all.map(({ id }) => id),
        query.relevant,
        DEPTH,
      ),
      passes: passing.some(({ id }) => query.relevant.has(id)),
    });
  });
  await server.stop();
  bench.discard(dataDir);
  return found;
}

/** Lines of a question and the paragraph that answers it; the same lines in all languages. */
function readSet(language: Language): Collection {
  const file = join(import.meta.dir, "languages", `${language}.tsv`);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const texts = lines.map(
    (line, index) => [String(index + 1), ...line.split("\t")] as [string, string, string],
  );
  return {
    name: language,
    documents: texts.map(([id, , text]) => ({ id, title: `Note ${id}`, text })),
    queries: texts.map(([id, question]) => ({ id, text: question, relevant: new Map([[id, 1]]) })),
  };
}
