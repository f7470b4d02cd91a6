import type { Route } from "../../../route.ts";
import { gitHubStateRoute } from "./github-state.ts";
import { listIdentitiesRoute } from "./list-identities.ts";
import { logInWithGitHubRoute } from "./log-in-with-github.ts";
import { logInWithGoogleRoute } from "./log-in-with-google.ts";
import { unlinkIdentityRoute } from "./unlink-identity.ts";

export const identityRoutes: readonly Route[] = [
  logInWithGitHubRoute,
  gitHubStateRoute,
  logInWithGoogleRoute,
  listIdentitiesRoute,
  unlinkIdentityRoute,
];
