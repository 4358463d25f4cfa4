// bun run screenshots: fills a temporary server with documents of an invented team and takes pictures of every view
// (light, dark, on a phone) into docs/images/. It needs Chromium (CHROMIUM_PATH, `chromium` or `google-chrome`).

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Page } from "puppeteer-core";
import { openApp, warmUp } from "../src/app.ts";
import { localAuthorization } from "../src/auth/local-access.ts";
import { LOCAL_OWNER } from "../src/auth/users.ts";
import { readSettings } from "../src/base/config.ts";
import { startJobs } from "../src/job-handlers.ts";
import { serve } from "../src/server.ts";
import { DOCUMENTS, PROMPTS } from "./screenshots/records.ts";

const IMAGES = join(import.meta.dir, "../docs/images");
const THEMES = [
  { name: "light", dark: false, width: 1180, height: 760 },
  { name: "dark", dark: true, width: 1180, height: 760 },
  { name: "phone", dark: false, width: 360, height: 640 },
] as const;
/** A view is complete when nothing has been read for this long. */
const SETTLE_MS = 500;
/** Of WebP, so that all pictures together take about a megabyte. */
const QUALITY = 60;

const chromium = process.env.CHROMIUM_PATH || Bun.which("chromium") || Bun.which("google-chrome");
if (!chromium) throw new Error("no browser: install chromium, or set CHROMIUM_PATH");

const dataDir = mkdtempSync(join(tmpdir(), "ctxrepo-screenshots-"));
const app = openApp(readSettings({ dataDir, port: "0", logLevel: "error" }, {}));
const server = serve(app);
warmUp(app);
startJobs(app);

// biome-ignore lint/suspicious/noExplicitAny: the shape is that of the operation
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      "User-Agent": "ctxrepo-screenshots/1.0",
      "Content-Type": "application/json",
      Authorization: localAuthorization(app.credentials.localSecret, LOCAL_OWNER),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const reply = (await response.json()) as { data: unknown };
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(reply)}`);
  return reply.data;
}

/** Stores the records and returns the views with their addresses. */
async function fill(): Promise<Record<string, string>> {
  const team = (
    await call("POST", "/v1/collections", { name: "Tidewater team", icon: "🌊", color: "#dbeafe" })
  ).id;
  const runbooks = (
    await call("POST", "/v1/collections", {
      name: "Runbooks",
      icon: "📕",
      color: "#fee2e2",
      parentCollectionId: team,
    })
  ).id;
  let first = "";
  for (const { edited, ...document } of DOCUMENTS) {
    const collectionIds = [document.tags.includes("runbook") ? runbooks : team];
    const { id } = await call("POST", "/v1/documents", { ...document, collectionIds });
    if (edited === undefined) continue;
    first ||= id;
    const changeLog = "New threshold after the storm";
    await call("PATCH", `/v1/documents/${id}`, { content: edited, changeLog });
  }
  let prompt = "";
  for (const body of PROMPTS) prompt = (await call("POST", "/v1/prompts", body)).id;
  for (const name of ["Research agent", "Laptop"]) {
    await call("POST", "/console/api/keys", { name, scopes: ["documents.write", "prompts.read"] });
  }
  await app.jobs.idle();
  const question = encodeURIComponent("When do we close the flood gate?");
  return {
    search: `/console/?q=${encodeURIComponent("what to do when the water rises")}`,
    ask: `/console/ask?q=${question}`,
    documents: "/console/documents",
    map: "/console/map",
    document: `/console/documents/${first}`,
    edit: `/console/documents/${first}?view=edit`,
    versions: `/console/documents/${first}/versions`,
    prompts: "/console/prompts",
    prompt: `/console/prompts/${prompt}`,
    collections: `/console/collections/${team}`,
    add: "/console/add",
    activity: "/console/activity",
    access: "/console/access",
  };
}

async function take(page: Page, views: Record<string, string>, theme: string): Promise<void> {
  for (const [view, path] of Object.entries(views)) {
    await page.goto(server.url + path);
    await page.waitForSelector("main h1");
    await page.waitForNetworkIdle({ idleTime: SETTLE_MS });
    await page.screenshot({ path: join(IMAGES, `${view}-${theme}.webp`), quality: QUALITY });
  }
}

const views = await fill();
const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"] });
mkdirSync(IMAGES, { recursive: true });
for (const { name, dark, width, height } of THEMES) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  const { code } = await call("POST", "/console/api/codes");
  await page.goto(`${server.url}/console/#signin=${code}`);
  await page.waitForSelector("#search");
  await take(page, views, name);
  await context.close();
}
await browser.close();
await server.stop(0);
await app.close();
rmSync(dataDir, { recursive: true });
process.exit();
