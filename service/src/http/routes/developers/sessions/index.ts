import type { Route } from "../../../route.ts";
import { endSessionRoute } from "./end-session.ts";
import { listSessionsRoute } from "./list-sessions.ts";
import { logInRoute } from "./log-in.ts";
import { logOutRoute } from "./log-out.ts";
import { refreshSessionRoute } from "./refresh-session.ts";

export const sessionRoutes: readonly Route[] = [
  logInRoute,
  logOutRoute,
  refreshSessionRoute,
  listSessionsRoute,
  endSessionRoute,
];
