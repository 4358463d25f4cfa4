// Logistic models: a probability from named features. The weights are data, fitted in scripts/lab.

/** Weights by the name of the feature; `bias` is added. */
export type Weights = Readonly<Record<string, number>>;

type Features = Readonly<Record<string, number>>;

/** The probability that a model gives; features without a weight do not count. */
export const probabilityOf = (weights: Weights, features: Features) =>
  1 / (1 + Math.exp(-scoreOf(weights, features)));

/** The weighted sum of the features. */
export function scoreOf(weights: Weights, features: Features): number {
  let sum = weights.bias ?? 0;
  for (const [name, weight] of Object.entries(weights)) sum += weight * (features[name] ?? 0);
  return sum;
}

/** The probability of each of several things of which one or none is right, from their scores; that of none is 0. */
export function sharesOf(scores: readonly number[]): number[] {
  const max = Math.max(0, ...scores);
  const powers = scores.map((score) => Math.exp(score - max));
  const sum = powers.reduce((total, power) => total + power, Math.exp(-max));
  return powers.map((power) => power / sum);
}

/** The logarithm of the sum of exp(x), for values below 700; 0 for no values. */
export const logSumExp = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.log(values.reduce((sum, value) => sum + Math.exp(value), 0));
