// Hostile documents in every view, in a real browser: no script runs, no request leaves the machine, and nothing that
// could do so gets into the page.

import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";
import { consoleClient } from "../helpers/console-client.ts";
import { makeTempDir } from "../helpers/start.ts";
import { HOSTILE, HOSTILE_LABELS } from "./hostile.ts";

const EVIL_URL = "https://www.evil.test/page";
const PAYLOADS_PER_DOCUMENT = 12;
/**
 * The browser reports what the policy of the page forbids already when the sanitiser parses a text, before it removes
 * that (event handlers in recent versions of Chromium). `inspect` finds what was not removed.
 */
const IN_PARSING = /^(Applying inline style|Executing inline event handler|Setting the document's base URI)/;

// Of the page, in which some functions of this file run.
// biome-ignore lint/suspicious/noExplicitAny: the types of browsers contradict those of Bun
declare const document: any, window: any, requestAnimationFrame: any;

/** Run in the page: what the sanitiser should have removed, and whether a script has run. */
function inspect() {
  const found: string[] = [];
  if ("pwned" in window) found.push("a script has run");
  const allowedTags =
    /^(a|abbr|b|bdi|bdo|blockquote|br|caption|cite|code|col|colgroup|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|h[1-6]|hr|i|ins|kbd|li|mark|ol|p|pre|q|rp|rt|ruby|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|time|tr|u|ul|var|wbr|button)$/;
  const allowedAttributes =
    /^(class|colspan|data-coloured|data-image|data-to|datetime|dir|href|lang|open|rel|reversed|rowspan|start|tabindex|target|title|type)$/;
  const allowedClasses =
    /^(blocks?|block marked|code-block|copy-code|image-button|image-missing|citation|alert alert-\w+|align-\w+|language-[\w+#-]+|hljs-[\w-]+(?: \w+_)*)$/;
  for (const element of document.querySelectorAll(".rendered *")) {
    const tag = element.localName;
    if (!allowedTags.test(tag)) found.push(`<${tag}>`);
    for (const { name, value } of element.attributes) {
      if (!allowedAttributes.test(name)) found.push(`${tag} ${name}`);
      if (name === "href" && !/^(https?:\/\/|mailto:|\/console\/documents\/)/i.test(value))
        found.push(`href ${value}`);
      if (name === "target" && value !== "_blank") found.push(`target ${value}`);
      if (name === "class" && !allowedClasses.test(value)) found.push(`class ${value}`);
    }
  }
  const outside = document.querySelectorAll(
    "iframe, object, embed, base, form[action], main script, main style, main link, main meta",
  );
  for (const element of outside) found.push(`<${element.localName}> in the page`);
  if (document.head.querySelectorAll("base, meta[http-equiv]").length > 0) found.push("the head was changed");
  return found;
}

describe.skipIf(!CHROMIUM)("hostile contents", () => {
  const server = useConsole();
  const ids: string[] = [];
  let promptId = "";
  let collectionId = "";
  let p: ConsolePage;

  beforeAll(async () => {
    const { client, create } = server;
    collectionId = await create("/v1/collections", {
      name: HOSTILE_LABELS[1]!,
      description: HOSTILE_LABELS[0]!,
      tags: HOSTILE_LABELS.slice(0, 3),
    });
    for (let at = 0; at < HOSTILE.length; at += PAYLOADS_PER_DOCUMENT) {
      const label = HOSTILE_LABELS[(at / PAYLOADS_PER_DOCUMENT) % HOSTILE_LABELS.length]!;
      const id = await create("/v1/documents", {
        title: `${label} ${at}`,
        content: `# Kettle ${label}\n\n${HOSTILE.slice(at, at + PAYLOADS_PER_DOCUMENT).join("\n\n")}`,
        tags: HOSTILE_LABELS.filter((one) => !one.includes(",")).slice(0, 4),
        metadata: { [label]: label, nested: { html: HOSTILE[0] } },
        sourceUrl: EVIL_URL,
        contentHtml: HOSTILE.join(""),
        collectionIds: [collectionId],
      });
      await client("PATCH", `/v1/documents/${id}`, {
        content: `# Kettle\n\n${HOSTILE.slice(at, at + 4).join("\n\n")}\n\n<script>window.pwned=1</script>`,
        changeLog: label,
      });
      ids.push(id);
    }
    for (const label of HOSTILE_LABELS) {
      promptId = await create("/v1/prompts", {
        title: label,
        description: label,
        content: `Kettle \${${label.replace(/[${}]/g, "")}} ${HOSTILE[6]}`,
        tags: [label],
        variables: [{ name: "x", type: "string", description: label }],
      });
    }
    await client("PATCH", `/v1/prompts/${promptId}`, {
      content: `${HOSTILE.slice(0, 30).join("\n")}`,
      changeLog: HOSTILE_LABELS[1],
    });
    for (const title of HOSTILE_LABELS.filter((label) => label.trim() !== "").slice(0, 6)) {
      await client(
        "DELETE",
        `/console/api/documents/${await server.create("/v1/documents", { title, content: "x" })}`,
      );
    }
    const owner = await consoleClient(server);
    for (const name of HOSTILE_LABELS.filter((label) => label.trim() !== "").slice(0, 6)) {
      expect((await owner("POST", "/console/api/keys", { name, scopes: ["documents.read"] })).status).toBe(
        201,
      );
    }
    // A failed fetch and a failed job, whose titles and reasons the view Activity shows.
    await client("POST", "/v1/documents/scrape", { url: `${EVIL_URL}?x=${HOSTILE_LABELS[0]!}` });
    await server.settle();
    server.write(({ sql }) => {
      sql
        .query(
          `INSERT INTO jobs (kind, subject, state, attempts, run_at, error, created_at, updated_at)
           VALUES ('document.index', ?, 'failed', 5, 0, ?, 0, 0)`,
        )
        .run(ids[0]!, HOSTILE.slice(0, 3).join(" "));
    });
    p = await server.signIn();
  });

  const check = async () => {
    await p.settled();
    expect(await p.page.evaluate(inspect)).toEqual([]);
    expect(p.errors.filter((error) => !IN_PARSING.test(error))).toEqual([]);
    expect(p.foreign).toEqual([]);
    expect(server.connections()).toBe(0);
  };

  test("each text alone is harmless in the preview", async () => {
    await p.open("/console/add");
    for (const text of HOSTILE) {
      await p.fill("Text (Markdown)", text);
      await p.page.waitForSelector('.preview[aria-busy="false"] .rendered');
      expect([text, await p.page.evaluate(inspect)]).toEqual([text, []]);
    }
    await check();
  });

  const views = (): [string, string][] => [
    ["search", "/console/?q=kettle"],
    ["search by text", "/console/?q=kettle&mode=text"],
    [
      "a hostile search",
      `/console/?q=${encodeURIComponent(HOSTILE_LABELS[1]!)}&tags=${encodeURIComponent(HOSTILE_LABELS[0]!)}`,
    ],
    ["ask", `/console/ask?q=${encodeURIComponent("what about the kettle?")}`],
    ["documents", "/console/documents"],
    ["unsaved texts", "/console/drafts"],
    ["the trash", "/console/trash"],
    ["tags", "/console/tags"],
    ["the map", "/console/map"],
    ["documents with a hostile filter", `/console/documents?title=${encodeURIComponent(HOSTILE_LABELS[1]!)}`],
    ["prompts", "/console/prompts"],
    ["a prompt", `/console/prompts/${promptId}`],
    ["editing a prompt", `/console/prompts/${promptId}?view=edit`],
    ["versions of a prompt", `/console/prompts/${promptId}/versions`],
    ["collections", "/console/collections"],
    ["a collection", `/console/collections/${collectionId}`],
    ["add", "/console/add"],
    ["activity", "/console/activity"],
    ["machines", "/console/machines"],
    ["access", "/console/access"],
  ];
  test.each(Array.from({ length: 17 }, (_, index) => index))(
    "no view runs or loads anything (%i)",
    async (index) => {
      const [, path] = views()[index]!;
      await p.open(path);
      await check();
    },
  );

  test("no document does, rendered, as source, being edited, and as versions", async () => {
    for (const id of ids) {
      for (const path of ["", "?view=source", "?view=edit", "/versions"]) {
        await p.open(`/console/documents/${id}${path}`);
        await check();
      }
    }
  });

  test("hostile files and file names are harmless while they are imported, and so are their records", async () => {
    const folder = join(makeTempDir(), "vault");
    mkdirSync(folder);
    const label = HOSTILE_LABELS[1]!.replaceAll("/", "");
    const yaml = `title: ${JSON.stringify(HOSTILE_LABELS[0])}\ntags: [${JSON.stringify(label)}]`;
    writeFileSync(join(folder, `${label}.md`), `---\n${yaml}\n---\n${HOSTILE.slice(0, 20).join("\n\n")}`);
    writeFileSync(join(folder, `${label}.html`), HOSTILE.slice(20, 60).join("\n"));
    writeFileSync(join(folder, `${label}.exe`), "x");
    await p.open("/console/add?what=files");
    const [, input] = await p.page.$$('input[type="file"]');
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(folder);
    await p.page.waitForSelector('[aria-label="Import"][data-state="done"]');
    expect(await p.text('[aria-label="Import"]')).toContain("2 created");
    await check();
    const links = await p.page.$$eval(".jobs a", (found) => found.map((link) => link.getAttribute("href")!));
    for (const link of links) {
      await p.open(link);
      await check();
    }
    rmSync(join(folder, ".."), { recursive: true });
  });

  test("two hostile texts compared as a conflict are harmless", async () => {
    const [id = ""] = ids;
    await p.open(`/console/documents/${id}?view=edit`);
    await p.fill("Text (Markdown)", HOSTILE.slice(0, 40).join("\n\n"));
    await server.client("PATCH", `/v1/documents/${id}`, { content: HOSTILE.slice(40, 80).join("\n\n") });
    await p.press("Save");
    await p.page.waitForSelector(".conflict");
    p.errors.length = 0;
    await check();
    await p.press("Discard mine");
    await p.page.waitForFunction('!document.querySelector(".conflict")');
  });

  test("an image is loaded by the server, and only when it is asked for", async () => {
    const { id } = (
      await server.client("POST", "/v1/documents", {
        title: "Image",
        content: "![a kettle](https://www.evil.test/kettle.png)",
      })
    ).body.data;
    await p.open(`/console/documents/${id}`);
    const button = await p.page.waitForSelector("button.image-button");
    expect(await button!.evaluate((element) => element.textContent)).toBe(
      "Show image: a kettle (www.evil.test)",
    );
    await button!.click();
    // The name does not exist for this server either: the page says so.
    await p.page.waitForSelector(".notice.failed");
    expect(p.foreign).toEqual([]);
    expect(server.connections()).toBe(0);
    p.errors.length = 0;
  });
});
