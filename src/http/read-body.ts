// Reads the body of a request: small ones at once, larger ones in a worker thread, one at a time and users in turn, so
// that no body holds up other requests.

import type { FairQueue, Requester } from "../kernel/fair-queue.ts";
import { LIMITS } from "../kernel/limits.ts";
import { moving } from "../kernel/moved-buffers.ts";
import type { QueueName } from "./admission.ts";
import { joined, lengthOf, readBlocks } from "./body.ts";
import type { BodyRoom } from "./body-room.ts";
import { noParameters, type Operation } from "./operation.ts";
import { type ParsedBody, parseBody, type SentBody } from "./parse-body.ts";

/** The worker thread for large bodies. It finds the shape by the name of the operation. */
export interface BodyThread {
  parseBody(sent: Blocks & Pick<SentBody, "repeated"> & { operation: string }): Promise<ParsedBody>;
  parseMessage(sent: Blocks): Promise<ParsedMessage>;
}

/** The bytes of a body, in the order of the blocks. */
interface Blocks {
  blocks: Uint8Array<ArrayBuffer>[];
}

/** A message of another protocol of this process: an object or a list, or why it is rejected. */
export type ParsedMessage = Pick<ParsedBody, "problem"> & { value?: object };

export interface BodyReader {
  bodyThread: BodyThread;
  bodyRoom: BodyRoom;
  queues: Record<QueueName, FairQueue>;
}

/** What is read of a request. */
export type IncomingBody = Pick<Request, "headers" | "signal" | "body">;

interface Sent {
  request: IncomingBody;
  /** The body of a request that this process sends to itself, in place of that of `request`. */
  ownBody?: object | undefined;
  requester: Requester;
}

/**
 * The body of a request to an operation; without bytes if the operation has none. Throws `too-large` and
 * `rate-limited`.
 */
export async function readBody(
  reader: BodyReader,
  { name, body, bodyMayBeEmpty }: Pick<Operation, "name" | "body" | "bodyMayBeEmpty">,
  { request, ownBody, requester, repeated }: Sent & Pick<SentBody, "repeated">,
): Promise<{ isEmpty: boolean; parsed: ParsedBody }> {
  if (!body && !repeated) return { isEmpty: true, parsed: {} };
  const held = reader.bodyRoom.hold(requester.userId);
  try {
    const blocks = !body ? [] : ownBody === undefined ? await readBlocks(request, held) : [bytesOf(ownBody)];
    const parsed = isSmall(blocks)
      ? parseBody({ body: body ?? noParameters, bodyMayBeEmpty }, { bytes: joined(blocks), repeated })
      : await inTurn(reader, requester, (thread) =>
          thread.parseBody(moved({ blocks, repeated, operation: name })),
        );
    return { isEmpty: blocks.length === 0, parsed };
  } finally {
    held.release();
  }
}

/** The message in a request: `parse` parses small ones. Throws `too-large` and `rate-limited`. */
export async function readMessage(
  reader: BodyReader,
  { request, requester }: Pick<Sent, "request" | "requester">,
  parse: (bytes: Uint8Array) => ParsedMessage,
): Promise<ParsedMessage> {
  const held = reader.bodyRoom.hold(requester.userId);
  try {
    const blocks = await readBlocks(request, held);
    if (isSmall(blocks)) return parse(joined(blocks));
    return await inTurn(reader, requester, (thread) => thread.parseMessage(moved({ blocks })));
  } finally {
    held.release();
  }
}

const bytesOf = (body: object) => new TextEncoder().encode(JSON.stringify(body));

const isSmall = (blocks: readonly Uint8Array[]) => lengthOf(blocks) <= LIMITS.body.inlineBytes;

const moved = <Input extends Blocks>(input: Input): Input =>
  moving(
    input,
    input.blocks.map(({ buffer }) => buffer),
  );

function inTurn<Value>(
  { bodyThread, queues }: BodyReader,
  requester: Requester,
  parse: (thread: BodyThread) => Promise<Value>,
): Promise<Value> {
  return queues.body.run(requester, () => parse(bodyThread));
}
