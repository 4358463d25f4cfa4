// ctxrepo tokens create: signs tokens of the four kinds. Every server with the same database accepts them.

import { Command, Option } from "commander";
import { openInstance } from "../auth/instance.ts";
import { createToken, DEFAULT_TTL_S, TOKEN_KINDS, type TokenKind } from "../auth/tokens.ts";
import { ensureUser } from "../auth/users.ts";
import { parseDuration } from "./client-options.ts";
import { withDataDir } from "./data-dir.ts";
import { print, printJson, printMessage } from "./output.ts";
import {
  DEFAULT_SCOPES,
  parseScopes,
  parseUser,
  type UserOptions,
  withStore,
  withUserOptions,
} from "./user-options.ts";

interface CreateOptions extends UserOptions {
  kind: TokenKind;
  ttl?: string;
}

export function tokensCommand(): Command {
  return new Command("tokens").description("manage signed tokens").addCommand(
    withUserOptions(withDataDir(new Command("create")))
      .description("create a token and print it; it is never shown again")
      .addOption(new Option("--kind <KIND>", "kind of token").choices(TOKEN_KINDS).makeOptionMandatory())
      .option("--scopes <LIST>", "for machine and managed tokens: comma-separated scopes", DEFAULT_SCOPES)
      .option(
        "--ttl <TIME>",
        "lifetime, such as 3600, 12h or 30d (default: 1h; for machine and managed tokens 90d)",
      )
      .action(create),
  );
}

async function create({ dataDir, user, scopes, kind, ttl, json }: CreateOptions): Promise<void> {
  const wanted = parseScopes(scopes);
  const seconds = ttl === undefined ? DEFAULT_TTL_S[kind] : parseDuration("--ttl", ttl);
  const email = parseUser(user);
  const created = await withStore(dataDir, async (store) => {
    const instance = await openInstance(store);
    const { owner, now, jti } = store.write((write) => ({
      owner: ensureUser(write, email),
      now: write.now,
      jti: write.newId(),
    }));
    return createToken(
      instance,
      { now, newId: () => jti },
      { kind, user: owner, scopes: wanted, ttlSeconds: seconds },
    );
  });
  if (json) {
    printJson(created);
  } else {
    print(created.token);
    printMessage(`A ${kind} token for ${email}, valid until ${new Date(created.expiresAt).toISOString()}.`);
  }
}
