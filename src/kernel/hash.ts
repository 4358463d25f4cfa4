// SHA-256 digests.

/** Lower-case hex SHA-256 of UTF-8 text or bytes. */
export function sha256Hex(data: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(data).digest("hex");
}

/** The `contentHash` of the API: `sha256:` and the hex digest of the UTF-8 text. */
export function contentHash(text: string): string {
  return `sha256:${sha256Hex(text)}`;
}
