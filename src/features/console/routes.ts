// The operations of /console/api: signing in, and what the console shows that the public API does not have. They pass
// the same checks as those of /v1, but are not part of the public API and may change with the console.

import type { Operation } from "../../http/operation.ts";
import { type AccessDeps, accessApi } from "./access/routes.ts";
import { type ActivityDeps, activityApi } from "./activity/routes.ts";
import { type AgentsDeps, agentsApi } from "./agents/routes.ts";
import { collectionsApi } from "./collections/routes.ts";
import { type EventsDeps, eventsApi } from "./events/routes.ts";
import { type FoldersDeps, foldersApi } from "./folders/routes.ts";
import { labelsApi } from "./labels/routes.ts";
import { type LeasesDeps, leasesApi } from "./leases/routes.ts";
import { type PinsDeps, pinsApi } from "./pins/routes.ts";
import { type RecordsDeps, recordsApi } from "./records/routes.ts";
import { type RemotesDeps, remotesApi } from "./remotes/routes.ts";
import { type RunsDeps, runsApi } from "./runs/routes.ts";
import { type SessionDeps, sessionApi } from "./session/routes.ts";
import { type TrashDeps, trashApi } from "./trash/routes.ts";

/** What the console's operations need. */
export type ConsoleDeps = AccessDeps &
  ActivityDeps &
  AgentsDeps &
  EventsDeps &
  FoldersDeps &
  LeasesDeps &
  PinsDeps &
  RecordsDeps &
  RemotesDeps &
  RunsDeps &
  SessionDeps &
  TrashDeps;

/** Not in src/operations.ts, because the OpenAPI document does not describe them. */
export const consoleApi: readonly Operation<ConsoleDeps>[] = [
  ...sessionApi,
  ...recordsApi,
  ...activityApi,
  ...agentsApi,
  ...collectionsApi,
  ...labelsApi,
  ...leasesApi,
  ...pinsApi,
  ...runsApi,
  ...eventsApi,
  ...foldersApi,
  ...remotesApi,
  ...trashApi,
  ...accessApi,
];
