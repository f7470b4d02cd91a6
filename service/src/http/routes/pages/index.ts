import type { Route } from "../../route.ts";
import { pageApproveRoutes } from "./approve/index.ts";
import { completedLinkRoute } from "./completed-link.ts";
import { connectPageRoutes } from "./connect.ts";
import { pageDeviceRoutes } from "./device/index.ts";
import { docsRoutes } from "./docs.ts";
import { healthRoutes } from "./health.ts";
import { jwksRoute } from "./jwks.ts";
import { pageLoginRoutes } from "./login/index.ts";
import { openapiRoute } from "./openapi.ts";
import { shortcutRoutes } from "./shortcuts.ts";

export const pageRoutes: readonly Route[] = [
  healthRoutes,
  openapiRoute,
  docsRoutes,
  shortcutRoutes,
  jwksRoute,
  completedLinkRoute,
  connectPageRoutes,
  ...pageApproveRoutes,
  ...pageDeviceRoutes,
  ...pageLoginRoutes,
];
