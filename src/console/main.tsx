// The entry point of the console in the browser: signs in with the code of the address, if there is one, and shows the
// page.

import "./style/base.css";
import "./style/activity.css";
import "./style/frame.css";
import "./style/machines.css";
import "./style/pictures.css";
import "./style/table.css";
import "./style/views.css";
import { render } from "preact";
import { messageOf } from "./api/request.ts";
import { loadUser, signIn, user } from "./api/session.ts";
import { App } from "./app.tsx";
import { followLinks, go } from "./frame/location.ts";
import { notify } from "./frame/notices.tsx";
import { applyDensity } from "./frame/density.tsx";
import { applyTheme } from "./frame/theme.tsx";
import { readFragment } from "./frame/routes.ts";

const { code, fragment } = readFragment(location.hash);
// Before anything else, so that the code does not stay in the history.
if (code !== undefined) {
  const hash = fragment === "" ? "" : `#${fragment}`;
  go(location.pathname + location.search + hash, { replace: true });
}

applyTheme();
applyDensity();
followLinks();
render(<App />, document.body);

try {
  await (code === undefined ? loadUser() : signIn({ code }));
} catch (error) {
  // The link may have been opened before in this browser, which is then signed in.
  if (code !== undefined) await loadUser().catch(() => {});
  if (!user.value) {
    user.value = null;
    notify(messageOf(error), { kind: "failed" });
  }
}
