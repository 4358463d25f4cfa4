// The identity of this installation: an id and a signing key, created once and stored in the database, so that tokens
// stay valid when the port or address changes.

import { eq } from "drizzle-orm";
import { exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import type { Store } from "../db/store.ts";
import { instance } from "../db/tables.ts";
import { createIdSource } from "../kernel/ids.ts";

export interface Instance {
  /** `urn:ctxrepo:<id>`: issuer and audience of the tokens that this installation creates. */
  urn: string;
  keyId: string;
  /** Ed25519. The private part is stored only in this installation's database. */
  signingKey: CryptoKey;
  verifyingKey: CryptoKey;
  /** Published at `/.well-known/jwks.json`. */
  publicJwk: JWK;
}

export const SIGNING_ALGORITHM = "EdDSA";

/** Keys of the table `instance`. */
const SIGNING_KEY = "signing-key";
const INSTANCE_ID = "id";

/**
 * Reads the identity of the installation, or creates it. When two processes create one, both use the first one written.
 */
export async function openInstance(store: Store): Promise<Instance> {
  const stored = read(store) ?? (await create(store));
  const privateJwk = JSON.parse(stored.key) as JWK & { kid: string };
  const { d: _private, ...publicJwk } = privateJwk;
  const [signingKey, verifyingKey] = await Promise.all([importKey(privateJwk), importKey(publicJwk)]);
  return { urn: `urn:ctxrepo:${stored.id}`, keyId: privateJwk.kid, signingKey, verifyingKey, publicJwk };
}

/** The id of the stored signing key, which `/.well-known/jwks.json` publishes; undefined before the first start. */
export function storedKeyId(reader: Pick<Store, "tables">): string | undefined {
  const stored = read(reader);
  return stored && (JSON.parse(stored.key) as { kid: string }).kid;
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, SIGNING_ALGORITHM);
  if (key instanceof Uint8Array) throw new Error("the stored signing key is not an Ed25519 key");
  return key;
}

function read({ tables }: Pick<Store, "tables">): { id: string; key: string } | undefined {
  const stored = (key: string) => tables.select().from(instance).where(eq(instance.key, key)).get()?.value;
  const [id, key] = [stored(INSTANCE_ID), stored(SIGNING_KEY)];
  return id !== undefined && key !== undefined ? { id, key } : undefined;
}

async function create(store: Store): Promise<{ id: string; key: string }> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { crv: "Ed25519", extractable: true });
  const jwk = await exportJWK(pair.privateKey);
  return store.writeWhenFree((write) => {
    const existing = read(write);
    if (existing) return existing;
    const newId = createIdSource();
    const identity = {
      id: newId(write.now),
      key: JSON.stringify({ ...jwk, kid: newId(write.now), alg: SIGNING_ALGORITHM, use: "sig" }),
    };
    write.tables
      .insert(instance)
      .values([
        { key: INSTANCE_ID, value: identity.id },
        { key: SIGNING_KEY, value: identity.key },
      ])
      .run();
    return identity;
  });
}
