// The page of somebody who is not signed in.

import { useState } from "preact/hooks";
import { messageOf } from "../api/request.ts";
import { signIn } from "../api/session.ts";
import { Field } from "../parts/controls.tsx";
import { Page, Problem } from "../parts/page.tsx";

export function SignIn() {
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState<string | undefined>();
  const [isWaiting, setWaiting] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setWaiting(true);
    try {
      await signIn({ key });
    } catch (error) {
      setProblem(messageOf(error));
      setWaiting(false);
    }
  };
  return (
    <main class="sign-in">
      <Page title="Sign in to ctxrepo">
        <p>
          On the machine of the server, run <code>ctxrepo open</code>. It opens this page, signed in.
        </p>
        {!isSecureContext && (
          <p class="problem" role="alert">
            Browsers do not allow signing in over plain HTTP, except on the machine of the server: open this
            page by HTTPS, or through an SSH tunnel.
          </p>
        )}
        <form onSubmit={submit}>
          <Field
            label="Or paste an API key"
            hint="It is exchanged for a session and not kept in the browser."
          >
            <input
              type="password"
              name="key"
              autocomplete="off"
              spellcheck={false}
              required
              placeholder="gm_…"
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
          </Field>
          <Problem text={problem} />
          <button class="primary" type="submit" disabled={isWaiting}>
            Sign in
          </button>
        </form>
      </Page>
    </main>
  );
}
