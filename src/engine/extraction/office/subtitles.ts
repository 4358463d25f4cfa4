// Reads subtitles (.srt, .vtt) as a transcript: paragraphs with the time at which they start.

import { decodeText } from "../shared/charset.ts";
import type { FileContents } from "./contents.ts";

/** A paragraph ends at the end of a sentence after this many characters, or at a pause. */
const MIN_PARAGRAPH = 300;
const MAX_PARAGRAPH = 1_200;
const PAUSE_MS = 4_000;

const TIMES =
  /^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})[ \t]+-->[ \t]+(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})/;

interface Cue {
  startMs: number;
  endMs: number;
  text: string;
}

/** Reads subtitles of either format. */
export async function readSubtitles(bytes: Uint8Array): Promise<FileContents> {
  const cues = cuesOf(decodeText(bytes, "").replace(/^\ufeff/, ""));
  const paragraphs: string[] = [];
  let parts: string[] = [];
  let length = 0;
  let startMs = 0;
  const end = () => {
    if (parts.length > 0) paragraphs.push(`[${clock(startMs)}] ${parts.join(" ")}`);
    [parts, length] = [[], 0];
  };
  for (const [index, cue] of cues.entries()) {
    const before = cues[index - 1];
    // Live captions repeat the line before.
    if (before && cue.text === before.text) continue;
    const isPause = before !== undefined && cue.startMs - before.endMs > PAUSE_MS;
    const isFull =
      length > MAX_PARAGRAPH || (length > MIN_PARAGRAPH && /[.!?…。！？]["”’)]?$/.test(parts.at(-1) ?? ""));
    if (isPause || isFull) end();
    if (parts.length === 0) startMs = cue.startMs;
    parts.push(cue.text);
    length += cue.text.length;
  }
  end();
  return { title: "", markdown: paragraphs.join("\n\n"), metadata: {}, leftOut: [] };
}

function cuesOf(text: string): Cue[] {
  const cues: Cue[] = [];
  for (const block of text.replace(/\r\n?/g, "\n").split(/\n[ \t]*\n+/)) {
    const lines = block.split("\n");
    const at = lines.findIndex((line) => TIMES.test(line));
    if (at < 0 || /^(?:NOTE|STYLE|REGION)\b/.test(lines[0] ?? "")) continue;
    const [, h1, m1, s1, f1, h2, m2, s2, f2] = TIMES.exec(lines[at]!)!;
    const ms = (h = "0", m = "0", s = "0", f = "0") =>
      ((Number(h) * 60 + Number(m)) * 60 + Number(s)) * 1_000 + Number(f.padEnd(3, "0"));
    const shown = lines
      .slice(at + 1)
      .map(plain)
      .filter((line) => line !== "");
    if (shown.length > 0)
      cues.push({ startMs: ms(h1, m1, s1, f1), endMs: ms(h2, m2, s2, f2), text: shown.join(" ") });
  }
  return cues;
}

/** A line without tags; the speaker of `<v Name>` is written before it. */
const plain = (line: string) =>
  line
    .replace(/<v(?:\.[\w.]+)?[ \t]+([^<>]{1,100})>/g, "$1: ")
    .replace(/<\/?[^<>]{0,100}>|\{\\[^{}]{0,100}\}/g, "")
    .replace(/&amp;/g, "&")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&(?:nbsp|lrm|rlm);/g, " ")
    .trim();

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
