// Fits a logistic model by Newton's method with a ridge penalty. Deterministic; it knows no feature.

import type { Weights } from "../src/engine/answering/logistic.ts";

export interface Example {
  features: Readonly<Record<string, number>>;
  /** 0 to 1. */
  label: number;
  weight?: number;
}

const RIDGE = 1;
const ROUNDS = 25;

/** The weights of the named features and `bias`, rounded to three digits. The bias is not penalized. */
export function fitLogistic(examples: readonly Example[], names: readonly string[], ridge = RIDGE): Weights {
  const size = names.length + 1;
  const rows = examples.map(({ features }) => [1, ...names.map((name) => features[name] ?? 0)]);
  let beta = new Array<number>(size).fill(0);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = new Array<number>(size).fill(0);
    const hessian = Array.from({ length: size }, () => new Array<number>(size).fill(0));
    for (const [n, row] of rows.entries()) {
      const { label, weight = 1 } = examples[n]!;
      const p = 1 / (1 + Math.exp(-row.reduce((sum, x, i) => sum + x * beta[i]!, 0)));
      const curvature = weight * Math.max(1e-6, p * (1 - p));
      for (let i = 0; i < size; i++) {
        gradient[i]! += weight * (label - p) * row[i]!;
        for (let j = 0; j <= i; j++) hessian[i]![j]! += curvature * row[i]! * row[j]!;
      }
    }
    for (let i = 0; i < size; i++) {
      for (let j = i + 1; j < size; j++) hessian[i]![j] = hessian[j]![i]!;
      hessian[i]![i]! += i === 0 ? 1e-6 : ridge;
      gradient[i]! -= i === 0 ? 0 : ridge * beta[i]!;
    }
    const step = solve(hessian, gradient);
    beta = beta.map((value, i) => value + step[i]!);
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  const rounded = (value: number) => Math.round(value * 1000) / 1000;
  return Object.fromEntries([
    ["bias", rounded(beta[0]!)],
    ...names.map((name, i) => [name, rounded(beta[i + 1]!)]),
  ]);
}

/** Solves a positive definite system by Gaussian elimination. */
function solve(matrix: number[][], vector: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, vector[i]!]);
  const size = rows.length;
  for (let i = 0; i < size; i++) {
    let best = i;
    for (let r = i + 1; r < size; r++) if (Math.abs(rows[r]![i]!) > Math.abs(rows[best]![i]!)) best = r;
    [rows[i], rows[best]] = [rows[best]!, rows[i]!];
    for (let r = 0; r < size; r++) {
      if (r === i) continue;
      const factor = rows[r]![i]! / rows[i]![i]!;
      for (let c = i; c <= size; c++) rows[r]![c]! -= factor * rows[i]![c]!;
    }
  }
  return rows.map((row, i) => row[size]! / row[i]!);
}
