// The style sheet of the API reference: system fonts, light and dark, wide and narrow screens.

import { type Html, html } from "./html.ts";

/** The style sheet as an HTML element. */
export const STYLE: Html = html`<style>
:root {
  color-scheme: light dark;
  --text: #1d2125; --quiet: #59636e; --page: #fff; --box: #f5f6f8; --edge: #d5dae0; --accent: #0b62c4;
  --get: #1a7f37; --post: #0b62c4; --put: #8a5a00; --patch: #8a5a00; --delete: #c0262d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e8ec; --quiet: #9aa5b1; --page: #14171a; --box: #1e2226; --edge: #363d44; --accent: #6cb0ff;
    --get: #56c271; --post: #6cb0ff; --put: #e0ae4f; --patch: #e0ae4f; --delete: #ff7b80;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr);
  font: 1rem/1.55 system-ui, sans-serif; color: var(--text); background: var(--page);
}
nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem; font-size: .875rem;
  border-right: 1px solid var(--edge);
}
nav h2 { margin: 1.1rem 0 .2rem; font-size: .875rem; border: 0; padding: 0; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav li { padding: .1rem 0; }
main { padding: 1.5rem clamp(1rem, 4vw, 3rem) 6rem; max-width: 62rem; }
a { color: var(--accent); text-decoration: none; }
a:hover, a:focus-visible { text-decoration: underline; }
h1 { margin: 0 0 .25rem; }
h2 { margin: 3rem 0 .5rem; padding-bottom: .25rem; border-bottom: 1px solid var(--edge); }
h3 { margin: 2.5rem 0 .25rem; font-size: 1.1rem; }
h4 { margin: 1.25rem 0 .25rem; font-size: .875rem; color: var(--quiet); }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { margin: .25rem 0; padding: .75rem 1rem; overflow-x: auto; background: var(--box); border-radius: .4rem; }
p { margin: .4rem 0; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .3rem .75rem .3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--edge); }
th { font-weight: 600; color: var(--quiet); }
summary { cursor: pointer; padding: .15rem 0; }
.quiet { color: var(--quiet); }
.method { font: 700 .8em ui-monospace, monospace; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); }
.patch { color: var(--patch); } .delete { color: var(--delete); }
@media (max-width: 50rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 50vh; border-right: 0; border-bottom: 1px solid var(--edge); }
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  td { border: 0; padding: 0; }
  tr { padding: .4rem 0; border-bottom: 1px solid var(--edge); }
}
</style>`;
