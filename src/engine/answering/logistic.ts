// Logistic models: a probability from named features. The weights are data, fitted by scripts/fit-answering.ts. It knows
// no feature.

/** Weights by the name of the feature; `bias` is added. */
export type Weights = Readonly<Record<string, number>>;

/** The probability that a model gives; features without a weight do not count. */
export function probabilityOf(weights: Weights, features: Readonly<Record<string, number>>): number {
  let sum = weights.bias ?? 0;
  for (const [name, weight] of Object.entries(weights)) sum += weight * (features[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
