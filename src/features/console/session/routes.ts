// Operations of /console/api: signing in and out.

import { SESSION_TTL_MS } from "../../../auth/console-sessions.ts";
import { displayName } from "../../../auth/identity.ts";
import { LOCAL_OWNER } from "../../../auth/users.ts";
import { isSentByConsole, sessionCookie, sessionToken } from "../../../http/console-session.ts";
import { operationOf } from "../../../http/operation.ts";
import { Failure } from "../../../kernel/errors.ts";
import { common, emptyBody, signInBody } from "../contract.ts";
import type { SignedIn } from "../replies.ts";
import { identifySignIn, type SignInDeps } from "./sign-in.ts";

/** What signing in needs. */
export interface SessionDeps extends SignInDeps {
  settings: { baseUrl: string | null };
  /** The configured language model; null for none. */
  modelServer: { model: string } | null;
}

const declare = operationOf<SessionDeps>();

const isHttps = ({ settings }: SessionDeps) => settings.baseUrl?.startsWith("https:") ?? false;

export const sessionApi = [
  declare({
    ...common,
    name: "console.session.create",
    method: "POST",
    path: "/console/api/session",
    summary: "Sign in with a one-time code or an API key",
    requires: "public",
    body: signInBody,
    async handle({ body, headers }, deps) {
      // Otherwise another page of this host could sign the browser in as somebody else.
      if (!isSentByConsole(headers)) throw new Failure("forbidden", "only the console may sign in here");
      const identity = await identifySignIn(deps, body);
      const { token, expiresAt } = deps.consoleSessions.start(identity);
      const cookie = sessionCookie(headers, token, {
        maxAgeS: SESSION_TTL_MS / 1000,
        isSecure: isHttps(deps),
      });
      return {
        status: 201,
        headers: { "Set-Cookie": cookie, "Cache-Control": "no-store" },
        body: { data: { expiresAt } },
      };
    },
  }),
  declare({
    ...common,
    name: "console.session.delete",
    method: "DELETE",
    path: "/console/api/session",
    summary: "Sign out",
    requires: "authenticated",
    body: emptyBody,
    bodyMayBeEmpty: true,
    handle({ headers }, deps) {
      const token = sessionToken(headers);
      if (token !== undefined) deps.consoleSessions.end(token);
      const cookie = sessionCookie(headers, "", { maxAgeS: 0, isSecure: isHttps(deps) });
      return { status: 200, headers: { "Set-Cookie": cookie }, body: { success: true } };
    },
  }),
  declare({
    ...common,
    name: "console.codes.create",
    method: "POST",
    path: "/console/api/codes",
    summary: "Create a one-time code, for `ctxrepo open`",
    requires: "authenticated",
    body: emptyBody,
    bodyMayBeEmpty: true,
    handle({ caller, headers }, { consoleSessions }) {
      // A session must not be able to prolong itself.
      if (!caller.isLocal || !headers.has("authorization")) {
        throw new Failure("forbidden", "only `ctxrepo open` may create codes");
      }
      return { status: 201, body: { data: consoleSessions.createCode(caller) } };
    },
  }),
  declare({
    ...common,
    name: "console.identity.get",
    method: "GET",
    path: "/console/api/identity",
    summary: "Report who is signed in, and what the console may offer",
    requires: "authenticated",
    handle: ({ caller }, { modelServer }) => ({
      status: 200,
      body: {
        data: {
          userId: caller.userId,
          email: caller.email,
          displayName: displayName(caller),
          kind: caller.kind,
          scopes: caller.scopes,
          managesKeys: caller.isLocal === true && caller.email === LOCAL_OWNER,
          model: modelServer?.model ?? null,
        } satisfies SignedIn,
      },
    }),
  }),
];
