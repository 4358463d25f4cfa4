// A set of whole numbers as few ranges: positions that are searched together. It must not know what they mean.

/** The numbers from `first` to `end - 1`. */
export interface Range {
  first: number;
  end: number;
}

/** Sorted, disjoint ranges; adjacent ones are joined. */
export class PositionRanges {
  readonly ranges: Range[] = [];

  /** Adds numbers that are all greater than those of the set. */
  append(first: number, end: number): void {
    if (first === end) return;
    const last = this.ranges.at(-1);
    if (last?.end === first) last.end = end;
    else this.ranges.push({ first, end });
  }

  /** Removes numbers that are all in the set. */
  remove(first: number, end: number): void {
    if (first === end) return;
    let low = 0;
    for (let high = this.ranges.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if (this.ranges[middle]!.first <= first) low = middle;
      else high = middle;
    }
    const range = this.ranges[low]!;
    const rest = [
      { first: range.first, end: first },
      { first: end, end: range.end },
    ].filter((part) => part.first < part.end);
    this.ranges.splice(low, 1, ...rest);
  }
}
