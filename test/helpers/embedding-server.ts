// An OpenAI-compatible server of embeddings on this machine, with vectors of the words of a text.

import type { Server } from "bun";

export interface EmbeddingStub {
  /** The base URL. */
  url: string;
  requests: { input: string[]; model: string; authorization: string | null }[];
  /** While set, requests get this response; `undefined` answers them. */
  respond: (() => Response) | undefined;
  stop(): Promise<void>;
}

const DIMENSION = 64;

function vectorOf(text: string): number[] {
  const vector = new Array<number>(DIMENSION).fill(0.01);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? [])
    vector[Number(Bun.hash.wyhash(word) % BigInt(DIMENSION))]! += 1;
  return vector;
}

export function serveEmbeddings(dimension = DIMENSION): EmbeddingStub {
  const stub: Omit<EmbeddingStub, "url" | "stop"> = { requests: [], respond: undefined };
  const server: Server<undefined> = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (new URL(request.url).pathname !== "/v1/embeddings") return new Response(null, { status: 404 });
      const { input, model } = (await request.json()) as { input: string[]; model: string };
      stub.requests.push({ input, model, authorization: request.headers.get("Authorization") });
      if (stub.respond) return stub.respond();
      // In another order than asked for.
      const data = input.map((text, index) => ({
        object: "embedding",
        index,
        embedding: [...vectorOf(text), ...new Array<number>(dimension - DIMENSION).fill(0)],
      }));
      return Response.json({ object: "list", model, data: data.reverse() });
    },
  });
  return Object.assign(stub, { url: `http://127.0.0.1:${server.port}/v1`, stop: () => server.stop(true) });
}
