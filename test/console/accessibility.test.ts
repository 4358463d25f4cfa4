// What every view must be for everyone: usable with the keyboard only, 360 pixels wide, light and dark, and without
// serious findings of axe.

import { beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";

/** The limit of a good page by the Core Web Vitals. */
const MAX_SHIFT = 0.1;

describe.skipIf(!CHROMIUM)("every view", () => {
  const server = useConsole();
  const paths: string[] = [];
  let documentId = "";
  let pages: { name: string; p: ConsolePage }[];

  beforeAll(async () => {
    const { client, create } = server;
    const wide = "averyveryverylongwordwithoutanyspaces".repeat(8);
    const content = `# Tea\n\nThe kettle whistles. ${wide}\n\n## Table\n\n| a | b |\n|---|---|\n| ${wide} | 2 |\n\n\`\`\`\n${wide}\n\`\`\`\n\n![picture](https://example.org/x.png)\n\n> quote\n`;
    documentId = await create("/v1/documents", {
      title: `Tea ${wide.slice(0, 200)}`,
      content,
      tags: ["home", wide.slice(0, 60)],
      metadata: { wide },
    });
    await client("PATCH", `/v1/documents/${documentId}`, { content: `${content}\nMore ${wide}\n` });
    for (let i = 0; i < 40; i++)
      await create("/v1/documents", { title: `Note ${i}`, content: `Text ${i}`, tags: ["home"] });
    const prompt = await create("/v1/prompts", {
      title: "Review",
      description: wide,
      content: "Review ${diff}.",
      tags: ["x"],
    });
    const collection = await create("/v1/collections", {
      name: wide.slice(0, 100),
      icon: "🌊",
      color: "#dbeafe",
    });
    await create("/v1/collections", { name: "Child", parentCollectionId: collection });
    await client("POST", `/v1/collections/${collection}/items`, {
      itemType: "document",
      itemIds: [documentId],
    });
    await server.settle();
    paths.push(
      "/console/",
      "/console/?q=kettle",
      "/console/?q=nothingatall&mode=text",
      "/console/ask",
      "/console/ask?q=When+does+the+kettle+whistle%3F",
      "/console/documents",
      "/console/documents?title=none",
      `/console/documents/${documentId}`,
      `/console/documents/${documentId}?view=source`,
      `/console/documents/${documentId}?view=edit`,
      `/console/documents/${documentId}/versions`,
      "/console/prompts",
      `/console/prompts/${prompt}`,
      `/console/prompts/${prompt}?view=edit`,
      `/console/prompts/${prompt}/versions`,
      "/console/collections",
      `/console/collections/${collection}`,
      "/console/add",
      "/console/add?what=prompt",
      "/console/add?what=page",
      "/console/add?what=files",
      "/console/activity",
      "/console/machines",
      "/console/access",
      "/console/drafts",
      "/console/trash",
      "/console/tags",
      "/console/map",
    );
    pages = [
      { name: "light", p: await server.signIn() },
      { name: "dark", p: await server.signIn("/console/", { dark: true }) },
      { name: "phone", p: await server.signIn("/console/", { width: 360, height: 640 }) },
    ];
  });

  test.each(["light", "dark", "phone"])("axe finds nothing serious (%s)", async (name) => {
    const { p } = pages.find((one) => one.name === name)!;
    const findings: string[] = [];
    for (const path of paths) {
      await p.open(path);
      // By the debugging protocol, which the content security policy does not restrict.
      await p.page.evaluate(axe.source);
      const { violations } = (await p.page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] })",
      )) as axe.AxeResults;
      for (const { id, impact, nodes } of violations) {
        if (impact !== "serious" && impact !== "critical") continue;
        findings.push(`${path}: ${id} (${impact}) ${nodes[0]?.html.slice(0, 120)}`);
      }
    }
    expect(findings).toEqual([]);
  });

  test("fits into 360 pixels", async () => {
    const { p } = pages.find((one) => one.name === "phone")!;
    const wide: string[] = [];
    for (const path of paths) {
      await p.open(path);
      const width = await p.page.evaluate("document.documentElement.scrollWidth");
      if (Number(width) > 360) wide.push(`${path}: ${width}`);
    }
    expect(wide).toEqual([]);
  });

  test("does not move what is already shown", async () => {
    const { p } = pages.find((one) => one.name === "light")!;
    const moved: string[] = [];
    const shiftOf = async (path: string) => {
      await p.open(path);
      const shift = await p.page.evaluate(
        `new Promise((done) => {
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => done(sum), 100);
          })`,
      );
      return Number(shift);
    };
    for (const path of paths) {
      // A browser that gets no processor for a while shows steps that nobody sees otherwise: what moved is loaded
      // again.
      const shift = (await shiftOf(path)) > MAX_SHIFT ? await shiftOf(path) : 0;
      if (shift > MAX_SHIFT) moved.push(`${path}: ${shift}`);
    }
    expect(moved).toEqual([]);
  });

  test("can be used with the keyboard only: search, open, edit, save, go back", async () => {
    const { p } = pages.find((one) => one.name === "light")!;
    const { keyboard } = p.page;
    const focused = () =>
      p.page.evaluate("document.activeElement.textContent + '|' + document.activeElement.localName");
    await p.open("/console/activity");
    await keyboard.press("/");
    await p.page.waitForFunction('document.activeElement?.id === "search"');
    await keyboard.type("kettle whistles");
    await p.sees("kettle", ".hits");
    await keyboard.press("ArrowDown");
    expect(await focused()).toStartWith("Tea ");
    await keyboard.press("ArrowUp");
    expect(await focused()).toBe("|input");
    await keyboard.press("ArrowDown");
    await keyboard.press("Escape");
    expect(await focused()).toBe("|input");
    await keyboard.press("Enter");
    await p.page.waitForSelector(".block.marked");
    const tabTo = async (test: string) => {
      for (let presses = 0; presses < 60; presses++) {
        if (await p.page.evaluate(test)) return;
        await keyboard.press("Tab");
      }
      throw new Error(`the keyboard does not reach ${test}`);
    };
    await tabTo('document.activeElement.matches(".choice input")');
    await keyboard.press("ArrowRight");
    await keyboard.press("ArrowRight");
    await p.page.waitForSelector(".editor");
    await tabTo('document.activeElement.matches(".text-editor")');
    await keyboard.type("Typed. ");
    await keyboard.down("Control");
    await keyboard.press("s");
    await keyboard.up("Control");
    await p.sees("revision 2");
    const { body } = await server.client("GET", `/v1/documents/${documentId}`);
    expect(body.data.content).toContain("Typed. ");
    // What has the focus is visible.
    await keyboard.press("Tab");
    expect(await p.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).not.toBe("none");
  });
});
