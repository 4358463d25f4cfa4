// Addresses of other servers: what is accepted, and what would send the key where it must not go.

import { expect, test } from "bun:test";
import { authorizationOf, remoteUrl } from "../../../src/sync/address.ts";

test.each([
  ["https://notes.example.org", "https://notes.example.org"],
  ["https://notes.example.org/", "https://notes.example.org"],
  ["https://example.org/notes/v1/", "https://example.org/notes"],
  ["http://127.0.0.1:4817", "http://127.0.0.1:4817"],
  ["http://localhost:4817/v1", "http://localhost:4817"],
  ["http://[::1]:4817", "http://[::1]:4817"],
])("%s is the address %s", (given, url) => {
  expect(remoteUrl(given)).toBe(url);
});

test.each([
  "notes.example.org",
  "http://notes.example.org",
  "http://127.0.0.1.example.org",
  "http://localhost.example.org",
  "ftp://notes.example.org",
  "file:///etc/passwd",
  "https://ada:secret@notes.example.org",
  "https://notes.example.org/?key=gm_1",
  "https://notes.example.org/#x",
])("%s is refused", (given) => {
  expect(() => remoteUrl(given)).toThrow("URL: must");
});

test("a first-party key and a token have their own forms", () => {
  expect([authorizationOf("gm_a_b"), authorizationOf("oat_x")]).toEqual(["API-Key gm_a_b", "Bearer oat_x"]);
});
