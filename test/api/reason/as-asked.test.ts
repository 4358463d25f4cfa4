// Answers follow from the structure of documents: versions and dates above a statement, questions and their answers,
// tasks, rows with codes, titles, and comments of note programs. What the question names must be what is quoted.

import { beforeAll, describe, expect, test } from "bun:test";
import { useServer } from "../../helpers/start.ts";

const started = useServer({ realModel: true });

interface Doc {
  title: string;
  content: string;
  status?: "archived";
}

let users = 0;
/** Asks about these documents alone. */
async function withDocuments(documents: readonly Doc[]) {
  const client = started.clientOf(`asked-${++users}@localhost`);
  for (const { status, ...document } of documents) {
    const { body } = await client("POST", "/v1/documents", document);
    if (status) await client("PATCH", `/v1/documents/${body.data.id}`, { status });
  }
  await started.settle();
  return async (query: string) => {
    const { answer, gaps, conflicts } = (await client("POST", "/v1/reason", { query })).body.data;
    // Without citations, one line for each.
    const lines: string[] = answer.replace(/ ?\[\[\w+\]\]/g, "").split(/\n+/);
    return { lines, text: lines.join("\n"), gaps, conflicts };
  };
}

const CHANGELOG = {
  title: "Changelog",
  content: `# Changelog

## v3.2 - 2026-05-02

- The default timeout is now 60 seconds.
- Added dark mode.

## v3.1 - 2026-03-01

- The default timeout is now 30 seconds.
- Added single sign-on.

## v3.0 - 2026-01-01

- The default timeout is 10 seconds.
- Added CSV export.
`,
};

describe("versions of one document", () => {
  test("the newest leads if the question names none, and only the named one is quoted otherwise", async () => {
    const ask = await withDocuments([CHANGELOG]);
    for (const question of ["What is the default timeout?", "What is the current default timeout?"])
      expect((await ask(question)).lines.slice(0, 2)).toEqual([
        "v3.2 - 2026-05-02",
        "The default timeout is now 60 seconds.",
      ]);
    const { text } = await ask("What is the default timeout in v3.1?");
    expect(text).toContain("30 seconds");
    expect(text).not.toMatch(/60 seconds|10 seconds/);
  });

  test.each([
    ["Which version added single sign-on?", "v3.1"],
    ["In which release was CSV export added?", "v3.0"],
    ["When was single sign-on added?", "2026-03-01"],
  ])("%s", async (question, heading) => {
    const ask = await withDocuments([CHANGELOG]);
    const { lines, gaps } = await ask(question);
    expect(gaps).toEqual([]);
    expect(lines[0]).toContain(heading);
  });
});

describe("a code, a number or a year that no document contains is a gap", () => {
  const documents = [
    {
      title: "Codes",
      content:
        "E1007 means the token expired. E1008 means the quota is used up. E1010 means the region is closed.",
    },
    { title: "Rooms", content: "Room 201 is the copy room. Room 204 is the music room." },
    { title: "Invoices", content: "Invoice F-201 was paid in March. Invoice F-202 is open." },
    {
      title: "Budget",
      content: "In 2021 the club spent 900 euros on boats. In 2023 it spent 1,200 euros on boats.",
    },
  ];
  test.each([
    "What does E1009 mean?",
    "What is room 206?",
    "Was invoice F-203 paid?",
    "How much did the club spend on boats in 2022?",
  ])("%s", async (question) => {
    const ask = await withDocuments(documents);
    expect((await ask(question)).gaps).toHaveLength(1);
  });

  test("what contains it is quoted alone", async () => {
    const ask = await withDocuments(documents);
    expect((await ask("What does E1008 mean?")).lines).toEqual(["E1008 means the quota is used up."]);
  });
});

test("a title answers, and says which document a statement is about", async () => {
  const ask = await withDocuments([
    { title: "Deploy lead: Marta Quist", content: "This page lists the steps of a deploy." },
    { title: "Invoice 2025-114 (paid)", content: "Amount: 340 euros for gravel." },
    { title: "Invoice 2025-115 (open)", content: "Amount: 210 euros for sand." },
  ]);
  expect((await ask("Who is the deploy lead?")).lines[0]).toBe("Deploy lead: Marta Quist");
  expect((await ask("Is invoice 2025-114 paid?")).lines[0]).toBe("Invoice 2025-114 (paid)");
  const { text, conflicts } = await ask("How much is invoice 2025-114?");
  expect(text).toContain("340 euros");
  expect(text).not.toContain("210 euros");
  expect(conflicts).toEqual([]);
});

test("an archived document comes last, and is marked", async () => {
  const ask = await withDocuments([
    { title: "Old door code", content: "The door code is 4471 since January.", status: "archived" },
    { title: "New door code", content: "The door code is 9902 since June." },
  ]);
  const { lines, conflicts } = await ask("What is the door code?");
  expect(lines[0]).toBe("The door code is 9902 since June.");
  for (const line of lines.slice(1)) expect(line).toBe("The door code is 4471 since January. (archived)");
  expect(conflicts).toEqual([]);
});

test("of two documents with dates in their titles the newer one leads", async () => {
  const ask = await withDocuments([
    { title: "Server notes 2026-01-10", content: "The staging host is blue-3." },
    { title: "Server notes 2026-06-10", content: "The staging host is green-7." },
  ]);
  expect((await ask("What is the current staging host?")).lines[0]).toBe("The staging host is green-7.");
});

test("an answer below a question is quoted with its question, and contradicts no other amount", async () => {
  const ask = await withDocuments([
    {
      title: "FAQ",
      content: `# FAQ

## Can I pay by card?

Yes, from 10 euros.

## Is breakfast included?

No.

**Do you ship to Norway?**

Yes, within five days.
`,
    },
    { title: "Menu", content: "# History\n\n## 2025\n\nLunch costs 9 euros.\n" },
  ]);
  const card = await ask("Can I pay by card?");
  expect(card.lines).toEqual(["Can I pay by card?", "Yes, from 10 euros."]);
  expect(card.conflicts).toEqual([]);
  expect((await ask("Is breakfast included?")).lines.slice(0, 2)).toEqual(["Is breakfast included?", "No."]);
  expect((await ask("Do you ship to Norway?")).lines).toEqual([
    "Do you ship to Norway?",
    "Yes, within five days.",
  ]);
  for (const question of ["Is lunch included?", "Can I pay with bitcoin?"]) {
    const { lines } = await ask(question);
    for (const [i, line] of lines.entries())
      if (/^(?:Yes|No)\b/.test(line)) expect(lines[i - 1]).toEndWith("?");
  }
});

test("tasks are answered by their boxes", async () => {
  const ask = await withDocuments([
    {
      title: "Chores",
      content:
        "# Chores\n\n- [x] order glue\n- [ ] repair gate\n- [x] call the plumber\n- [ ] paint the fence\n",
    },
    { title: "Projects", content: "Our projects:\n\n- Boat shed\n- Garden\n- Website\n" },
  ]);
  for (const question of ["Which tasks are still open?", "What is still to do?"])
    expect((await ask(question)).lines).toEqual(["- [ ] repair gate", "- [ ] paint the fence"]);
  expect((await ask("Which tasks are done?")).lines).toEqual(["- [x] order glue", "- [x] call the plumber"]);
  expect((await ask("Has the plumber been called?")).lines[0]).toBe("[x] call the plumber");
});

test("a row is found by a code, and a name that is in all documents is no condition", async () => {
  const ask = await withDocuments([
    {
      title: "Vellum settings",
      content: "| Name | Default |\n|---|---|\n| APP_LOG_LEVEL | info |\n| APP_PORT | 8080 |\n",
    },
    {
      title: "Callouts",
      content: "To create a callout in a note, add `[!info]` to the first line of a quote.",
    },
    { title: "Vellum start", content: "Vellum opens a vault." },
    { title: "Vellum sync", content: "Vellum copies notes between machines." },
    { title: "Vellum themes", content: "Vellum has dark and light themes." },
  ]);
  const row = await ask("What is the default value of APP_LOG_LEVEL?");
  expect(row.lines).toEqual(["Name: APP_LOG_LEVEL; Default: info"]);
  const { lines, gaps } = await ask("How do I create a callout in Vellum?");
  expect(gaps).toEqual([]);
  expect(lines[0]).toStartWith("To create a callout");
});

test("comments of note programs and questions without content are no evidence", async () => {
  const ask = await withDocuments([
    {
      title: "Keys",
      content: "The shed key is with Marta.\n\n%% TODO ask Kim: is the shed key with Olaf? %%\n",
    },
  ]);
  expect((await ask("Who has the shed key?")).lines).toEqual(["The shed key is with Marta."]);
  expect((await ask("What?")).gaps).toHaveLength(1);
});

test("a heading that says what the question asks is answered by what begins below it", async () => {
  const ask = await withDocuments([
    {
      title: "Backup, restore and upgrading",
      content: `# Backup, restore and upgrading

## Restore a backup

Stop the server, then:

\`\`\`sh
store restore ~/backups/monday.db
\`\`\`

What comes back is the state of the backup, so keys that were created later are unknown.

To move to another machine, restore the backup there.

## Upgrade

1. Make a copy of the file.
2. Replace the program.

| Change | Safe? |
| --- | --- |
| Newer program, older file | Yes. The file is updated once. |
| Older program, newer file | No. It is rejected. |
`,
    },
  ]);
  const restored = await ask("How do I restore a backup?");
  expect(restored.gaps).toEqual([]);
  expect(restored.lines.slice(0, 3)).toEqual([
    "Stop the server, then:",
    "```sh",
    "store restore ~/backups/monday.db",
  ]);
  const upgraded = await ask("How do I upgrade?");
  expect(upgraded.lines.slice(0, 2)).toEqual(["1. Make a copy of the file.", "2. Replace the program."]);
});

describe("a version that is asked for is its heading and what is below it", () => {
  const RELEASES = {
    title: "Booking app changelog",
    content: `# Booking app changelog

## 3.4.0 (2026-10-02)

- Added group bookings.
- Minimum iOS version is now 17.

## 3.3.1 (2026-09-10)

- Fixed a crash on the payment page.

## 3.2.0 (2026-05-06)

- Minimum Android version is now 11.
`,
  };
  let ask: Awaited<ReturnType<typeof withDocuments>>;
  beforeAll(async () => {
    ask = await withDocuments([RELEASES]);
  });

  test.each([
    ["What is the latest version of the booking app?", ["3.4.0 (2026-10-02)"]],
    ["When was 3.2.0 released?", ["3.2.0 (2026-05-06)"]],
    ["What changed in 3.3.1?", ["3.3.1 (2026-09-10)", "Fixed a crash on the payment page."]],
    [
      "What is new in version 3.4.0?",
      ["3.4.0 (2026-10-02)", "- Added group bookings.", "- Minimum iOS version is now 17."],
    ],
  ])("%s", async (question, wanted) => {
    const { lines, gaps } = await ask(question);
    expect([lines, gaps]).toEqual([wanted, []]);
  });

  test("one that no document has is a gap", async () =>
    expect((await ask("What is new in 3.9.0?")).gaps).toHaveLength(1));
});

test("a title that answers is cited like any other chunk", async () => {
  const client = started.clientOf("titled@localhost");
  const title = "ADR-1: PostgreSQL instead of MongoDB";
  const content = `# ${title}\n\nWe use PostgreSQL. MongoDB was rejected.`;
  await client("POST", "/v1/documents", { title, content });
  await started.settle();
  const { answer, citations } = (await client("POST", "/v1/reason", { query: "Is MongoDB used?" })).body.data;
  const cited = [...answer.matchAll(/\[\[(\w+)\]\]/g)].map(([, id]) => id);
  expect(answer).toContain(title);
  const known = citations.map(({ chunkId }: { chunkId: string }) => chunkId);
  expect(cited.filter((id) => !known.includes(id))).toEqual([]);
});

test("statements about other things do not disagree in a small store", async () => {
  const contents: Record<string, string> = {
    "Vendor pricing 2026": "Quillbase renews on 1 August 2026 and needs 60 days' notice to cancel.",
    "Meeting 2026-03-12": "- Joaquín writes the migration plan until 20 March.",
    "Backup policy":
      "Once a quarter we test a restore; the last test was on 3 February 2026 and took 47 minutes.",
  };
  const ask = await withDocuments(
    Object.entries(contents).map(([title, text]) => ({ title, content: `# ${title}\n\n${text}\n` })),
  );
  for (const [question, wanted] of [
    ["When does Quillbase renew?", "1 August 2026"],
    ["When is the migration plan due?", "20 March"],
  ] as const) {
    const { text, conflicts } = await ask(question);
    expect([text, conflicts]).toEqual([expect.stringContaining(wanted), []]);
  }
});
