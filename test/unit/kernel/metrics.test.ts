// The exposition format: labels that need escaping, cumulative buckets, and metrics without numbers.

import { expect, test } from "bun:test";
import {
  createDistributions,
  createNumbers,
  writeDistributions,
  writeSamples,
} from "../../../src/kernel/metrics.ts";

test("counters add up by their labels, and label values are escaped", () => {
  const numbers = createNumbers();
  numbers.add(["a", 'say "hi"\\\n'], 1);
  numbers.add(["a", 'say "hi"\\\n'], 2);
  numbers.add(["b", "x"], 0.5);
  expect(
    writeSamples("n_total", { type: "counter", help: "Line\nbreak.", labels: ["k", "v"] }, numbers.samples()),
  ).toBe(
    '# HELP n_total Line\\nbreak.\n# TYPE n_total counter\nn_total{k="a",v="say \\"hi\\"\\\\\\n"} 3\nn_total{k="b",v="x"} 0.5\n',
  );
});

test("a bucket counts the values up to its bound", () => {
  const buckets = [1, 2];
  const distributions = createDistributions(buckets);
  for (const value of [0.5, 1, 1.5, 99]) distributions.observe([], value);
  expect(
    writeDistributions("d", { type: "histogram", help: "D.", buckets }, distributions.distributions()),
  ).toBe(
    '# HELP d D.\n# TYPE d histogram\nd_bucket{le="1"} 2\nd_bucket{le="2"} 3\nd_bucket{le="+Inf"} 4\nd_sum 102\nd_count 4\n',
  );
});

test("nothing is written for a metric without numbers", () => {
  expect(writeSamples("n", { type: "gauge", help: "N." }, [])).toBe("");
});
