// Fits logistic models by Newton's method with a ridge penalty: of single examples, and of the choice among several.
// Deterministic; it knows no feature.

import { sharesOf, type Weights } from "../../src/kernel/logistic.ts";

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
    mirror(hessian);
    for (let i = 0; i < size; i++) {
      hessian[i]![i]! += i === 0 ? 1e-6 : ridge;
      gradient[i]! -= i === 0 ? 0 : ridge * beta[i]!;
    }
    const step = solve(hessian, gradient);
    beta = beta.map((value, i) => value + step[i]!);
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  return Object.fromEntries([
    ["bias", rounded(beta[0]!)],
    ...names.map((name, i) => [name, rounded(beta[i + 1]!)]),
  ]);
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;

/** Several things of which at least one is right, or none. */
export type Choice = readonly { features: Readonly<Record<string, number>>; isRight: boolean }[];

/**
 * The weights of the named features with which the right one of each choice gets the largest share of exp(score),
 * rounded to three digits (conditional logit). With the bias, the share of none of them (see sharesOf) is NONE on
 * average: it is large only where all of them are far from what the choices are between here.
 */
export function fitChoice(choices: readonly Choice[], names: readonly string[], ridge = RIDGE): Weights {
  const size = names.length;
  const all = choices.map((choice) =>
    choice.map(({ features, isRight }) => ({ row: names.map((name) => features[name] ?? 0), isRight })),
  );
  // Choices without a right one say nothing about the weights.
  const groups = all.filter((group) => group.some(({ isRight }) => isRight));
  let beta = new Array<number>(size).fill(0);
  const scoreOf = (row: readonly number[]) => row.reduce((sum, x, i) => sum + x * beta[i]!, 0);
  for (let round = 0; round < CHOICE_ROUNDS; round++) {
    const gradient = beta.map((value) => -ridge * value);
    const hessian = beta.map((_, i) => beta.map((__, j) => (i === j ? ridge : 0)));
    for (const group of groups) {
      const shares = sharesOf(group.map(({ row }) => scoreOf(row) + CERTAIN));
      const right = group.reduce((sum, { isRight }, n) => sum + (isRight ? shares[n]! : 0), 0);
      const mean = names.map((_, i) => group.reduce((sum, { row }, n) => sum + shares[n]! * row[i]!, 0));
      for (const [n, { row, isRight }] of group.entries()) {
        const share = shares[n]!;
        for (let i = 0; i < size; i++) {
          gradient[i]! += ((isRight ? share / right : 0) - share) * row[i]!;
          const curvature = share * (row[i]! - mean[i]!);
          for (let j = 0; j <= i; j++) hessian[i]![j]! += curvature * (row[j]! - mean[j]!);
        }
      }
    }
    mirror(hessian);
    const step = solve(hessian, gradient);
    // Far from the best weights a whole step can overshoot.
    let length = 1;
    const before = objective(groups, beta, ridge);
    const moved = () => beta.map((value, i) => value + length * step[i]!);
    while (length > MIN_STEP && objective(groups, moved(), ridge) < before) length /= 2;
    beta = moved();
    if (Math.max(...step.map(Math.abs)) < 1e-3) break;
  }
  const scores = all.map((group) => group.map(({ row }) => scoreOf(row)));
  return Object.fromEntries([
    ["bias", rounded(biasFor(scores, all.length * (1 - NONE)))],
    ...names.map((name, i) => [name, rounded(beta[i]!)]),
  ]);
}

/** The penalized log-likelihood that fitChoice maximizes. */
function objective(
  groups: readonly (readonly { row: readonly number[]; isRight: boolean }[])[],
  beta: readonly number[],
  ridge: number,
): number {
  let sum = -(ridge / 2) * beta.reduce((total, value) => total + value * value, 0);
  for (const group of groups) {
    const shares = sharesOf(
      group.map(({ row }) => row.reduce((total, x, i) => total + x * beta[i]!, CERTAIN)),
    );
    sum += Math.log(group.reduce((total, { isRight }, n) => total + (isRight ? shares[n]! : 0), 0));
  }
  return sum;
}

/** Without the curvature of the right ones, the steps near the best weights are shorter than Newton's. */
const CHOICE_ROUNDS = 60;
const MIN_STEP = 1 / 1024;

/** More would tell questions that nothing answers less well from others: the documents are near most of them too. */
const NONE = 0.02;

/** A bias that leaves no share for none of them. */
const CERTAIN = 100;

/** The bias of the scores with which something is right in `expected` of the groups. */
function biasFor(scores: readonly (readonly number[])[], expected: number): number {
  let [low, high] = [-CERTAIN, CERTAIN];
  for (let round = 0; round < ROUNDS * 2; round++) {
    const bias = (low + high) / 2;
    const found = scores
      .flatMap((group) => sharesOf(group.map((score) => score + bias)))
      .reduce((sum, share) => sum + share, 0);
    if (found < expected) low = bias;
    else high = bias;
  }
  return (low + high) / 2;
}

/** Copies the lower half of a square matrix to the upper one. */
function mirror(matrix: number[][]): void {
  for (let i = 0; i < matrix.length; i++)
    for (let j = i + 1; j < matrix.length; j++) matrix[i]![j] = matrix[j]![i]!;
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
