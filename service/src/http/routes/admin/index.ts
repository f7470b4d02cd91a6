import { type Route, withTag } from "../../route.ts";
import { finishAdminLoginRoute, logInAdminRoute, logOutAdminRoute } from "./admin-sessions.ts";
import { freezeWalletAsAdminRoute, unfreezeWalletAsAdminRoute } from "./freeze-wallet.ts";
import { listDevelopersRoute, showDeveloperRoute } from "./read-developers.ts";

export const adminRoutes: readonly Route[] = withTag("Admin", [
  logInAdminRoute,
  finishAdminLoginRoute,
  logOutAdminRoute,
  listDevelopersRoute,
  showDeveloperRoute,
  freezeWalletAsAdminRoute,
  unfreezeWalletAsAdminRoute,
]);
