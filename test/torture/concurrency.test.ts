// The short share of the group `concurrency` of bun run torture, and its checker on logs with one fault each.

import { expect, test } from "bun:test";
import { type Violations, violationsIn } from "../../scripts/torture/concurrency/checker.ts";
import { emptyLog, type FinalState, type Grant, type Log } from "../../scripts/torture/concurrency/log.ts";
import { concurrency } from "../../scripts/torture/concurrency.ts";
import { checksOf, isMet, openTorture } from "../../scripts/torture/torture.ts";

const SEED = 20_261_122;

interface Story {
  log: Log;
  state: FinalState;
}

/** Two leases with one write each, as a correct server allows them. */
function story(): Story {
  const document = "d";
  const grant = (fence: number, sentAt: number): Grant => ({
    ...{ document, fence, leaseId: `lease ${fence}`, sentAt, answeredAt: sentAt + 1 },
    ...{ expiresAt: sentAt + 50, releasedAt: sentAt + 40 },
  });
  const write = (revision: number, fence: number, sentAt: number) => ({
    ...{ document, revision, content: `text ${revision}`, base: revision - 1, fence },
    ...{ sentAt, answeredAt: sentAt + 1 },
  });
  const versions = ["first", "text 1", "text 2"].map((content, version) => ({ version, content }));
  return {
    log: { ...emptyLog(), writes: [write(1, 1, 10), write(2, 2, 110)], grants: [grant(1, 0), grant(2, 100)] },
    state: { document, isCoordinated: true, revision: 2, fence: 2, content: "text 2", versions },
  };
}

const FAULTS: [string, keyof Violations, (story: Story) => unknown][] = [
  ["a version is missing", "gaps", ({ state }) => state.versions.splice(1, 1)],
  ["a version occurs twice", "gaps", ({ state }) => state.versions.push({ ...state.versions[1]! })],
  ["an accepted write is not stored", "lost", ({ state }) => (state.versions[1]!.content = "other")],
  ["the current text is another one", "lost", ({ state }) => (state.content = "text 1")],
  ["two clients are told of one revision", "doubled", ({ log }) => (log.writes[1]!.revision = 1)],
  ["nobody was told of a version", "doubled", ({ log }) => log.writes.pop()],
  ["a write skips the revision it named", "notFollowing", ({ log }) => (log.writes[1]!.base = 0)],
  ["a fence is granted twice", "fences", ({ log }) => (log.grants[1]!.fence = 1)],
  ["nobody was told of a fence", "fences", ({ state }) => (state.fence = 3)],
  ["a later write has a lower fence", "lowFences", ({ log }) => (log.writes[1]!.fence = 1)],
  ["a write has a fence of the past", "lowFences", ({ log }) => (log.writes[0]!.sentAt = 105)],
  ["a write comes after the end of its lease", "lateWrites", ({ log }) => (log.writes[1]!.sentAt = 150)],
  [
    "a lease is granted while another is held",
    "sharedLeases",
    ({ log }) => Object.assign(log.grants[0]!, { releasedAt: undefined, expiresAt: 200 }),
  ],
];

test("the checker accepts a correct log", () => {
  const { log, state } = story();
  expect(Object.values(violationsIn(log, [state])).flat()).toEqual([]);
});

test.each(FAULTS)("the checker reports it if %s", (_name, kind, breakIt) => {
  const broken = story();
  breakIt(broken);
  expect(violationsIn(broken.log, [broken.state])[kind]).not.toEqual([]);
});

test("writes of 8 clients form one chain per document", async () => {
  const torture = openTorture({ seed: SEED, share: 1 });
  try {
    const checks = await checksOf((one) => concurrency(one, { clients: 8, operations: 20 }), torture);
    expect(checks.filter((check) => !isMet(check))).toEqual([]);
  } finally {
    torture.close();
  }
});
