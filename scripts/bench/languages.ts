// Group languages: questions in six languages about short paragraphs in the same and in other languages, of which each
// answers one; see languages/. Compared with the English model alone. Answers are asked for twice: once from the half of
// the paragraphs that has the right one, once from the other half, where each is a gap. Uses the API of real servers,
// with one user for each language.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, inLanes } from "./bench.ts";
import { startChild } from "./child-server.ts";
import type { Collection } from "./collections.ts";
import { type Finding, mean } from "./measures.ts";
import { ndcg } from "./ranking.ts";
import { halfTag, type StoredCollection, storeCollection } from "./stored-collections.ts";

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

/** Pairs of languages of question and paragraphs, besides the same ones, in which answers are asked for. */
const ACROSS: readonly (readonly [asked: Language, read: Language])[] = [
  ["de", "en"],
  ["en", "de"],
  ["ru", "en"],
  ["es", "en"],
  ["zh", "en"],
  ["tr", "de"],
];

/** The answers to one question from both halves. */
interface Answered {
  asked: Language;
  read: Language;
  /** Whether the right paragraph is quoted before any gap; whether there is one although it is there. */
  quotes: boolean;
  falseGap: boolean;
  /** Whether the other half gets a gap. */
  gap: boolean;
  words: number;
}

/** Yields nDCG@10 and what passes the default threshold: in the same language, across languages, and for each. */
export async function* languages(bench: Bench): AsyncGenerator<Finding> {
  const { found: both, answers } = await searched(bench, "all");
  const { found: english } = await searched(bench, "english");
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
  yield* answerFindings(answers);
}

function* answerFindings(answers: readonly Answered[]): Generator<Finding> {
  const groups = [
    ...LANGUAGES.map((language) => ({ name: `in ${language}`, pairs: [[language, language] as const] })),
    { name: "across languages", pairs: ACROSS },
  ];
  for (const { name, pairs } of groups) {
    const own = answers.filter(({ asked, read }) => pairs.some(([a, b]) => a === asked && b === read));
    const share = (of: (one: Answered) => boolean) => 100 * mean(own.map((one) => Number(of(one))));
    yield { measure: `right paragraph quoted ${name}`, unit: "%", value: share(({ quotes }) => quotes) };
    yield { measure: `gaps found ${name}`, unit: "%", value: share(({ gap }) => gap) };
    yield { measure: `false gaps ${name}`, unit: "%", value: share(({ falseGap }) => falseGap) };
    yield { measure: `words of an answer ${name}`, unit: "", value: mean(own.map(({ words }) => words)) };
  }
}

async function searched(
  bench: Bench,
  choice: "all" | "english",
): Promise<{ found: Found[]; answers: Answered[] }> {
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
  const answers: Answered[] = [];
  const asked = [...LANGUAGES.map((one) => [one, one] as const), ...ACROSS].flatMap(([from, read]) =>
    stored.get(from)!.collection.queries.map((query) => ({ asked: from, read, query })),
  );
  if (choice === "all")
    await inLanes(asked, LANES, async ({ query, ...languagesOf }) => {
      const { answered } = stored.get(languagesOf.read)!;
      const index = Number(query.id) - 1;
      const own = await answered(query.text, halfTag(index));
      const other = await answered(query.text, halfTag(index + 1));
      answers.push({
        ...languagesOf,
        quotes: own.gaps === 0 && own.cited.some((id) => query.relevant.has(id)),
        falseGap: own.gaps > 0,
        gap: other.gaps > 0,
        words: own.words,
      });
    });
  await server.stop();
  bench.discard(dataDir);
  return { found, answers };
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
