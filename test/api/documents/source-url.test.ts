// sourceUrl: an absolute http or https URI, stored as sent.

import { expect, test } from "bun:test";
import { useServer } from "../../helpers/start.ts";

const started = useServer();

const create = (sourceUrl: unknown) =>
  started.client("POST", "/v1/documents", { title: "t", content: "", sourceUrl });

test.each([
  "http://a.b",
  "https://a.b/",
  "HTTPS://Example.ORG:8443/A%20b/%C3%BC?q=[x]".replace("[x]", "%5Bx%5D"),
  "http://[::1]:80/x",
  "http://user:pw@a.b/;p=1,2?x=1&y='()*!$#top",
  "https://xn--mnchen-3ya.de/?a=b?c/d",
])("%s is stored as sent", async (url) => {
  const { status, body } = await create(url);
  expect(status).toBe(201);
  expect((await started.client("GET", `/v1/documents/${body.data.id}`)).body.data.sourceUrl).toBe(url);
});

test.each([
  " http://a\n.b ",
  "\thttp://a.b",
  "http://a.b ",
  "http://a.b/x y",
  "http://a.b/\u0001",
  "http://a.b/\0",
  "http://münchen.de/",
  "http://a.b/ü",
  "http://a.b\\c",
  "http://a.b/<x>",
  'http://a.b/"x"',
  "http://a.b/%zz",
  "http://a.b/%2",
  "http://a.b/#a#b",
  "http://a.b/[x]",
  "http://",
  "http:///x",
  "http:a.b",
  "http://[::1",
  "http://[zz]/",
  "http://a.b:99999/",
  "//a.b/x",
  "/x",
  "a.b",
  "localhost:3000",
  "ftp://a.b/",
  "javascript:alert(1)",
  "data:text/html,x",
  "mailto:a@b.c",
  "",
  `http://a.b/${"x".repeat(8 * 1024)}`,
])("%j is 400", async (url) => {
  const { status, body } = await create(url);
  expect(status).toBe(400);
  expect(body.error.details).toEqual([{ path: "sourceUrl", message: expect.any(String) }]);
});

test("PATCH has the same rule, and null clears it", async () => {
  const { id } = (await create("http://a.b/")).body.data;
  const patch = (sourceUrl: unknown) => started.client("PATCH", `/v1/documents/${id}`, { sourceUrl });
  expect((await patch("javascript:alert(1)")).status).toBe(400);
  expect((await patch("http://a.c/")).status).toBe(200);
  expect((await patch(null)).status).toBe(200);
});
