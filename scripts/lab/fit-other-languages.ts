// Fits src/engine/answers/other-languages.json, the models that decide whether the best paragraph answers a question that
// is not in English, or in another language than the paragraph. Usage: bun scripts/lab/fit-other-languages.ts. Takes two
// minutes. The questions are those in languages/: about all paragraphs in a language, and about half of them, each with
// its paragraph and without it, and those that no paragraph answers.

import { join } from "node:path";
import { multilingualDirectory } from "../../src/base/models.ts";
import { nearest, nearnessOf } from "../../src/engine/answers/other-languages.ts";
import { openEmbedder } from "../../src/engine/embedding/embedder.ts";
import { withDocuments } from "../bench/gather-set.ts";
import { openLocalEmbedder } from "../bench/local-embedder.ts";
import { type Example, fitLogistic } from "./logistic-fit.ts";

const TARGET = join(import.meta.dir, "../../src/engine/answers/other-languages.json");
const LANGUAGES = ["ar", "en", "fr", "ja", "pl"];
const FEATURES = ["cosine", "others", "words"];
/** Cosines are below one half, so a penalty for large weights would keep them from counting. */
const RIDGE = 0.05;
/** Chunks that an answer quotes: if the right one is not among them, the question says nothing about the model. */
const QUOTED = 2;

interface Line {
  name: string;
  question: string;
  /** A question about the same that the paragraph does not answer. */
  unanswered?: string;
  paragraph: string;
}

async function readLines(language: string): Promise<Line[]> {
  const read = async (file: string) =>
    (await Bun.file(join(import.meta.dir, "languages", file)).text())
      .trim()
      .split("\n")
      .map((line) => line.split("\t"));
  const lines = [
    ...(await read(`${language}.tsv`)).map(([question, , paragraph]) => ({ question, paragraph })),
    ...(await read(`paraphrased/${language}.tsv`)).map(([question, unanswered, paragraph]) => ({
      ...{ question, unanswered, paragraph },
    })),
  ] as Omit<Line, "name">[];
  return lines.map((line, index) => ({ name: `${language} ${index}`, ...line }));
}

const lines = new Map<string, Line[]>();
for (const language of LANGUAGES) lines.set(language, await readLines(language));
const documents = [...lines].flatMap(([language, own]) =>
  own.map(({ name, paragraph }, index) => ({
    ...{ name, title: `Note ${index + 1}`, content: paragraph },
    tags: [language, `${language}-${index % 2}`],
  })),
);
const embedder = openLocalEmbedder();
const secondEmbedder = openEmbedder({
  modelDirectory: multilingualDirectory(),
  runtime: { kind: "native" },
});
const examples: Record<"same" | "across", Example[]> = { same: [], across: [] };
await withDocuments(documents, { embedder, secondEmbedder }, async ({ gather, names }) => {
  for (const asked of LANGUAGES)
    for (const read of LANGUAGES) {
      if (asked === "en" && read === "en") continue;
      const own = examples[asked === read ? "same" : "across"];
      for (const [index, { question, unanswered }] of lines.get(asked)!.entries())
        for (const tag of [read, `${read}-${index % 2}`]) {
          const right = `${read} ${index}`;
          const { parts, evidence } = await gather(question, tag);
          const chunks = nearest(parts[0]!, evidence);
          const isRight = ({ chunk }: (typeof chunks)[number]) =>
            names.get(evidence[chunk]!.documentId) === right;
          const others = chunks.filter((one) => !isRight(one));
          if (chunks.slice(0, QUOTED).some(isRight)) own.push(example(chunks, 1));
          own.push(example(others, 0));
          if (unanswered === undefined) continue;
          const near = await gather(unanswered, tag);
          own.push(example(nearest(near.parts[0]!, near.evidence), 0));
        }
    }
});

function example(chunks: ReturnType<typeof nearest>, label: 0 | 1): Example {
  return { features: nearnessOf(chunks.map(({ hit }) => hit)), label };
}

/** Answers and gaps have the same weight together, so that the probability of one half lies between them. */
function fit(all: readonly Example[]) {
  const answered = all.filter(({ label }) => label === 1).length;
  const weightOf = ({ label }: Example) => all.length / 2 / (label === 1 ? answered : all.length - answered);
  return fitLogistic(
    all.map((one) => ({ ...one, weight: weightOf(one) })),
    FEATURES,
    RIDGE,
  );
}

const models = {
  fitted: `scripts/lab/fit-other-languages.ts: ${examples.same.length + examples.across.length} examples`,
  same: fit(examples.same),
  across: fit(examples.across),
};
await Bun.write(TARGET, `${JSON.stringify(models, null, 2)}\n`);
console.log(models);
process.exit(0);
