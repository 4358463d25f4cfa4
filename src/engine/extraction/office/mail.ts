// Reads a mail (.eml): subject, people, date and text, and its attachments.

import PostalMime, { type Address } from "postal-mime";
import { countLeftOut } from "../../../kernel/left-out.ts";
import { escapeHtml } from "../shared/text.ts";
import type { FileContents } from "./contents.ts";
import { bodyOf, pageOf, paragraphsOf } from "./html.ts";

/** Reads a mail with a text or HTML body. */
export async function readMail(bytes: Uint8Array): Promise<FileContents> {
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: "arraybuffer" });
  const leftOut = countLeftOut();
  const attachments: { name: string; body: Uint8Array }[] = [];
  for (const { disposition, mimeType, filename, content } of mail.attachments) {
    const name = filename ?? (mimeType === "message/rfc822" ? "mail.eml" : "");
    const isImage = mimeType.startsWith("image/");
    if (!isImage && name !== "" && typeof content !== "string")
      attachments.push({ name, body: new Uint8Array(content) });
    else leftOut.add(isImage && disposition === "inline" ? "image" : "attachment");
  }
  const people = [
    ["From", namesOf(mail.from ? [mail.from] : [])],
    ["To", namesOf(mail.to ?? [])],
    ["Cc", namesOf(mail.cc ?? [])],
    ["Date", mail.date ?? ""],
  ].filter(([, value]) => value !== "");
  const head = people.map(([name, value]) => `<strong>${name}:</strong> ${escapeHtml(value ?? "")}`);
  const files = mail.attachments.map(({ filename }) => filename ?? "").filter((name) => name !== "");
  if (files.length > 0) head.push(`<strong>Attachments:</strong> ${escapeHtml(files.join(", "))}`);
  // Programs write the same into both; the HTML keeps lists, links and tables.
  const body = mail.html ? bodyOf(mail.html) : paragraphsOf(mail.text ?? "");
  return {
    title: mail.subject ?? "",
    html: pageOf(`<p>${head.join("<br>")}</p>${body}`),
    metadata: {
      ...(mail.from && { byline: namesOf([mail.from]) }),
      ...(mail.date &&
        !Number.isNaN(Date.parse(mail.date)) && { publishedTime: new Date(mail.date).toISOString() }),
    },
    leftOut: leftOut.all(),
    attachments,
  };
}

function namesOf(addresses: readonly Address[]): string {
  return addresses
    .flatMap((one) => one.group ?? [one])
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ""))
    .filter((name) => name !== "")
    .join(", ");
}
