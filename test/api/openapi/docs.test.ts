// /openapi.json and /docs as they are served: to anybody, complete, and without a way to ask somebody else for anything.

import { beforeAll, describe, expect, test } from "bun:test";
import { type OpenApiDocument, openApiDocument } from "../../../src/features/openapi/document.ts";
import { html, prose } from "../../../src/features/openapi/html.ts";
import { renderPage } from "../../../src/features/openapi/page.ts";
import { OPERATIONS } from "../../../src/operations.ts";
import { fakeFetcher } from "../../helpers/fetcher.ts";
import { startServer, useServer } from "../../helpers/start.ts";

let document: OpenApiDocument;
let page: string;
const started = useServer({ socket: true, fetcher: fakeFetcher() });

beforeAll(async () => {
  document = (await (await fetch(`${started.url}/openapi.json`)).json()) as OpenApiDocument;
  page = await (await fetch(`${started.url}/docs`)).text();
});

const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

describe("both", () => {
  test.each([
    ["/openapi.json", "application/json"],
    ["/docs", "text/html; charset=utf-8"],
  ])("%s answers anybody, HEAD too, and nothing else", async (path, type) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await fetch(started.url + path, {
        method,
        headers: { "User-Agent": "axios/1.7.9" },
      });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
      expect((await response.text()) === "").toBe(method === "HEAD");
    }
    const post = await fetch(started.url + path, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await fetch(`${started.url}${path}/`)).status).toBe(404);
  });

  test("name the server as it is reached, never by the Host of a request", async () => {
    expect(document.servers).toEqual([{ url: started.url }]);
    const headers = { Host: `localhost:${started.port}` };
    expect(await (await fetch(`${started.url}/docs`, { headers })).text()).toBe(page);
    const behindProxy = startServer({ socket: true, settings: { baseUrl: "https://ctx.example.org" } });
    const found = (await (await fetch(`${behindProxy.url}/openapi.json`)).json()) as OpenApiDocument;
    await behindProxy.stop();
    expect(found.servers).toEqual([{ url: "https://ctx.example.org" }]);
    expect({ ...found, servers: [] }).toEqual({ ...document, servers: [] });
  });
});

describe("the page", () => {
  test("can load nothing and run nothing", async () => {
    const { headers } = await fetch(`${started.url}/docs`);
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; style-src 'unsafe-inline'");
    expect(page).not.toMatch(/<(script|img|link|iframe|object|embed|form|base|video|audio)\b/i);
    expect(page).not.toMatch(/\s(src|srcset|style|on\w+)=/i);
    expect(/<style>([\s\S]*?)<\/style>/.exec(page)![1]).not.toMatch(/url\(|@import|@font-face/);
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
    expect(links.filter((link) => !link.startsWith("#") && link !== "/openapi.json")).toEqual([]);
  });

  test("every link leads to a place in it, and every place is there once", () => {
    const places = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(places).size).toBe(places.length);
    const links = [...page.matchAll(/href="#([^"]*)"/g)].map(([, link]) => link);
    expect(links.filter((link) => !places.includes(link))).toEqual([]);
    for (const { operationId } of operationsOf(document)) {
      expect(places).toContain(operationId);
      expect(links).toContain(operationId);
    }
  });

  test("every element is closed where it belongs", () => {
    const open: string[] = [];
    for (const [, close, name] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (name === "meta") continue;
      if (close === "") open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });

  test("every operation is there with path, summary, parameters and answers", () => {
    const sections = page.split('<section id="').slice(1);
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId, summary, responses, ...operation }] of Object.entries(methods)) {
        const section = sections.find((text) => text.startsWith(`${operationId}"`))!;
        for (const text of [path, summary, method.toUpperCase(), ...Object.keys(responses)]) {
          expect(section).toContain(text);
        }
        for (const parameter of operation.parameters) {
          if ("name" in parameter) expect(section).toContain(`${parameter.name} (${parameter.in})`);
        }
      }
    }
  });

  test("what stands in it is text, whatever it holds", () => {
    const hostile = `<script>alert(1)</script>"'&`;
    expect(html`<p title="${hostile}">${hostile}</p>`.markup).not.toContain("<script>");
    expect(html`${"<"}${[html`<b>${"&"}</b>`]}${undefined}${0}`.markup).toBe("&lt;<b>&amp;</b>0");
    expect(prose("a `<i>` b\n\nc").markup).toBe("<p>a <code>&lt;i&gt;</code> b</p><p>c</p>");
    const [first, ...rest] = OPERATIONS;
    const given = openApiDocument(
      [{ ...first, summary: hostile, description: hostile }, ...rest],
      "https://x/'\"<b>",
    );
    const rendered = renderPage(given);
    expect(rendered).toContain("&lt;script&gt;");
    expect(rendered).not.toMatch(/<script|<b>/);
  });
});

/** What the words of a shell command are, by the shell itself. */
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

test("every curl command of the page is a good request when it is pasted", async () => {
  const commands = [...page.matchAll(/<code>(curl [\s\S]*?)<\/code>/g)].map(([, code]) =>
    code.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => UNESCAPED[entity]),
  );
  expect(commands).toHaveLength(OPERATIONS.length);
  for (const command of commands) {
    const words = wordsOf(command, { KEY: started.key.key });
    const headers: Record<string, string> = { "User-Agent": "curl/8.9.0" };
    let [method, url, body] = ["GET", "", undefined as string | undefined];
    for (let index = 0; index < words.length; index++) {
      if (words[index] === "-X") method = words[++index];
      else if (words[index] === "-d") body = words[++index];
      else if (words[index] === "-H") {
        const [name, ...value] = words[++index].split(": ");
        headers[name] = value.join(": ");
      } else url = words[index];
    }
    const { status } = await fetch(url, { method, headers, body });
    // The record of the examples is not there, or its state is another one: the request itself is good.
    expect([command, [200, 201, 202, 404, 412].includes(status)]).toEqual([command, true]);
  }
});
