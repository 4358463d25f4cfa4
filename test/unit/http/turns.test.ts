// Turns of requests on the thread: who is next, who waits, who is rejected, and what unread responses change.

import { beforeEach, describe, expect, test } from "bun:test";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { LIMITS } from "../../../src/kernel/limits.ts";
import { openTurns, type Turn, type Turns } from "../../../src/http/turns.ts";

const { requests, responses } = LIMITS;
const LONG_MS = 6;
const ALWAYS = new AbortController().signal;

let clock: ManualClock;
let turns: Turns;
/** The names of the requests in the order of their turns. */
let begun: string[];

beforeEach(() => {
  clock = new ManualClock();
  turns = openTurns(clock);
  begun = [];
});

/** A request of the user that its name begins with. */
const requestOf = (name: string, cancelled = ALWAYS): Turn => turns.of({ userId: name[0]!, cancelled });
const record = (name: string, taken: Promise<void>) => taken.then(() => void begun.push(name));
/** A request that takes one turn, which is long. */
const ask = (name: string) =>
  record(name, requestOf(name).take()).then(() => {
    clock.advance(LONG_MS);
  });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
/** Long enough for everything that may begin. */
async function untilQuiet(): Promise<void> {
  for (let count = -1; count !== begun.length; ) {
    count = begun.length;
    for (let turn = 0; turn < 3; turn++) await nextTurn();
  }
}
/** Uses up this turn of the event loop. */
async function useTurn(): Promise<void> {
  await requestOf("x").take();
  clock.advance(LONG_MS);
}

test("short requests begin at once, and after a long one the next waits for the next turn of the event loop", async () => {
  await record("a1", requestOf("a").take());
  await record("a2", requestOf("a").take());
  clock.advance(LONG_MS);
  const third = record("a3", requestOf("a").take());
  for (let microtask = 0; microtask < 20; microtask++) await Promise.resolve();
  expect(begun).toEqual(["a1", "a2"]);
  await third;
  expect(begun).toEqual(["a1", "a2", "a3"]);
});

test.each([
  ["long requests one", LONG_MS, 1],
  ["short requests several", 1, 5],
])("of those that wait, %s begins in a turn of the event loop", async (_name, ms, expected) => {
  await useTurn();
  const names = Array.from({ length: 20 }, (_, index) => `a${index}`);
  const asked = Promise.all(
    names.map((name) => record(name, requestOf(name).take()).then(() => clock.advance(ms))),
  );
  const perTurn: number[] = [];
  while (begun.length < names.length) {
    const before = begun.length;
    await nextTurn();
    perTurn.push(begun.length - before);
  }
  expect(Math.max(...perTurn)).toBe(expected);
  await asked;
});

test("users take turns, and a request that goes on waits behind the others of its user", async () => {
  await useTurn();
  const long = requestOf("a");
  const parts = async () => {
    for (let part = 0; part < 3; part++) await record(`a-long${part}`, long.take());
  };
  await Promise.all([parts(), ...["a1", "a2", "b1", "b2", "c1"].map((name) => ask(name))]);
  expect(begun).toEqual(["a-long0", "b1", "c1", "a1", "b2", "a2", "a-long1", "a-long2"]);
});

describe("when many wait", () => {
  const rejected = expect.objectContaining({ kind: "rate-limited", retryAfterS: 1 });

  test("a new request is rejected, of one user and of all; one that goes on is not", async () => {
    await useTurn();
    const started = requestOf("a");
    const first = started.take();
    const waiting = Array.from({ length: requests.waitingOfUser - 1 }, (_, index) => ask(`a${index}`));
    expect(
      await requestOf("a")
        .take()
        .catch((error) => error),
    ).toEqual(rejected);
    await first;
    // Its place is taken again.
    waiting.push(ask("a-last"));
    waiting.push(record("a-more", started.take()));
    const ofOthers = requests.waiting - requests.waitingOfUser - 1;
    for (let n = 0; n < ofOthers; n++) waiting.push(ask(String.fromCharCode(0x1000 + Math.floor(n / 200))));
    expect(
      await requestOf("b")
        .take()
        .catch((error) => error),
    ).toEqual(rejected);
    await Promise.all(waiting);
    expect(begun).toContain("a-more");
  });

  test("one whose client disconnects makes room", async () => {
    await useTurn();
    const gone = new AbortController();
    const left = requestOf("a", gone.signal).take();
    const waiting = Array.from({ length: requests.waitingOfUser - 1 }, (_, index) => ask(`a${index}`));
    gone.abort(new Error("gone"));
    expect(await left.catch(({ message }) => message)).toBe("gone");
    await Promise.all([ask("a-new"), ...waiting]);
    expect(begun.at(-1)).toBe("a-new");
    expect(
      await requestOf("a", gone.signal)
        .take()
        .catch(({ message }) => message),
    ).toBe("gone");
  });
});

describe("responses in memory", () => {
  const FULL = responses.unreadBytesOfUser;

  test("a user with too many makes no further part until they are read; other requests of the user go on", async () => {
    const unread = requestOf("a");
    unread.hold(FULL);
    const part = record("part", requestOf("a").takeWithRoom());
    await record("small", requestOf("a").take());
    await record("other", requestOf("b").takeWithRoom());
    await untilQuiet();
    expect(begun).toEqual(["small", "other"]);
    unread.hold(FULL - 1);
    await part;
    unread.hold(0);
  });

  test("with too many of all users, those wait who have some", async () => {
    const others = Array.from({ length: responses.unreadBytes / (FULL - 1) + 1 }, (_, index) =>
      requestOf(String.fromCharCode(0x1000 + index)),
    );
    for (const other of others) other.hold(FULL - 1);
    const own = requestOf("a");
    await record("first", own.takeWithRoom());
    own.hold(1);
    const second = record("second", requestOf("a").takeWithRoom());
    await untilQuiet();
    expect(begun).toEqual(["first"]);
    others[0]!.hold(0);
    await second;
  });

  test("a client that reads nothing for too long is given up", async () => {
    const failed = requestOf("a")
      .whenRead(new Promise(() => {}))
      .catch(({ message }) => message);
    clock.advance(responses.unreadS * 1_000);
    expect(await failed).toBe("the client does not read its response");
    await requestOf("a").whenRead(Promise.resolve());
  });
});
