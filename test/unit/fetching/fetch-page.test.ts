// One page fetched from real servers on loopback: which addresses it may connect to, and redirects.

import { describe, expect, test } from "bun:test";
import type { FetchError } from "../../../src/engine/fetching/errors.ts";
import { redirect } from "../../helpers/pages.ts";
import { cert, open, text, useSites } from "./fetcher.ts";

const { site, secure } = useSites();

describe("the connection uses the address that was checked", () => {
  test("a name is fetched from its checked address, with its own Host header", async () => {
    site.pages["/a"] = text("hello");
    const page = await open().get(`http://page.test:${site.port}/a#part`);
    expect(page).toMatchObject({ text: "hello", finalUrl: `http://page.test:${site.port}/a` });
    expect(site.seen[0]?.headers.get("host")).toBe(`page.test:${site.port}`);
  });

  test.each([
    ["a name that resolves to this machine", "page.test"],
    ["one private address of several", "mixed.test"],
    ["localhost", "localhost"],
    ["a name below localhost", "a.localhost"],
    ["an internal name", "vault.internal"],
    ["an internal name with its dot", "vault.internal."],
    ["an address", "127.0.0.1"],
    ["an address in IPv6", "[::1]"],
    ["metadata", "metadata.test"],
  ])("%s is rejected, and no request is sent", async (_name, host) => {
    site.pages["/a"] = text("secret");
    const error = await open({ allowPrivate: false }).failure(`http://${host}:${site.port}/a`);
    expect([error.code, error.retryable]).toEqual(["ADDRESS_REFUSED", false]);
    expect(error.message).not.toContain("169.254.169.254");
    expect(site.seen).toEqual([]);
  });

  test.each(["metadata.test", "169.254.169.254", "[::ffff:169.254.169.254]"])(
    "%s is rejected even if private networks are allowed",
    async (host) => {
      expect((await open().failure(`http://${host}:8080/latest`)).code).toBe("ADDRESS_REFUSED");
    },
  );

  test.each([["unknown.test"], ["nowhere.test"]])("%s cannot be resolved", async (host) => {
    const error = await open().failure(`http://${host}/`);
    expect([error.code, error.retryable]).toEqual(["DNS_FAILURE", true]);
  });

  test.each([22, 25, 1, 1023, 6667, 10080])("port %p is rejected", async (port) => {
    expect((await open().failure(`http://page.test:${port}/`)).code).toBe("PORT_REFUSED");
  });

  test("our own port on an address of this machine is rejected, even if private networks are allowed", async () => {
    const own = "8.8.8.8";
    const options = { allowPrivate: false, ownAddresses: () => [own] };
    for (const host of [own, "public.test"]) {
      const fetcher = open({ ...options, resolve: async () => [{ address: own, family: 4 }] });
      fetcher.setOwnPort(4817);
      const error = await fetcher.failure(`http://${host}:4817/`);
      expect([error.code, error.message]).toEqual(["ADDRESS_REFUSED", `${host} is this server`]);
    }
    const allowed = open();
    allowed.setOwnPort(site.port);
    for (const host of ["page.test", "127.0.0.1", "127.0.0.9", "[::1]", "[::ffff:127.0.0.1]", "localhost"]) {
      expect((await allowed.failure(`http://${host}:${site.port}/`)).code).toBe("ADDRESS_REFUSED");
    }
  });

  test("the next address is used if one does not accept connections", async () => {
    site.pages["/"] = text("found");
    const addresses = ["::1", "127.0.0.9", "127.0.0.1"];
    const fetcher = open({
      resolve: async () => addresses.map((address) => ({ address, family: address === "::1" ? 6 : 4 })),
    });
    expect(await fetcher.get(`http://page.test:${site.port}/`)).toMatchObject({ text: "found" });
  });
});

describe("redirects", () => {
  test.each([301, 302, 303, 307, 308])("%p is followed, relative too", async (status) => {
    site.pages["/from"] = () => redirect("to?x=1#y", status);
    site.pages["/to"] = text("there");
    const page = await open().get(`http://page.test:${site.port}/from`);
    expect(page).toMatchObject({ text: "there", finalUrl: `http://page.test:${site.port}/to?x=1` });
  });

  test("five are followed, six are not", async () => {
    for (let i = 0; i < 7; i++) site.pages[`/${i}`] = () => redirect(`/${i + 1}`);
    site.pages["/7"] = text("end");
    expect(await open().get(`http://page.test:${site.port}/2`)).toMatchObject({ text: "end" });
    const error = await open().failure(`http://page.test:${site.port}/1`);
    expect([error.code, error.retryable]).toEqual(["TOO_MANY_REDIRECTS", false]);
  });

  test.each([
    ["http://169.254.169.254/latest/meta-data/", "ADDRESS_REFUSED"],
    ["http://2852039166/", "ADDRESS_REFUSED"],
    ["//metadata.test:8080/", "ADDRESS_REFUSED"],
    ["http://page.test:22/", "PORT_REFUSED"],
    ["file:///etc/passwd", "URL_REFUSED"],
    ["ftp://page.test/", "URL_REFUSED"],
    ["javascript:alert(1)", "URL_REFUSED"],
    ["http://ada:secret@page.test/", "URL_REFUSED"],
    ["http://", "URL_REFUSED"],
    [`/${"x".repeat(9000)}`, "URL_REFUSED"],
  ])("to %s is rejected", async (location, code) => {
    site.pages["/from"] = () => redirect(location);
    expect((await open().failure(`http://page.test:${site.port}/from`)).code).toBe(
      code as FetchError["code"],
    );
  });

  test("a public page that redirects to a private address is rejected, and no request is sent there", async () => {
    // The page's own address is private too.
    site.pages["/from"] = () => redirect(`http://127.0.0.1:${secure.port}/admin`);
    let lookups = 0;
    const fetcher = open({
      allowPrivate: false,
      resolve: async () => {
        lookups++;
        return [{ address: "127.0.0.1", family: 4 }];
      },
    });
    expect((await fetcher.failure(`http://page.test:${site.port}/from`)).code).toBe("ADDRESS_REFUSED");
    expect([lookups, secure.seen.length]).toEqual([1, 0]);
  });

  test("a name is resolved again for every redirect, and a private address is rejected there", async () => {
    site.pages["/a"] = () => redirect("/b");
    const addresses = ["127.0.0.1", "169.254.169.254"];
    const fetcher = open({ resolve: async () => [{ address: addresses.shift()!, family: 4 }] });
    expect((await fetcher.failure(`http://page.test:${site.port}/a`)).code).toBe("ADDRESS_REFUSED");
    expect(site.seen.map(({ path }) => path)).toEqual(["/a"]);
  });

  test("a redirect from https to http is rejected; from http to https it is followed", async () => {
    const fetcher = open({ certificateAuthority: cert });
    site.pages["/up"] = () => redirect(`https://secure.test:${secure.port}/up`);
    secure.pages["/up"] = text("secured");
    secure.pages["/down"] = () => redirect(`http://page.test:${site.port}/`);
    expect(await fetcher.get(`http://page.test:${site.port}/up`)).toMatchObject({ text: "secured" });
    const error = await fetcher.failure(`https://secure.test:${secure.port}/down`);
    expect(error.code).toBe("REDIRECT_DOWNGRADE");
  });

  test("the caller's headers are sent to their origin only, except those that identify nobody", async () => {
    site.pages["/from"] = () => redirect(`http://other.test:${site.port}/over`);
    site.pages["/over"] = () => redirect(`http://page.test:${site.port}/back`);
    site.pages["/back"] = text("end");
    const headers = { Authorization: "Bearer s", Cookie: "s", "X-Api-Key": "s", "Accept-Language": "de" };
    await open().get(`http://page.test:${site.port}/from`, { headers });
    const sent = site.seen.map(({ headers: got }) =>
      ["authorization", "cookie", "x-api-key", "accept-language"].map((name) => got.get(name)),
    );
    expect(sent).toEqual([
      ["Bearer s", "s", "s", "de"],
      [null, null, null, "de"],
      [null, null, null, "de"],
    ]);
  });
});

describe("cookies of redirects", () => {
  const setCookie =
    (cookie: string, location: string, status = 302) =>
    () =>
      new Response(null, { status, headers: { "Set-Cookie": cookie, Location: location } });

  test("are sent within the fetch, to the host that set them", async () => {
    site.pages["/gate"] = setCookie("seen=1; Path=/", "/page");
    site.pages["/page"] = (request) =>
      request.headers.get("cookie") === "mine=2; seen=1"
        ? text("inside")()
        : new Response(null, { status: 403 });
    const url = `http://page.test:${site.port}/gate`;
    expect(await open().get(url, { headers: { Cookie: "mine=2" } })).toMatchObject({ text: "inside" });
    expect(site.seen[0]?.headers.get("cookie")).toBe("mine=2");
  });

  test("are not sent to other hosts, outside their path, or after they were taken back", async () => {
    site.pages["/other"] = setCookie("a=1", `http://other.test:${site.port}/end`);
    site.pages["/path"] = setCookie("a=1; Path=/only", "/end");
    site.pages["/gone"] = setCookie("a=1", "/back");
    site.pages["/back"] = setCookie("a=; Max-Age=0", "/end");
    site.pages["/end"] = text("end");
    for (const start of ["/other", "/path", "/gone"]) {
      await open().get(`http://page.test:${site.port}${start}`);
      expect(site.seen.at(-1)?.headers.get("cookie")).toBeNull();
    }
  });
});
