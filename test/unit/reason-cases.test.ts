// Owns the check of the question-answering evaluation set itself: that its cases are true of its documents.
// It must not know how questions are answered.
import { describe, expect, test } from "bun:test";
import { type ReasonCase as Case, readCases, type Source } from "../../scripts/bench/reason-cases.ts";

// The smallest number of cases of each kind that still says something about the kind.
const LEAST: Record<string, number> = {
  answerable: 20,
  numeric: 9,
  table: 8,
  "how-to": 8,
  partly: 9,
  unanswerable: 9,
  conflict: 10,
  duplicate: 5,
  hostile: 2,
};

const { cases, documents } = readCases();

const fold = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase();
const sourcesOf = (one: Case): Source[] => [...one.sources, ...one.conflicts.flatMap(({ a, b }) => [a, b])];

describe("reason evaluation documents", () => {
  test("there are 25 or more, each titled and of 250 to 900 words", () => {
    expect(documents.size).toBeGreaterThanOrEqual(25);
    for (const [name, text] of documents) {
      expect(name).toMatch(/^[a-z0-9-]+\.md$/);
      expect(text.split("\n", 1)[0]).toMatch(/^# \S/);
      const words = text.split(/\s+/).filter((word) => word !== "").length;
      expect(`${name}: ${words >= 250 && words <= 900}`).toBe(`${name}: true`);
    }
  });

  test("every document is the source of at least one case", () => {
    const used = new Set(cases.flatMap(sourcesOf).map((source) => source.document));
    expect([...documents.keys()].filter((name) => !used.has(name))).toEqual([]);
  });
});

describe("reason evaluation cases", () => {
  test("there are 60 or more, with unique ids and questions, and enough of each kind", () => {
    expect(cases.length).toBeGreaterThanOrEqual(60);
    expect(new Set(cases.map((one) => one.id)).size).toBe(cases.length);
    expect(new Set(cases.map((one) => fold(one.question))).size).toBe(cases.length);
    for (const one of cases) expect(one.id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(cases.filter((one) => !(one.kind in LEAST)).map((one) => one.id)).toEqual([]);
    for (const [kind, least] of Object.entries(LEAST)) {
      expect(cases.filter((one) => one.kind === kind).length).toBeGreaterThanOrEqual(least);
    }
  });

  test("every passage is a verbatim substring of its document", () => {
    const untrue = cases.flatMap((one) =>
      sourcesOf(one)
        .filter(({ document, passage }) => passage === "" || !documents.get(document)?.includes(passage))
        .map(({ passage }) => `${one.id}: ${passage}`),
    );
    expect(untrue).toEqual([]);
  });

  test("every spelling of a fact occurs in a passage of its case, and every passage carries a fact", () => {
    const adrift = cases.flatMap((one) => {
      const passages = sourcesOf(one).map((source) => fold(source.passage));
      const spellings = one.facts.flat().map(fold);
      return [
        ...spellings.filter(
          (spelling) => spelling === "" || !passages.some((text) => text.includes(spelling)),
        ),
        ...passages.filter((text) => !spellings.some((spelling) => text.includes(spelling))),
      ].map((text) => `${one.id}: ${text}`);
    });
    expect(adrift).toEqual([]);
  });

  test("facts, gaps and conflicts are present or absent as the kind demands", () => {
    const wrong = cases.filter((one) => {
      const answered = one.kind !== "unanswerable";
      const open = one.kind === "unanswerable" || one.kind === "partly";
      return (
        one.question.trim() === "" ||
        one.facts.length > 0 !== answered ||
        one.sources.length > 0 !== answered ||
        one.gaps.length > 0 !== open ||
        one.conflicts.length > 0 !== (one.kind === "conflict") ||
        [...one.facts, ...one.gaps].some((spellings) => spellings.length === 0)
      );
    });
    expect(wrong.map((one) => one.id)).toEqual([]);
  });

  test("a gap is worded as in its question", () => {
    const foreign = cases.flatMap((one) =>
      one.gaps.filter((spellings) => !spellings.every((word) => fold(one.question).includes(fold(word)))),
    );
    expect(foreign).toEqual([]);
  });

  test("the two sides of a conflict are different passages that both count as sources", () => {
    for (const one of cases.filter(({ conflicts }) => conflicts.length > 0)) {
      for (const { a, b } of one.conflicts) {
        expect(a).not.toEqual(b);
        expect(one.sources).toContainEqual(a);
        expect(one.sources).toContainEqual(b);
      }
    }
  });

  test("a passage that two documents share word for word is listed for both", () => {
    const missing = cases.flatMap((one) =>
      one.sources.flatMap(({ passage }) =>
        [...documents]
          .filter(([name, text]) => text.includes(passage) && !one.sources.some((s) => s.document === name))
          .map(([name]) => `${one.id}: ${name}`),
      ),
    );
    expect(missing).toEqual([]);
  });
});
