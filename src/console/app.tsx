// The page around all views: navigation, keyboard, sign-in, messages.

import { isUnreachable } from "./api/live.ts";
import { isSignedOut } from "./api/request.ts";
import { may, user } from "./api/session.ts";
import { DropFiles } from "./frame/drop-files.tsx";
import { DensitySwitch } from "./frame/density.tsx";
import { Indexing } from "./frame/indexing.tsx";
import { drafts } from "./frame/drafts.ts";
import { Keys } from "./frame/keys.tsx";
import { here } from "./frame/location.ts";
import { Notices } from "./frame/notices.tsx";
import { isBelow, missingScopes, offeredViews, type Route, routeOf } from "./frame/routes.ts";
import { SignIn } from "./frame/sign-in.tsx";
import { SignOut } from "./frame/sign-out.tsx";
import { ThemeSwitch } from "./frame/theme.tsx";
import { Twin } from "./frame/twin.tsx";
import { Icon, type IconName } from "./parts/icon.tsx";
import { lazily } from "./parts/lazy.tsx";
import { Page } from "./parts/page.tsx";
import { AccessView } from "./views/access.tsx";
import { ActivityView } from "./views/activity.tsx";
import { progress } from "./views/add/import/running.ts";
import { AddView } from "./views/add/add.tsx";
import { MachinesView } from "./views/machines.tsx";
import { AskView } from "./views/ask.tsx";
import { CollectionsView, CollectionView } from "./views/collections/collections.tsx";
import { DocumentView } from "./views/documents/document.tsx";
import { DocumentsView } from "./views/documents/documents.tsx";
import { DocumentVersionsView } from "./views/documents/versions.tsx";
import { DraftsView } from "./views/drafts.tsx";
import { PromptView } from "./views/prompts/prompt.tsx";
import { PromptsView } from "./views/prompts/prompts.tsx";
import { PromptVersionsView } from "./views/prompts/versions.tsx";
import { TagsView } from "./views/tags.tsx";
import { TrashView } from "./views/trash.tsx";
import { SearchView } from "./views/search/search.tsx";

const MapView = lazily<object>(async () => (await import("./views/map.tsx")).MapView);

/** The pictures of the views, by their addresses. */
const ICONS: Record<string, IconName> = {
  "/console/": "search",
  "/console/ask": "ask",
  "/console/documents": "documents",
  "/console/prompts": "prompts",
  "/console/collections": "collections",
  "/console/add": "add",
  "/console/activity": "activity",
  "/console/access": "access",
};

export function App() {
  if (user.value === undefined) return null;
  if (user.value === null || isSignedOut.value) {
    return (
      <>
        <SignIn />
        <Notices />
      </>
    );
  }
  const path = here.value.pathname;
  const missing = missingScopes(path, may);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector("main")?.focus()}>
        Skip to the content
      </button>
      <nav aria-label="Views">
        <a class="brand" href="/console/">
          ctxrepo
        </a>
        <ul>
          {offeredViews(may).map(([href, name]) => (
            <li key={href}>
              <a href={href} aria-current={isBelow(path, href) ? "page" : undefined}>
                <Icon name={ICONS[href] ?? "documents"} />
                {name}
              </a>
            </li>
          ))}
          {drafts.value.length > 0 && (
            <li>
              <a href="/console/drafts" aria-current={path === "/console/drafts" ? "page" : undefined}>
                <Icon name="unsaved" />
                Unsaved <small>{drafts.value.length}</small>
              </a>
            </li>
          )}
        </ul>
        <Importing />
        <Indexing />
        <Twin />
        <div class="who">
          <span title={user.value.email}>{user.value.displayName}</span>
          <ThemeSwitch />
          <DensitySwitch />
          <SignOut />
        </div>
      </nav>
      <main id="main" tabIndex={-1}>
        {isUnreachable.value && (
          <p class="problem" role="alert">
            The server cannot be reached. The page continues by itself as soon as it can.
          </p>
        )}
        {missing ? <NotAllowed scopes={missing} /> : <View route={routeOf(path)} key={path} />}
      </main>
      <DropFiles />
      <Keys />
      <Notices />
    </>
  );
}

/** The import that is running, with a link to its report. */
function Importing() {
  if (!progress.value?.isRunning) return null;
  const { total, outcomes } = progress.value;
  return (
    <a class="indexing" href="/console/add?what=files">
      Importing {outcomes.length} of {total}
    </a>
  );
}

function NotAllowed({ scopes }: { scopes: readonly string[] }) {
  return (
    <Page title="Not allowed with this key">
      <p>
        You are signed in with a key that lacks the scope <code>{scopes.join(" or ")}</code>, which this view
        needs.
      </p>
    </Page>
  );
}

function View({ route }: { route: Route }) {
  switch (route.view) {
    case "search":
      return <SearchView />;
    case "ask":
      return <AskView />;
    case "documents":
      return <DocumentsView />;
    case "document":
      return <DocumentView id={route.id} />;
    case "document-versions":
      return <DocumentVersionsView id={route.id} />;
    case "prompts":
      return <PromptsView />;
    case "prompt":
      return <PromptView id={route.id} />;
    case "prompt-versions":
      return <PromptVersionsView id={route.id} />;
    case "collections":
      return <CollectionsView />;
    case "collection":
      return <CollectionView id={route.id} />;
    case "add":
      return <AddView />;
    case "machines":
      return <MachinesView />;
    case "activity":
      return <ActivityView />;
    case "access":
      return <AccessView />;
    case "drafts":
      return <DraftsView />;
    case "tags":
      return <TagsView />;
    case "map":
      return <MapView />;
    case "trash":
      return <TrashView />;
    default:
      return (
        <Page title="No such page">
          <p>
            Go to <a href="/console/">Search</a>.
          </p>
        </Page>
      );
  }
}
