// What is read from an Office file, before its HTML is cleaned like that of a page.

import type { LeftOut } from "../../../kernel/left-out.ts";

/** What is in a file, as its reader found it. */
export type FileContents = {
  /** "" if the file has none; undefined if the first heading is the title. */
  title: string | undefined;
  metadata: { byline?: string; publishedTime?: string; excerpt?: string; pages?: number };
  leftOut: LeftOut[];
  /** Files inside, which are written below the text. */
  attachments?: { name: string; body: Uint8Array }[];
} & (
  | {
      /** A whole page of HTML. */
      html: string;
    }
  | { markdown: string }
);
