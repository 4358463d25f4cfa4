// The view Access: API keys, users, and how to connect programs.

import { useState } from "preact/hooks";
import { user } from "../api/session.ts";
import type { User } from "../../features/console/replies.ts";
import { CopyButton, Time } from "../parts/controls.tsx";
import { useRead } from "../parts/load.ts";
import { Page, Problem } from "../parts/page.tsx";
import { Source } from "../parts/source.tsx";
import { plural } from "../text/format.ts";
import { snippetsFor } from "../text/snippets.ts";
import { Keys } from "./access-keys.tsx";

export function AccessView() {
  const [created, setCreated] = useState<string | undefined>();
  const me = user.value;
  return (
    <Page title="Access">
      <p>
        You are signed in as <b>{me?.email}</b>
        {me?.kind === "apiKey" ? " with an API key" : ""}. You may: {me?.scopes.join(", ")}.
      </p>
      {me?.managesKeys ? (
        <>
          <Keys created={created} setCreated={setCreated} />
          <Users />
        </>
      ) : (
        <p class="box">
          API keys and users are managed by the local owner: run <code>ctxrepo open</code> on the machine of
          the server, or use <code>ctxrepo keys</code>.
        </p>
      )}
      <h2>Connect a program</h2>
      {snippetsFor(location.origin, created ?? "YOUR_API_KEY").map(({ name, text }) => (
        <section key={name} class="snippet-box">
          <div class="page-head">
            <h3>{name}</h3>
            <CopyButton text={text} label={`Copy ${name}`} />
          </div>
          <Source text={text} label={name} />
        </section>
      ))}
      <p>
        All operations: <a href="/docs">API reference</a>.
      </p>
    </Page>
  );
}

function Users() {
  const users = useRead<User[]>("/console/api/users");
  return (
    <>
      <h2>Users</h2>
      <Problem text={users.problem} retry={users.reload} />
      <ul class="plain">
        {(users.value ?? []).map(({ id, email, records, createdAt }) => (
          <li key={id}>
            {email}{" "}
            <span class="quiet">
              {plural(records, "record")} · since <Time at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
      <p class="quiet">
        Users are created with <code>ctxrepo keys create --user EMAIL</code> and removed with{" "}
        <code>ctxrepo users remove</code>.
      </p>
    </>
  );
}
