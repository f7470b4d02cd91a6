import type { Route } from "../../../route.ts";
import { beginDeviceLoginRoute } from "./begin-device-login.ts";
import { collectDevicePairRoute } from "./collect-device-pair.ts";
import { decideDeviceLoginRoute } from "./decide-device-login.ts";

export const deviceLoginRoutes: readonly Route[] = [
  beginDeviceLoginRoute,
  collectDevicePairRoute,
  decideDeviceLoginRoute,
];
