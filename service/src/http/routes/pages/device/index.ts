import type { Route } from "../../../route.ts";
import { devicePageRoutes } from "./device.ts";

export const pageDeviceRoutes: readonly Route[] = [devicePageRoutes];
