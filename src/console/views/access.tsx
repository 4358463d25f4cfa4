// The view Access: API keys, users, and how to connect programs.

import { useState } from "preact/hooks";
import { messageOf, write } from "../api/request.ts";
import { user } from "../api/session.ts";
import type { Scope } from "../../auth/scopes.ts";
import type { Key, User } from "../../features/console/replies.ts";
import { notify } from "../frame/notices.tsx";
import { ConfirmButton, CopyButton, Field, Time } from "../parts/controls.tsx";
import { changesOf, useRead } from "../parts/load.ts";
import { Page, Problem } from "../parts/page.tsx";
import { Source } from "../parts/source.tsx";
import { plural } from "../text/format.ts";
import { useSubmit } from "../parts/submit.ts";
import { snippetsFor } from "../text/snippets.ts";

const SCOPES: readonly (readonly [Scope, string])[] = [
  ["prompts.read", "read prompts"],
  ["prompts.write", "read and write prompts"],
  ["documents.read", "read documents and collections, search, ask"],
  ["documents.write", "read and write documents and collections, scrape"],
];

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

interface KeysProps {
  created: string | undefined;
  setCreated(key: string | undefined): void;
}

function Keys({ created, setCreated }: KeysProps) {
  const keys = useRead<Key[]>("/console/api/keys", { concerns: changesOf(["key"]) });
  const revoke = async (id: string) => {
    try {
      await write("POST", "/console/api/keys/revoke", { body: { id } });
      notify("Revoked. Programs that use this key are rejected from now on.");
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
    keys.reload();
  };
  return (
    <>
      <h2>API keys</h2>
      <NewKey
        created={(key) => {
          setCreated(key);
          keys.reload();
        }}
      />
      {created !== undefined && (
        <div class="box" role="status">
          <p>This is the key. It is not shown again, so copy it now.</p>
          <p class="actions">
            <code class="secret">{created}</code>
            <CopyButton text={created} label="Copy key" />
            <button type="button" onClick={() => setCreated(undefined)}>
              Done
            </button>
          </p>
        </div>
      )}
      <Problem text={keys.problem} retry={keys.reload} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, also with the keyboard */}
      <section class="table" tabIndex={0} aria-label="API keys">
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th>User</th>
              <th>Scopes</th>
              <th>Created</th>
              <th>Last used</th>
              <th>
                <span class="hidden">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {(keys.value ?? []).map((key) => (
              <tr key={key.id} class={key.revokedAt === null ? "" : "quiet"}>
                <td>
                  {key.name ?? "(no name)"} <small>{key.id}</small>
                </td>
                <td>{key.email}</td>
                <td>{key.scopes.join(", ")}</td>
                <td>
                  <Time at={key.createdAt} />
                </td>
                <td>{key.lastUsedAt === null ? "never" : <Time at={key.lastUsedAt} />}</td>
                <td>
                  {key.revokedAt === null ? (
                    <ConfirmButton
                      label="Revoke"
                      confirmation="Revoke for good?"
                      ariaLabel={`Revoke ${key.name ?? key.id}`}
                      onConfirm={() => revoke(key.id)}
                    />
                  ) : (
                    "revoked"
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function NewKey({ created }: { created(key: string): void }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["prompts.read", "documents.read"]);
  const [problem, setProblem] = useState<string | undefined>();
  const { isSending, submit } = useSubmit(async () => {
    try {
      const body = { ...(name.trim() !== "" && { name }), scopes };
      const { key } = await write<{ key: string }>("POST", "/console/api/keys", { body });
      setName("");
      setProblem(undefined);
      created(key);
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [name, scopes]);
  const toggle = (scope: Scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((other) => other !== scope) : [...scopes, scope]);
  return (
    <details class="box">
      <summary>New key</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Name" hint="What the key is for, such as the name of an agent">
          <input value={name} onInput={({ currentTarget: { value } }) => setName(value)} />
        </Field>
        <fieldset>
          <legend>The key may</legend>
          {SCOPES.map(([scope, meaning]) => (
            <label key={scope} class="check">
              <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
              <span>
                {meaning} <small class="quiet">{scope}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <Problem text={problem} />
        <button type="submit" class="primary" disabled={isSending || scopes.length === 0}>
          Create key
        </button>
      </form>
    </details>
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
