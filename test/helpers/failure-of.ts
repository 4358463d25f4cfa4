// Rejections of promises as values.

/**
 * What a promise rejects with; undefined if it resolves. Use it instead of `expect().rejects` where worker threads run:
 * that waits in an event loop of its own, and a thread that ends inside that one hangs Bun 1.4.5.
 */
export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error) => error,
  );
}
