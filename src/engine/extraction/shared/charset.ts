// Decodes bytes to text. The encoding is determined as in the WHATWG standard: byte order mark, header, declaration in
// the page, UTF-8 if it is valid, windows-1252.

/** The declaration of a page is read from this many bytes at its start. */
const SNIFFED_BYTES = 4_096;

/** A label that TextDecoder accepts. */
type Label = ConstructorParameters<typeof TextDecoder>[0];

const MARKS: [Label, number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** Decodes `body`; `charset` is the header's parameter or "". Invalid bytes become U+FFFD. */
export function decodeText(body: Uint8Array, charset: string): string {
  const label = byteOrderMarkOf(body) ?? encodingOf(charset) ?? encodingOf(declaredIn(body));
  if (label) return new TextDecoder(label).decode(body);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return new TextDecoder(isMostlyUtf8(body) ? "utf-8" : "windows-1252").decode(body);
  }
}

/** True if the start of a body has many control characters and is not UTF-16. `charset` as for decodeText. */
export function looksBinary(body: Uint8Array, charset: string): boolean {
  const label = byteOrderMarkOf(body) ?? encodingOf(charset);
  if (label?.startsWith("utf-16")) return false;
  const head = body.subarray(0, SNIFFED_BYTES);
  let controls = 0;
  for (const byte of head) {
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b)
      controls++;
  }
  return controls > head.length / 50;
}

function byteOrderMarkOf(body: Uint8Array): Label {
  return MARKS.find(([, mark]) => mark.every((byte, i) => body[i] === byte))?.[0];
}

function declaredIn(body: Uint8Array): string {
  const head = new TextDecoder("latin1").decode(body.subarray(0, SNIFFED_BYTES));
  const meta = /<meta[^>]{0,500}?charset\s{0,20}=\s{0,20}["']?\s{0,20}([\w.:-]+)/i.exec(head);
  const label = (meta ?? /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(head))?.[1] ?? "";
  // A declaration that is readable as Latin-1 is not in UTF-16.
  return /^utf-?16/i.test(label) ? "utf-8" : label;
}

function encodingOf(label: string): Label {
  if (label === "") return undefined;
  try {
    return new TextDecoder(label as Label).encoding as Label;
  } catch {
    return undefined;
  }
}

/** Whether few sequences are invalid UTF-8, so that the page is UTF-8 with some errors. */
function isMostlyUtf8(body: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(body);
  let valid = 0;
  let invalid = 0;
  for (const char of text) {
    if (char === "\uFFFD") invalid++;
    else if (char > "\u007f") valid++;
  }
  return valid > 10 * invalid;
}
