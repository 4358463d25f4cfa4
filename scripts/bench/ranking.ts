// Quality of a ranked list of documents against judgements. Pure functions.

/** Discounted gain of a list of grades: grade / log2(rank + 1), ranks from 1. */
function discountedGain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0);
}

/** nDCG at `depth` with the grade as gain, against the best order of everything judged (Järvelin & Kekäläinen 2002). */
export function ndcg(
  ranked: readonly string[],
  relevant: ReadonlyMap<string, number>,
  depth: number,
): number {
  const grades = ranked.slice(0, depth).map((id) => relevant.get(id) ?? 0);
  const ideal = [...relevant.values()].sort((a, b) => b - a).slice(0, depth);
  return discountedGain(grades) / discountedGain(ideal);
}

/** Average precision of the first `depth`, divided by the number of all relevant documents (trec_eval's map_cut). */
export function averagePrecision(
  ranked: readonly string[],
  relevant: ReadonlyMap<string, number>,
  depth: number,
): number {
  let found = 0;
  let sum = 0;
  for (const [index, id] of ranked.slice(0, depth).entries()) {
    if (relevant.has(id)) sum += ++found / (index + 1);
  }
  return sum / relevant.size;
}

/** Share of all relevant documents among the first `depth`. */
export function recall(
  ranked: readonly string[],
  relevant: ReadonlyMap<string, unknown>,
  depth: number,
): number {
  return ranked.slice(0, depth).filter((id) => relevant.has(id)).length / relevant.size;
}
