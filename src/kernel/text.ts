// Small text operations that more than one room needs. All cuts fall between characters, never inside a surrogate pair.

const encoder = new TextEncoder();

/** Length in UTF-8 bytes. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** The longest prefix of at most `maxBytes` UTF-8 bytes. */
export function cutBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/** The longest prefix of at most `maxUnits` UTF-16 units that does not split a surrogate pair. */
export function cutUnits(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const last = text.charCodeAt(maxUnits - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxUnits - 1 : maxUnits);
}

/** Folds case and canonical form for literal comparison: "ÉCOLE" and "école" become equal, "ΠΑΣ" and "πασ" too. */
export function fold(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}
