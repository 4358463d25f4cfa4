// A server whose fake embedder gives generous scores, with documents by title: the set-up of the tests of POST
// /v1/pd/search.

import { expect } from "bun:test";
import { fakeEmbedder, GENEROUS } from "./embedder.ts";
import { type Client, type Started, useServer } from "./start.ts";

export interface Result {
  chunkId: string;
  documentId: string;
  content: string;
  level: string;
  score: number;
}

export interface ChunkSearch {
  started: Started;
  client: Client;
  /** Ids of the added documents by title. */
  documents: Map<string, string>;
  /** Adds a document, without waiting until it is indexed, and returns its id. */
  add(title: string, content: string, by?: Client): Promise<string>;
  search(body: object, by?: Client): Promise<{ results: Result[]; meta: Record<string, unknown> }>;
}

/** The server for all tests of the calling file. */
export function useChunkSearch(): ChunkSearch {
  const started = useServer({ embedder: fakeEmbedder(undefined, GENEROUS) });
  const { client } = started;
  const documents = new Map<string, string>();
  return {
    started,
    client,
    documents,
    async add(title, content, by = client) {
      const { body } = await by("POST", "/v1/documents", { title, content });
      documents.set(title, body.data.id);
      return body.data.id;
    },
    async search(body, by = client) {
      const reply = await by("POST", "/v1/pd/search", body);
      expect(reply.status).toBe(200);
      return reply.body.data;
    },
  };
}

export const contentsOf = (results: Result[]) => results.map(({ content }) => content);
