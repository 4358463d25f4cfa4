// Digests by which an import tells whether a file has changed, and whether its record was edited since. They are those of
// `ctxrepo import`.

import { canonicalJson } from "../../../../kernel/canonical-json.ts";

/** The members of a record that both import and people change. */
export interface StoredRecord {
  title: string;
  content?: string;
  tags: string[];
  metadata?: Record<string, unknown>;
  description?: string;
  variables?: unknown[];
  parameters?: Record<string, unknown>;
}

/** Lower-case hex SHA-256 of UTF-8 text or bytes. */
export async function sha256Hex(data: string | ArrayBuffer): Promise<string> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Digest of a record without what import remembers in its metadata. Equal digests mean equal members. */
export async function stateOf(record: StoredRecord): Promise<string> {
  const { title, content = "", tags, metadata = {}, description, variables, parameters } = record;
  const { importPath, importHash, importState, ...others } = metadata;
  const text = `sha256:${await sha256Hex(content)}`;
  const prompt = [description ?? "", variables ?? [], parameters ?? {}];
  return (await sha256Hex(canonicalJson([title, text, tags, others, prompt]))).slice(0, 32);
}
