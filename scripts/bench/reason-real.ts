// Group reason-real: questions about the documentation of three libraries that this repository uses, among the readme
// files of the other ones. The documents do not contradict themselves, and nobody wrote them to be asked about.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dependencies } from "../../package.json";
import { type Bench, inLanes, Missing } from "./bench.ts";
import { clientOf, createKey, startChild } from "./child-server.ts";
import { type Finding, median, percentile } from "./measures.ts";
import { type CitedAnswer, titleOf, wordsIn } from "./reason-cases.ts";
import commander from "./reason-real/commander.json";
import dotenv from "./reason-real/dotenv.json";
import mammoth from "./reason-real/mammoth.json";

/**
 * A project: paths of its documents below node_modules, and questions; without `facts`, the documents do not answer.
 */
interface Project {
  files: string[];
  questions: { kind: string; question: string; facts: string[] }[];
}

export const PROJECTS: Record<string, Project> = { commander, dotenv, mammoth };
const PACKAGES = join(import.meta.dir, "../../node_modules");
const LANES = 4;

interface Asked {
  question: Project["questions"][number];
  answer: CitedAnswer;
}

/**
 * Yields the figures of each project, then those of all questions. Prints reported conflicts on stderr: judge them
 * yourself.
 */
export async function* reasonReal(bench: Bench): AsyncGenerator<Finding> {
  const dataDir = bench.folder();
  const server = await startChild(bench, dataDir);
  const client = clientOf(server, await createKey(bench, dataDir));
  await inLanes([...documents()], LANES, ([path, content]) =>
    client("POST", "/v1/documents", { title: `${path}: ${titleOf(content)}`.slice(0, 200), content }),
  );
  await server.idle();
  const all: Asked[] = [];
  for (const [name, { questions }] of Object.entries(PROJECTS)) {
    const asked: Asked[] = [];
    for (const question of questions) {
      const query = question.question;
      const { data } = await client<{ data: CitedAnswer }>("POST", "/v1/reason", { query });
      asked.push({ question, answer: data });
      for (const line of data.conflicts) bench.note(`reason-real: ${query} ${line}`);
    }
    all.push(...asked);
    yield* findings(`${name}: `, asked);
  }
  await server.stop();
  yield* findings("", all);
}

/** The documents of the projects, and the readme files of the other libraries, by path. */
function documents(): Map<string, string> {
  const readmes = Object.keys(dependencies).flatMap((name) =>
    ["README.md", "readme.md", "Readme.md"].map((file) => `${name}/${file}`),
  );
  const asked = Object.values(PROJECTS).flatMap(({ files }) => files);
  const missing = asked.find((path) => !existsSync(join(PACKAGES, path)));
  if (missing !== undefined) throw new Missing(`node_modules/${missing} does not exist: run bun install`);
  const paths = new Map([...readmes, ...asked].map((path) => [path.toLowerCase(), path]));
  return new Map(
    [...paths.values()]
      .filter((path) => existsSync(join(PACKAGES, path)))
      .map((path) => [path, readFileSync(join(PACKAGES, path), "utf8")]),
  );
}

function* findings(prefix: string, asked: readonly Asked[]): Generator<Finding> {
  const share = (measure: string, of: readonly Asked[], isHit: (one: Asked) => boolean): Finding => ({
    measure: `${prefix}${measure} (of ${of.length})`,
    value: of.filter(isHit).length / of.length,
    unit: "",
  });
  const answerable = asked.filter(({ question }) => question.facts.length > 0);
  const others = asked.filter(({ question }) => question.facts.length === 0);
  const conflicts = asked.reduce((sum, { answer }) => sum + answer.conflicts.length, 0);
  const words = asked.map(({ answer }) => wordsIn(answer.answer));
  const states = (text: string, { facts }: Asked["question"]) =>
    facts.some((fact) => bare(text).includes(bare(fact)));
  const hasGap = ({ answer }: Asked) => answer.gaps.length > 0;
  yield {
    measure: `${prefix}reported conflicts per 100 questions`,
    value: (100 * conflicts) / asked.length,
    unit: "",
  };
  yield share("answers that begin with the expected fact", answerable, ({ question, answer }) =>
    states(answer.blocks.find(({ kind }) => kind === "direct" || kind === "computed")?.text ?? "", question),
  );
  yield share("answers that contain the expected fact", answerable, ({ question, answer }) =>
    states(answer.answer, question),
  );
  yield share("answerable questions with a gap", answerable, hasGap);
  yield share("other questions with a gap", others, hasGap);
  yield { measure: `${prefix}words of an answer, median`, value: median(words), unit: "" };
  yield { measure: `${prefix}words of an answer, p90`, value: percentile(words, 0.9), unit: "" };
}

/** Letter case, white space and the marks of code and emphasis do not matter. */
export const bare = (text: string) =>
  text
    .replace(/[`*_\\]/g, "")
    .replace(/\s+/g, " ")
    .toLowerCase();
