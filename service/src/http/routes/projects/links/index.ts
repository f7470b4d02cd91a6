import type { Route } from "../../../route.ts";
import { getLinkRoute } from "./get-link.ts";
import { linkProviderRoute } from "./link-provider.ts";
import { listLinksRoute } from "./list-links.ts";
import { oauthCallbackRoutes } from "./oauth-callback.ts";
import { revokeLinkRoute } from "./revoke-link.ts";

export const projectLinkRoutes: readonly Route[] = [
  linkProviderRoute,
  oauthCallbackRoutes,
  listLinksRoute,
  getLinkRoute,
  revokeLinkRoute,
];
