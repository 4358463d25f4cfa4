// Which addresses may be connected to, in every notation.

import { describe, expect, test } from "bun:test";
import { addressKindOf } from "../../../src/engine/fetching/addresses.ts";
import { readScrapeUrl } from "../../../src/engine/fetching/scrape-url.ts";
import { cpuMs } from "../../helpers/cpu-time.ts";

const PUBLIC = ["8.8.8.8", "1.1.1.1", "172.32.0.1", "2606:4700:4700::1111", "[2a00:1450:4001::5]"];
const WRAPPED_PUBLIC = ["::ffff:8.8.8.8", "[::ffff:808:808]", "64:ff9b::8.8.8.8", "::ffff:0:8.8.8.8"];
const PRIVATE = [
  "127.0.0.1",
  "127.255.255.254",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "100.64.0.1",
  "198.18.0.1",
  "198.19.255.255",
  "::1",
  "[::1]",
  "fc00::1",
  "fd12:3456::1",
  "::ffff:127.0.0.1",
  "[::ffff:7f00:1]",
  "::ffff:0:127.0.0.1",
  "64:ff9b::10.0.0.1",
];
const NEVER = [
  "0.0.0.0",
  "0.1.2.3",
  "169.254.0.1",
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.1",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::7f00:1",
  "::ffff:169.254.169.254",
  "::ffff:0:169.254.169.254",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b::0.0.0.0",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  "2001:db8::1",
  "2002:7f00:1::",
  "2002:808:808::",
  "4000::1",
  "5f00::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "fd00:ec2::254",
  "fd20:ce::254",
  "not an address",
  "",
];

test.each(PUBLIC.concat(WRAPPED_PUBLIC))("%s is public", (address) => {
  expect(addressKindOf(address)).toBe("public");
});
test.each(PRIVATE)("%s is private", (address) => {
  expect(addressKindOf(address)).toBe("private");
});
test.each(NEVER)("%s is never connected to", (address) => {
  expect(addressKindOf(address)).toBe("never");
});

const urlOrCode = (url: string, allowPrivate = false) => {
  try {
    return readScrapeUrl(url, allowPrivate);
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("URLs as users enter them", () => {
  test.each([
    ["example.com", "https://example.com"],
    ["  example.com/a?b=http://c#d ", "https://example.com/a?b=http://c#d"],
    ["localhost:3000/x", "https://localhost:3000/x"],
    ["HTTP://Example.com/", "HTTP://Example.com/"],
    ["https://münchen.example/ä", "https://xn--mnchen-3ya.example/%C3%A4"],
    ["https://example.com/[a]?b={c}|d%zz", "https://example.com/%5Ba%5D?b=%7Bc%7D%7Cd%25zz"],
    ["http://example.com/%41?a=1#b", "http://example.com/%41?a=1#b"],
    ["http://example.com/#a#b", "http://example.com/#a%23b"],
    ["https://example.com/a b", "https://example.com/a%20b"],
    ["https://example.com\\a", "https://example.com/a"],
    ["http://localhost", "http://localhost"],
    ["http://printer.internal./", "http://printer.internal./"],
    ["http://8.8.8.8/", "http://8.8.8.8/"],
    ["http://[::ffff:8.8.8.8]/", "http://[::ffff:8.8.8.8]/"],
  ])("%s is %s", (text, url) => {
    expect(urlOrCode(text)).toBe(url);
  });

  test.each([
    "ftp://example.com/",
    "file:///etc/passwd",
    "file:/etc/passwd",
    "mailto:ada@example.com",
    "javascript:alert(1)",
    "javascript:1",
    "tel:123",
    "data:text/html,x",
    "gopher://example.com",
    "ws://example.com",
    "https://ada:secret@example.com/",
    "https://@example.com/",
    "ada@example.com",
    "https:\\\\ada@example.com",
    "http:\\\\127.0.0.1\\",
    "https://",
    "https://exa mple.com",
    "http://256.256.256.256/",
    "http://[::1",
    "http://example.com:99999/",
    "",
  ])("%s is rejected", (text) => {
    expect(urlOrCode(text)).toBe("URL_REFUSED");
    expect(urlOrCode(text, true)).toBe("URL_REFUSED");
  });

  const LOOPBACK = [
    "http://127.0.0.1/",
    "127.0.0.1:8080",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.1/",
    "http://127.0.0.1./",
    "http://１２７.0.0.1/",
    "http://127。0。0。1/",
    "http://%31%32%37.0.0.1/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]:8080/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::FFFF:7F00:1]/",
    "http:///127.0.0.1/",
    "http://10.0.0.1/",
    "http://192.168.0.1:8080/",
  ];
  test.each(LOOPBACK)("%s is rejected, and allowed if private networks are", (text) => {
    expect(urlOrCode(text)).toBe("ADDRESS_REFUSED");
    expect(urlOrCode(text, true)).toStartWith("http");
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://[::ffff:169.254.169.254]/",
    "http://[64:ff9b::169.254.169.254]/",
    "http://[2002:a9fe:a9fe::]/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
    "http://0/",
    "http://0.0.0.0:4817/",
    "http://[::]/",
    "http://[::127.0.0.1]/",
    "http://255.255.255.255/",
  ])("%s is always rejected", (text) => {
    expect(urlOrCode(text)).toBe("ADDRESS_REFUSED");
    expect(urlOrCode(text, true)).toBe("ADDRESS_REFUSED");
  });

  test("the message says why an address is rejected", () => {
    const message = (url: string) => {
      try {
        return readScrapeUrl(url, false);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(message("http://169.254.169.254/")).toBe("169.254.169.254 is an address that is never fetched");
    expect(message("http://10.0.0.1/")).toBe(
      "10.0.0.1 is in a private network (the server can allow it: --scrape-private-network allow)",
    );
  });

  test.each([
    ["a scheme", "a".repeat(1_000_000)],
    ["colons", "a:".repeat(500_000)],
    ["slashes", `http:${"/".repeat(1_000_000)}`],
    ["user names", `http://${"a@".repeat(500_000)}`],
    ["blanks", `${" ".repeat(1_000_000)}x y`],
  ])("1 MB of %s is read in linear time", (_name, text) => {
    const startedAt = cpuMs();
    urlOrCode(text);
    expect(cpuMs() - startedAt).toBeLessThan(2_000);
  });
});
