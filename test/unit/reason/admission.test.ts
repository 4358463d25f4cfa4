// How many questions are answered at the same time.

import { expect, test } from "bun:test";
import { openAdmission } from "../../../src/features/reason/admission.ts";

const limits = { concurrent: 3, concurrentOfUser: 2 };
const full = expect.objectContaining({ kind: "rate-limited", retryAfterS: 1 });

test("each user and all together have a limit, and a place is free again afterwards", () => {
  const admission = openAdmission(limits);
  const leave = admission.enter("a");
  admission.enter("a");
  expect(() => admission.enter("a")).toThrow(full);
  admission.enter("b");
  expect(() => admission.enter("c")).toThrow(full);
  leave();
  admission.enter("a");
  expect(() => admission.enter("a")).toThrow(full);
});
