// The button that ends the session. Deletions that have begun are finished before, and drafts are not deleted unasked.

import { useState } from "preact/hooks";
import { messageOf } from "../api/request.ts";
import { endSession } from "../api/session.ts";
import { Dialog } from "../parts/controls.tsx";
import { plural } from "../text/format.ts";
import { finishDeletions } from "./deletions.ts";
import { drafts, forgetDrafts } from "./drafts.ts";
import { notify } from "./notices.tsx";

export function SignOut() {
  const [isAsking, setAsking] = useState(false);
  const signOut = async () => {
    try {
      await finishDeletions();
      await endSession();
    } catch (error) {
      notify(`You are still signed in: ${messageOf(error)}`, { kind: "failed" });
    }
  };
  return (
    <>
      <button
        type="button"
        class="small"
        onClick={() => (drafts.value.length > 0 ? setAsking(true) : signOut())}
      >
        Sign out
      </button>
      {isAsking && (
        <Dialog title={`${plural(drafts.value.length, "text")} not saved`} onClose={() => setAsking(false)}>
          <ul>
            {drafts.value.map(({ key, title }) => (
              <li key={key} dir="auto">
                {title}
              </li>
            ))}
          </ul>
          <p>If you keep them, they are shown to you again after the next sign-in with this browser.</p>
          <div class="actions">
            <button type="button" class="primary" onClick={signOut}>
              Keep them and sign out
            </button>
            <button
              type="button"
              class="danger"
              onClick={async () => {
                await forgetDrafts();
                await signOut();
              }}
            >
              Delete them and sign out
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
