// /openapi.json and /docs are public and complete, and the page loads no other resources.

import { beforeAll, describe, expect, test } from "bun:test";
import { openApiDocument } from "../../../src/site/openapi/document.ts";
import type { OpenApiDocument } from "../../../src/site/openapi/document-types.ts";
import { html, prose } from "../../../src/site/openapi/html.ts";
import { renderPage } from "../../../src/site/openapi/page.ts";
import { DESCRIBED } from "../../../src/operations.ts";
import { fakeFetcher } from "../../helpers/fetcher.ts";
import { type Started, startServer, useServer } from "../../helpers/start.ts";

let document: OpenApiDocument;
let page: string;
const started = useServer({ fetcher: fakeFetcher() });

const fetchFrom = (path: string, init?: RequestInit, { send, url }: Started = started) =>
  send(new Request(url + path, init));

beforeAll(async () => {
  document = (await (await fetchFrom("/openapi.json")).json()) as OpenApiDocument;
  page = await (await fetchFrom("/docs")).text();
});

const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

describe("both", () => {
  test.each([
    ["/openapi.json", "application/json"],
    ["/docs", "text/html; charset=utf-8"],
  ])("%s supports GET and HEAD without a credential, and no other method", async (path, type) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await fetchFrom(path, {
        method,
        headers: { "User-Agent": "axios/1.7.9" },
      });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    }
    const post = await fetchFrom(path, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await fetchFrom(`${path}/`)).status).toBe(404);
  });

  test("use the base URL, never the Host header", async () => {
    expect(document.servers).toEqual([{ url: started.url }]);
    const headers = { Host: `localhost:${new URL(started.url).port}` };
    expect(await (await fetchFrom("/docs", { headers })).text()).toBe(page);
    const behindProxy = startServer({ settings: { baseUrl: "https://ctx.example.org" } });
    const found = (await (await fetchFrom("/openapi.json", {}, behindProxy)).json()) as OpenApiDocument;
    await behindProxy.stop();
    expect(found.servers).toEqual([{ url: "https://ctx.example.org" }]);
    expect({ ...found, servers: [] }).toEqual({ ...document, servers: [] });
  });
});

describe("the page", () => {
  test("cannot load resources or run scripts", async () => {
    const { headers } = await fetchFrom("/docs");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; style-src 'unsafe-inline'");
    expect(page).not.toMatch(/<(script|img|link|iframe|object|embed|form|base|video|audio)\b/i);
    expect(page).not.toMatch(/\s(src|srcset|style|on\w+)=/i);
    expect(/<style>([\s\S]*?)<\/style>/.exec(page)![1]!).not.toMatch(/url\(|@import|@font-face/);
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
    expect(links.filter((link) => !link!.startsWith("#") && link !== "/openapi.json")).toEqual([]);
  });

  test("every link has a target on the page, and every id is unique", () => {
    const places = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(places).size).toBe(places.length);
    const links = [...page.matchAll(/href="#([^"]*)"/g)].map(([, link]) => link);
    expect(links.filter((link) => !places.includes(link))).toEqual([]);
    for (const { operationId } of operationsOf(document)) {
      expect(places).toContain(operationId);
      expect(links).toContain(operationId);
    }
  });

  test("every element is closed", () => {
    const open: string[] = [];
    for (const [, close, name] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (name === undefined || name === "meta") continue;
      if (close === "") open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });

  test("every operation has its path, summary, parameters and responses", () => {
    const sections = page.split('<section id="').slice(1);
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId, summary, responses, ...operation }] of Object.entries(methods)) {
        const section = sections.find((text) => text.startsWith(`${operationId}"`))!;
        const title = html`${summary}`.markup;
        for (const text of [path, title, method.toUpperCase(), ...Object.keys(responses)]) {
          expect(section).toContain(text);
        }
        for (const parameter of operation.parameters) {
          if ("name" in parameter) expect(section).toContain(`${parameter.name} (${parameter.in})`);
        }
      }
    }
  });

  test("every value is escaped", () => {
    const hostile = `<script>alert(1)</script>"'&`;
    expect(html`<p title="${hostile}">${hostile}</p>`.markup).not.toContain("<script>");
    expect(html`${"<"}${[html`<b>${"&"}</b>`]}${undefined}${0}`.markup).toBe("&lt;<b>&amp;</b>0");
    expect(prose("a `<i>` b\n\nc").markup).toBe("<p>a <code>&lt;i&gt;</code> b</p><p>c</p>");
    const operations = DESCRIBED.operations.map((operation) => ({
      ...operation,
      summary: hostile,
      description: hostile,
    }));
    const given = openApiDocument({ ...DESCRIBED, operations }, "https://x/'\"<b>");
    const rendered = renderPage(given);
    expect(rendered).toContain("&lt;script&gt;");
    expect(rendered).not.toMatch(/<script|<b>/);
  });
});

/** The words of a shell command, split by the shell. */
function wordsOf(command: string, environment: Record<string, string>): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const { stdout, stderr } = Bun.spawnSync(["sh", "-c", script], { env: environment });
  expect(stderr.toString()).toBe("");
  return stdout.toString().split("\0").slice(0, -1);
}

const UNESCAPED: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

test("every curl command on the page is a valid request", async () => {
  const commands = [...page.matchAll(/<code>(curl [\s\S]*?)<\/code>/g)].map(([, code]) =>
    code!.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => UNESCAPED[entity]!),
  );
  expect(commands).toHaveLength(operationsOf(document).length);
  for (const command of commands) {
    const words = wordsOf(command, { KEY: started.key.key });
    const headers: Record<string, string> = { "User-Agent": "curl/8.9.0" };
    let [method, url, body] = ["GET", "", undefined as string | undefined];
    const rest = words.values();
    for (const word of rest) {
      if (!word.startsWith("-")) {
        url = word;
        continue;
      }
      const value: string = rest.next().value!;
      if (word === "-X") method = value;
      else if (word === "-d") body = value;
      else headers[value.split(": ", 1)[0]!] = value.slice(value.indexOf(": ") + 2);
    }
    const { status } = await started.send(new Request(url, { method, headers, body }));
    // The record in the example does not exist or has changed, but the request is valid.
    expect([command, [200, 201, 202, 404, 412].includes(status)]).toEqual([command, true]);
  }
});
