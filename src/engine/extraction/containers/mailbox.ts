// Divides a mailbox (.mbox) into its mails, and finds their threads.
// https://www.rfc-editor.org/rfc/rfc4155, with `>From ` as mboxrd and mboxo write it.

import { decodeWords } from "postal-mime";
import { ExtractionError } from "../errors.ts";
import { MAX_PARTS, namer, type Part, type UnpackedFile } from "./part.ts";

const START = Buffer.from("\nFrom ");
/** Bytes of a mail in which its headers are looked for. */
const MAX_HEADERS = 64 * 1024;
const MAX_SUBJECT = 200;
/** A mail that answers more is only compared by the last of them. */
const MAX_REFERENCES = 50;

/** Divides a mailbox. Throws ExtractionError if it is none, or has too many mails. */
export async function unpackMailbox(bytes: Uint8Array): Promise<UnpackedFile> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.subarray(0, 5).toString("latin1") !== "From ")
    throw new ExtractionError("NOT_TEXT", "the file is no mailbox: it does not begin with `From `");
  const mails: Mail[] = [];
  const nameOf = namer();
  for (let start = 0; start < file.length; ) {
    const end = endOf(file, start);
    const lineEnd = file.indexOf("\n", start);
    const raw = file.subarray(lineEnd < 0 || lineEnd > end ? end : lineEnd + 1, end);
    start = end;
    if (raw.length === 0) continue;
    if (mails.length >= MAX_PARTS)
      throw new ExtractionError("TOO_LARGE", `the mailbox has more than ${MAX_PARTS} mails`);
    mails.push(mailOf(raw, nameOf));
  }
  nameThreads(mails);
  return { parts: mails.map(({ part }) => part), others: [] };
}

/** Where the mail that starts at `start` ends: before the next `From ` at the start of a line after a blank line. */
function endOf(file: Buffer, start: number): number {
  for (let at = file.indexOf(START, start); at >= 0; at = file.indexOf(START, at + 1)) {
    const before = file.subarray(Math.max(0, at - 2), at).toString("latin1");
    if (/\n\r?$/.test(before)) return at + 1;
  }
  return file.length;
}

interface Mail {
  part: Part;
  subject: string;
  ids: string[];
}

function mailOf(raw: Buffer, nameOf: ReturnType<typeof namer>): Mail {
  const head = raw.subarray(0, MAX_HEADERS).toString("latin1");
  const headers = head.slice(0, /\r?\n\r?\n/.exec(head)?.index ?? head.length).replace(/\r?\n[ \t]+/g, " ");
  const header = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(headers)?.[1]?.trim() ?? "";
  const subject = decodeWords(header("Subject")).slice(0, MAX_SUBJECT);
  const [id = ""] = idsIn(header("Message-ID"));
  const gmail = header("X-GM-THRID");
  const answered = [...idsIn(header("References")), ...idsIn(header("In-Reply-To"))].slice(-MAX_REFERENCES);
  const body = Buffer.from(raw.toString("latin1").replace(/^>(>*From )/gm, "$1"), "latin1");
  return {
    part: { path: nameOf(subject, id || body.toString("latin1"), "eml"), body },
    subject,
    ids: [id, ...answered, gmail === "" ? "" : `gmail ${gmail}`].filter((one) => one !== ""),
  };
}

const idsIn = (text: string) => text.match(/<[^<>\s]{1,998}>/g) ?? [];

/** Names the threads of two or more mails after the subject of their first. */
function nameThreads(mails: readonly Mail[]): void {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    for (let place = id; place !== root; ) {
      const next = parents.get(place)!;
      parents.set(place, root);
      place = next;
    }
    return root;
  };
  for (const { ids } of mails)
    for (const id of ids.slice(1)) {
      const [one, other] = [rootOf(ids[0]!), rootOf(id)];
      if (one !== other) parents.set(one, other);
    }
  const threads = Map.groupBy(
    mails.filter(({ ids }) => ids.length > 0),
    ({ ids }) => rootOf(ids[0]!),
  );
  for (const thread of threads.values()) {
    const name = thread[0]!.subject
      .replace(/^(?:\s*(?:re|fwd?|aw|wg|sv|vs|tr|rv)\s*(?:\[\d+\])?:\s*)+/i, "")
      .trim();
    if (thread.length > 1 && name !== "") for (const { part } of thread) part.thread = name;
  }
}
