// The only place that reads the time. Tests pass a ManualClock to openApp; nothing else calls Date.now.

export interface Clock {
  /** Wall clock, epoch milliseconds. May step backwards. */
  now(): number;
  /** Milliseconds since an arbitrary moment; never steps backwards. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A clock that stands still until told otherwise. @testOnly */
export class ManualClock implements Clock {
  #wall: number;
  #monotonic = 0;

  constructor(wallMs = 1_800_000_000_000) {
    this.#wall = wallMs;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  /** Both clocks move on together, as time does. */
  advance(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
  }

  /** Only the wall clock steps, as when somebody sets it. */
  step(ms: number): void {
    this.#wall += ms;
  }
}
