// Documents as points of a plane, where those with similar meanings are near each other.

import type { Database } from "bun:sqlite";
import { tagsFromColumn } from "../../../db/tag-column.ts";
import { addTo, toUnitLength } from "../../../kernel/vectors.ts";
import { floatsOf } from "../../vectors/dense.ts";
import type { DocumentMap, MapPoint } from "../../../kernel/pictures.ts";
import { principalCoordinates } from "./principal-axes.ts";

const MAX_DOCUMENTS = 5_000;
/** Vectors of a document whose mean is its place in the space. */
const MAX_VECTORS = 24;
/** Users whose maps are kept. */
const MAX_MAPS = 4;

interface Row {
  id: string;
  title: string;
  tags: string;
  agent: string;
  collection: string;
  generation: number;
}

/** Only documents of the model that most of them were indexed with: vectors of different ones cannot be compared. */
const DOCUMENTS = `
  WITH own AS MATERIALIZED (
    SELECT g.id AS generation, g.space_id, g.document_id
    FROM index_generations AS g WHERE g.user_id = ?1 AND g.state = 'live'
  )
  SELECT own.generation, d.id, d.title, d.tags, coalesce(v.agent, '') AS agent,
    coalesce((SELECT c.name FROM collection_items AS i CROSS JOIN collections AS c
      WHERE c.id = i.collection_id AND i.document_id = d.id AND c.user_id = ?1 ORDER BY c.name LIMIT 1), '') AS collection
  FROM own JOIN documents AS d ON d.id = own.document_id
  LEFT JOIN document_versions AS v ON v.document_id = d.id AND v.version = d.revision
  WHERE d.status <> 'archived'
    AND own.space_id = (SELECT space_id FROM own GROUP BY space_id ORDER BY count(*) DESC, space_id DESC LIMIT 1)
  ORDER BY d.created_at DESC, d.id DESC LIMIT ${MAX_DOCUMENTS}`;
const VECTORS = `
  SELECT v.embedding FROM chunk_bits AS b CROSS JOIN chunk_vectors AS v ON v.key = b.vector_key
  WHERE b.generation_id = ? ORDER BY b.vector_key LIMIT ${MAX_VECTORS}`;
const TOTAL = "SELECT count(*) AS n FROM documents WHERE user_id = ? AND status <> 'archived'";

export interface MapReader {
  /** The map of a user's documents. The places are computed again only after the indexed documents have changed. */
  read(userId: string): Generator<void, DocumentMap>;
}

/** Reads maps, and keeps the latest ones. */
export function openMapReader(database: Database): MapReader {
  const kept = new Map<string, { generations: string; places: Float32Array }>();
  return {
    *read(userId) {
      const rows = database.query<Row, [string]>(DOCUMENTS).all(userId);
      const total = database.query<{ n: number }, [string]>(TOTAL).get(userId)!.n;
      const generations = rows.map(({ generation }) => generation).join();
      const known = kept.get(userId);
      const places =
        known?.generations === generations ? known.places : yield* placesOf(database, generationsOf(rows));
      kept.delete(userId);
      kept.set(userId, { generations, places });
      const [oldest] = kept.keys();
      if (kept.size > MAX_MAPS && oldest !== undefined) kept.delete(oldest);
      return { points: pointsOf(rows, places), total };
    },
  };
}

const generationsOf = (rows: readonly Row[]) => rows.map(({ generation }) => generation);

/** The coordinates of documents by the means of their vectors; NaN for those whose vectors are gone meanwhile. */
function* placesOf(database: Database, generations: readonly number[]): Generator<void, Float32Array> {
  const vectors = database.query<{ embedding: Uint8Array }, [number]>(VECTORS);
  const places = new Float32Array(2 * generations.length).fill(Number.NaN);
  const found: number[] = [];
  let means = new Float32Array();
  let dimension = 0;
  for (const [index, generation] of generations.entries()) {
    const own = vectors.all(generation).map(({ embedding }) => floatsOf(embedding));
    yield;
    if (own.length === 0) continue;
    if (dimension === 0) {
      dimension = own[0]!.length;
      means = new Float32Array(dimension * generations.length);
    }
    const mean = means.subarray(found.length * dimension, (found.length + 1) * dimension);
    for (const vector of own) if (vector.length === dimension) addTo(mean, vector);
    mean.set(toUnitLength(mean));
    found.push(index);
  }
  const coordinates = yield* principalCoordinates(means, found.length, dimension);
  const furthest = coordinates.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  for (const [position, index] of found.entries()) {
    places[2 * index] = coordinates[2 * position]! / furthest;
    places[2 * index + 1] = coordinates[2 * position + 1]! / furthest;
  }
  return places;
}

const pointsOf = (rows: readonly Row[], places: Float32Array): MapPoint[] =>
  rows.flatMap(({ generation: _, tags, ...row }, index) => {
    const [x, y] = places.subarray(2 * index);
    return Number.isNaN(x) ? [] : [{ ...row, tags: tagsFromColumn(tags), x: x!, y: y! }];
  });
