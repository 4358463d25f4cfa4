// The API keys of the view Access: creating, renaming and revoking them.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { messageOf, write } from "../api/request.ts";
import type { Scope } from "../../auth/scopes.ts";
import type { Key } from "../../features/console/replies.ts";
import { notify } from "../frame/notices.tsx";
import { ConfirmButton, CopyButton, Field, Time } from "../parts/controls.tsx";
import { changesOf, useRead } from "../parts/load.ts";
import { Problem } from "../parts/page.tsx";
import { useSubmit } from "../parts/submit.ts";
import { plural } from "../text/format.ts";

const SCOPES: readonly (readonly [Scope, string])[] = [
  ["prompts.read", "read prompts"],
  ["prompts.write", "read and write prompts"],
  ["documents.read", "read documents and collections, search, ask"],
  ["documents.write", "read and write documents and collections, scrape"],
  ["documents.scrape", "scrape only"],
];

interface KeysProps {
  created: string | undefined;
  setCreated(key: string | undefined): void;
}

export function Keys({ created, setCreated }: KeysProps) {
  const keys = useRead<Key[]>("/console/api/keys", { concerns: changesOf(["key"]) });
  const [isAll, setAll] = useState(false);
  const [renamed, setRenamed] = useState<string | undefined>();
  const revoke = async (id: string) => {
    try {
      await write("POST", "/console/api/keys/revoke", { body: { id } });
      notify("Revoked. Programs that use this key are rejected from now on.");
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
    keys.reload();
  };
  const rename = async (id: string, name: string) => {
    try {
      const body = { id, name: name.trim() === "" ? null : name.trim() };
      await write("POST", "/console/api/keys/rename", { body });
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
    setRenamed(undefined);
    keys.reload();
  };
  const all = keys.value ?? [];
  const revoked = all.filter(({ revokedAt }) => revokedAt !== null).length;
  const shown = isAll ? all : all.filter(({ revokedAt }) => revokedAt === null);
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
            {shown.map((key) => (
              <tr key={key.id} class={key.revokedAt === null ? "" : "quiet"}>
                <td>
                  {renamed === key.id ? (
                    <NameField name={key.name ?? ""} done={(name) => rename(key.id, name)} />
                  ) : (
                    (key.name ?? "(no name)")
                  )}{" "}
                  <small>{key.id}</small>
                </td>
                <td>{key.email}</td>
                <td>{key.scopes.join(", ")}</td>
                <td>
                  <Time at={key.createdAt} />
                </td>
                <td>{key.lastUsedAt === null ? "never" : <Time at={key.lastUsedAt} />}</td>
                <td>
                  {key.revokedAt === null ? (
                    <span class="row-actions">
                      <button
                        type="button"
                        class="small"
                        aria-label={`Rename ${key.name ?? key.id}`}
                        onClick={() => setRenamed(key.id)}
                      >
                        Rename
                      </button>
                      <ConfirmButton
                        label="Revoke"
                        confirmation="Revoke for good?"
                        ariaLabel={`Revoke ${key.name ?? key.id}`}
                        onConfirm={() => revoke(key.id)}
                      />
                    </span>
                  ) : (
                    "revoked"
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {revoked > 0 && (
        <button type="button" class="small" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? "Hide revoked keys" : `Show ${plural(revoked, "revoked key")}`}
        </button>
      )}
    </>
  );
}

/** The name of a key while it is edited: Enter or leaving the field saves it, Escape does not. */
function NameField({ name, done }: { name: string; done(name: string): void }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <input
      ref={field}
      aria-label="New name"
      defaultValue={name}
      onBlur={({ currentTarget }) => done(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === "Escape") currentTarget.value = name;
        if (key === "Escape" || key === "Enter") currentTarget.blur();
      }}
    />
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
