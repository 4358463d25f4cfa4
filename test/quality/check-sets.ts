// Checks question sets: that their cases are true of their documents. It must not know how questions are answered.

import { describe, expect, test } from "bun:test";
import type { QuestionSet, ReasonCase as Case, Source } from "../../scripts/bench/reason-cases.ts";

/** The number of documents and cases that each set has at least. */
const LEAST = { documents: 12, cases: 40 };
const KINDS = ["answerable", "partly", "unanswerable", "conflict", "hostile"];
const TYPES = [
  ...[
    "fact",
    "how-to",
    "table",
    "computed",
    "list",
    "yes-no",
    "permission",
    "definition",
    "what-if",
    "reason",
  ],
  ...["two-part", "person", "when"],
];

const fold = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase();
const sourcesOf = (one: Case): Source[] => [...one.sources, ...one.conflicts.flatMap(({ a, b }) => [a, b])];

/** Declares the tests of these sets. */
export function checkSets(sets: readonly QuestionSet[]): void {
  describe.each(sets)("$name", ({ cases, documents }) => {
    describe("documents", () => {
      test("there are enough, each titled and of 200 to 1,100 words", () => {
        expect(documents.size).toBeGreaterThanOrEqual(LEAST.documents);
        for (const [name, text] of documents) {
          expect(name).toMatch(/^[a-z0-9-]+\.md$/);
          expect(text.split("\n", 1)[0]).toMatch(/^# \S/);
          const words = text.split(/\s+/).filter((word) => word !== "").length;
          expect(`${name}: ${words >= 200 && words <= 1_100}`).toBe(`${name}: true`);
        }
      });

      test("every document is the source of at least one case", () => {
        const used = new Set(cases.flatMap(sourcesOf).map((source) => source.document));
        expect([...documents.keys()].filter((name) => !used.has(name))).toEqual([]);
      });
    });

    describe("cases", () => {
      test("there are enough, with unique ids and questions, and known kinds and types", () => {
        expect(cases.length).toBeGreaterThanOrEqual(LEAST.cases);
        expect(new Set(cases.map((one) => one.id)).size).toBe(cases.length);
        expect(new Set(cases.map((one) => fold(one.question))).size).toBe(cases.length);
        for (const { id, kind, type, orders } of cases) {
          expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
          expect(KINDS).toContain(kind);
          expect(TYPES).toContain(type);
          expect(kind === "hostile").toBe((orders?.length ?? 0) > 0);
        }
      });

      test("every passage is a verbatim substring of its document", () => {
        const untrue = cases.flatMap((one) =>
          sourcesOf(one)
            .filter(
              ({ document, passage }) =>
                passage === "" || !fold(documents.get(document) ?? "").includes(fold(passage)),
            )
            .map(({ passage }) => `${one.id}: ${passage}`),
        );
        expect(untrue).toEqual([]);
      });

      test("every fact that is not computed occurs in a source document", () => {
        const adrift = cases
          .filter(({ type }) => type !== "computed")
          .flatMap((one) => {
            const texts = one.sources.map(({ document }) => fold(documents.get(document)!));
            return one.facts
              .filter(
                (spellings) =>
                  !spellings.some((spelling) => texts.some((text) => text.includes(fold(spelling)))),
              )
              .map(([spelling]) => `${one.id}: ${spelling}`);
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

      test("a gap has a word of its question", () => {
        const foreign = cases.flatMap((one) =>
          one.gaps.filter((spellings) => !spellings.some((word) => fold(one.question).includes(fold(word)))),
        );
        expect(foreign).toEqual([]);
      });

      test("the two sides of a conflict are different passages", () => {
        for (const { conflicts } of cases) for (const { a, b } of conflicts) expect(a).not.toEqual(b);
      });
    });
  });
}
