// Memory that a call moves to another thread instead of copying it: copying 40 MB takes the sender 50 milliseconds.

const moved = new WeakMap<object, ArrayBuffer[]>();

/** The input of a call to a worker whose buffers are moved with it: they are empty for the sender afterwards. */
export function moving<Input extends object>(input: Input, buffers: ArrayBuffer[]): Input {
  moved.set(input, buffers);
  return input;
}

/** The buffers to move with an input; none for most inputs. */
export function buffersMovedWith(input: unknown): ArrayBuffer[] {
  return typeof input === "object" && input !== null ? (moved.get(input) ?? []) : [];
}
