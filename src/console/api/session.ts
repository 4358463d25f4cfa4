// Who is signed in. The session itself is a cookie that scripts cannot read.

import { signal } from "@preact/signals";
import { openDrafts } from "../frame/drafts.ts";
import { forgetValues } from "../frame/filled-values.ts";
import { forgetAll } from "./cache.ts";
import { followChanges, stopFollowing } from "./live.ts";
import { isSignedOut, read, send } from "./request.ts";
import type { Scope } from "../../auth/scopes.ts";
import type { SignedIn } from "../../features/console/replies.ts";

/** The signed-in user; null when nobody is, undefined until that is known. */
export const user = signal<SignedIn | null | undefined>(undefined);

/** Reads who is signed in. Throws RequestError if the server cannot be reached. */
export async function loadUser(): Promise<void> {
  try {
    const identity = await read<SignedIn>("/console/api/identity");
    await openDrafts(identity.userId);
    if (user.value?.userId !== identity.userId) forgetAll();
    user.value = identity;
    isSignedOut.value = false;
    followChanges();
  } catch (error) {
    if (!isSignedOut.value) throw error;
    user.value = null;
  }
}

/** Signs in with a one-time code or an API key. Throws RequestError if it is not valid. */
export async function signIn(secret: { code: string } | { key: string }): Promise<void> {
  await send("POST", "/console/api/session", { body: secret });
  await loadUser();
}

/** Ends the session. Throws RequestError if the server cannot be reached. */
export async function endSession(): Promise<void> {
  await send("DELETE", "/console/api/session");
  stopFollowing();
  forgetAll();
  forgetValues();
  user.value = null;
}

/** Whether the signed-in user may do what needs a scope. A write scope includes reading. */
export function may(scope: Scope): boolean {
  const scopes: readonly string[] = user.value?.scopes ?? [];
  return scopes.includes(scope) || scopes.includes(scope.replace(".read", ".write"));
}
