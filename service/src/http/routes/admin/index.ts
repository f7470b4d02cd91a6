import { type Route, withTag } from "../../route.ts";
import { finishAdminLoginRoute } from "./finish-admin-login.ts";
import { freezeWalletAsAdminRoute, unfreezeWalletAsAdminRoute } from "./freeze-wallet.ts";
import { listDevelopersRoute } from "./list-developers.ts";
import { logInAdminRoute } from "./log-in-admin.ts";
import { logOutAdminRoute } from "./log-out-admin.ts";
import { showDeveloperRoute } from "./show-developer.ts";

export const adminRoutes: readonly Route[] = withTag("Admin", [
  logInAdminRoute,
  finishAdminLoginRoute,
  logOutAdminRoute,
  listDevelopersRoute,
  showDeveloperRoute,
  freezeWalletAsAdminRoute,
  unfreezeWalletAsAdminRoute,
]);
