// The short share of the group `hostile` of bun run torture.

import { expect, test } from "bun:test";
import { HOSTILE_TEXTS, SLOW_QUESTIONS } from "../../scripts/torture/hostile/texts.ts";
import { hostile } from "../../scripts/torture/hostile.ts";
import { checksOf, isMet, openTorture } from "../../scripts/torture/torture.ts";
import { LIMITS } from "../../src/kernel/limits.ts";

const SEED = 20_261_122;

test("there are 48 kinds of hostile text, all different and of the size that was asked for", () => {
  expect(HOSTILE_TEXTS).toHaveLength(48);
  expect(new Set(HOSTILE_TEXTS.map(({ name }) => name)).size).toBe(48);
  const texts = HOSTILE_TEXTS.map(({ make }) => make(5_000));
  expect(new Set(texts).size).toBe(48);
  for (const [index, text] of texts.entries()) {
    const { name, isRejected = false } = HOSTILE_TEXTS[index]!;
    expect({ name, isWellFormed: text.isWellFormed() }).toEqual({ name, isWellFormed: !isRejected });
    expect({ name, isLarge: text.length >= 5_000 }).toEqual({ name, isLarge: true });
  }
});

test("slow questions are valid questions", () => {
  for (const [name, query] of SLOW_QUESTIONS) {
    const isValid = query.length <= LIMITS.query.characters && query.trim() !== "" && query.isWellFormed();
    expect({ name, isValid }).toEqual({ name, isValid: true });
  }
});

test("hostile input gives no 5xx and loses no byte", async () => {
  const torture = openTorture({ seed: SEED, share: 1 });
  const amounts = {
    ...{ perOperation: 2, files: 1, texts: 6, textUnits: 600, largestUnits: 600 },
    ...{ questions: 2, slowClients: 10, slowSeconds: 0, floods: 1, headerStep: 50 },
    overload: { share: 0.02, seconds: 0.5 },
  };
  try {
    const checks = await checksOf((one) => hostile(one, amounts), torture);
    expect(checks.filter((check) => !isMet(check))).toEqual([]);
  } finally {
    torture.close();
  }
});
