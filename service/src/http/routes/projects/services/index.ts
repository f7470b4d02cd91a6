import { type Route, withTag } from "../../../route.ts";
import { addServiceRoute } from "./add-service.ts";
import { openDashboardRoute } from "./open-dashboard.ts";
import { getServiceRoute, listServicesRoute } from "./read-services.ts";
import { removeServiceRoute } from "./remove-service.ts";
import { rotateServiceRoute } from "./rotate-service.ts";
import { upgradeServiceRoute } from "./upgrade-service.ts";

export const projectServiceRoutes: readonly Route[] = withTag("Services", [
  addServiceRoute,
  rotateServiceRoute,
  removeServiceRoute,
  listServicesRoute,
  getServiceRoute,
  upgradeServiceRoute,
  openDashboardRoute,
]);
