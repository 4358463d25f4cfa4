// A set of whole numbers, each mapped to itself plus an offset, as few ranges: chunk keys with their ordinals, or
// positions that are searched together.

/** The numbers from `first` to `end - 1`. */
export interface Range {
  first: number;
  end: number;
  /** What is added to each number. */
  offset: number;
}

/** Sorted, disjoint ranges; adjacent ones with the same offset are joined. */
export class Ranges {
  readonly list: Range[] = [];

  /** Adds numbers that are not in the set. */
  add({ first, end, offset }: Range): void {
    if (first === end) return;
    const index = this.#countUpTo(first);
    const before = this.list[index - 1];
    const after = this.list[index];
    const joinsBefore = before?.end === first && before.offset === offset;
    const joinsAfter = after?.first === end && after.offset === offset;
    if (joinsBefore && joinsAfter) {
      before.end = after.end;
      this.list.splice(index, 1);
    } else if (joinsBefore) before.end = end;
    else if (joinsAfter) after.first = first;
    else this.list.splice(index, 0, { first, end, offset });
  }

  /** Removes numbers that are all in one range. */
  remove(first: number, end: number): void {
    if (first === end) return;
    const index = this.#countUpTo(first) - 1;
    const range = this.list[index]!;
    const rest = [
      { ...range, end: first },
      { ...range, first: end },
    ].filter((part) => part.first < part.end);
    this.list.splice(index, 1, ...rest);
  }

  /** How many ranges start at or before a number. */
  #countUpTo(number: number): number {
    let low = 0;
    for (let high = this.list.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (this.list[middle]!.first <= number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
