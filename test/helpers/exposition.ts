// Reads the Prometheus exposition format with a parser that Prometheus users have, and checks what it does not.

import parse from "parse-prometheus-text-format";

interface Metric {
  value?: string;
  labels?: Record<string, string>;
}

export interface Family {
  name: string;
  help: string;
  type: string;
  metrics: Metric[];
}

const LABEL = '[a-zA-Z_]\\w*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"';
const SAMPLE = new RegExp(`^[a-zA-Z_:][\\w:]*(?:\\{${LABEL}(?:,${LABEL})*\\})? [-+]?[\\d.]+(?:e[-+]?\\d+)?$`);
const COMMENT = /^# (HELP|TYPE) [a-zA-Z_:][\w:]* \S.*$/;

/** The families of a page, in order. Throws for a line that is no sample and no comment. */
export function parseExposition(text: string): Family[] {
  for (const line of text.split("\n").slice(0, -1)) {
    if (!SAMPLE.test(line) && !COMMENT.test(line)) throw new Error(`not a line of the format: ${line}`);
  }
  return parse(text) as Family[];
}
