// Counters, gauges and histograms, and their text in the Prometheus exposition format 0.0.4
// (https://prometheus.io/docs/instrumenting/exposition_formats/).

/** What a metric means. `help` and the names are fixed texts of the program. */
export interface MetricDefinition {
  type: "counter" | "gauge" | "histogram";
  help: string;
  /** Names of its labels; their values must come from small fixed sets. */
  labels?: readonly string[];
  /** Upper bounds of a histogram's buckets, ascending, without +Inf. */
  buckets?: readonly number[];
}

/** One number with the values of its labels, in the order of the definition. */
export interface Sample {
  labels: readonly string[];
  value: number;
}

/** A number for each combination of label values. */
export interface Numbers {
  /** Adds to a counter. */
  add(labels: readonly string[], amount: number): void;
  samples(): Iterable<Sample>;
}

/** A distribution for each combination of label values. */
export interface Distributions {
  observe(labels: readonly string[], value: number): void;
  distributions(): Iterable<Distribution>;
}

interface Distribution {
  labels: readonly string[];
  /** Values in each bucket, not cumulative; the last one counts those above all bounds. */
  counts: number[];
  sum: number;
}

/** Not in any label value. */
const SEPARATOR = "\n";

/** Counters that are kept in memory. */
export function createNumbers(): Numbers {
  const samples = new Map<string, { labels: readonly string[]; value: number }>();
  return {
    add(labels, amount) {
      const key = labels.join(SEPARATOR);
      const sample = samples.get(key);
      if (sample) sample.value += amount;
      else samples.set(key, { labels, value: amount });
    },
    samples: () => samples.values(),
  };
}

/** Histograms with these bounds that are kept in memory. */
export function createDistributions(buckets: readonly number[]): Distributions {
  const distributions = new Map<string, Distribution>();
  return {
    observe(labels, value) {
      const key = labels.join(SEPARATOR);
      let found = distributions.get(key);
      if (!found) {
        found = { labels, counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 };
        distributions.set(key, found);
      }
      let bucket = 0;
      while (bucket < buckets.length && value > buckets[bucket]!) bucket++;
      found.counts[bucket]!++;
      found.sum += value;
    },
    distributions: () => distributions.values(),
  };
}

/** The lines of a counter or gauge; none without samples. */
export function writeSamples(name: string, definition: MetricDefinition, samples: Iterable<Sample>): string {
  let lines = "";
  for (const { labels, value } of samples)
    lines += `${name}${labelText(definition.labels ?? [], labels)} ${value}\n`;
  return lines === "" ? "" : head(name, definition) + lines;
}

/** The lines of a histogram; none without values. */
export function writeDistributions(
  name: string,
  definition: MetricDefinition,
  distributions: Iterable<Distribution>,
): string {
  const names = definition.labels ?? [];
  const bounds = [...(definition.buckets ?? []).map(String), "+Inf"];
  let lines = "";
  for (const { labels, counts, sum } of distributions) {
    let total = 0;
    for (const [index, bound] of bounds.entries()) {
      total += counts[index]!;
      lines += `${name}_bucket${labelText([...names, "le"], [...labels, bound])} ${total}\n`;
    }
    lines += `${name}_sum${labelText(names, labels)} ${sum}\n${name}_count${labelText(names, labels)} ${total}\n`;
  }
  return lines === "" ? "" : head(name, definition) + lines;
}

function head(name: string, { type, help }: MetricDefinition): string {
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
}

function labelText(names: readonly string[], values: readonly string[]): string {
  if (names.length === 0) return "";
  const pairs = names.map((name, index) => `${name}="${escaped(values[index]!)}"`);
  return `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
