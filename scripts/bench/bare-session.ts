// The baseline of embedding, in a process of its own: the same weights in a bare ONNX session, no tokenizer, no queue. It
// answers one message at a time. Usage: through openBareSession in bare-session-client.ts

import { InferenceSession, Tensor } from "onnxruntime-node";
import type { BareRequest } from "./bare-session-client.ts";

let session: InferenceSession | undefined;

/** Runs rows of equal length once and tells how long the run alone took, in ms. */
async function run(rows: readonly (readonly number[])[]): Promise<number> {
  const shape = [rows.length, rows[0]!.length];
  const ids = BigInt64Array.from(rows.flat(), BigInt);
  const feeds = {
    input_ids: new Tensor("int64", ids, shape),
    attention_mask: new Tensor("int64", new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor("int64", new BigInt64Array(ids.length), shape),
  };
  const begun = performance.now();
  await session!.run(feeds);
  return performance.now() - begun;
}

process.on("message", async (request: BareRequest) => {
  if (request.kind === "open") {
    session = await InferenceSession.create(request.weights, {
      executionProviders: ["cpu"],
      intraOpNumThreads: request.threads,
    });
    process.send!([]);
    return;
  }
  const durations: number[] = [];
  for (const rows of request.batches) durations.push(await run(rows));
  process.send!(durations);
});
