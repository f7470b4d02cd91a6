import type { Route } from "../../../route.ts";
import { collectDevicePairRoute } from "./collect-device-pair.ts";
import { decideDeviceLoginRoute } from "./decide-device-login.ts";
import { startDeviceLoginRoute } from "./start-device-login.ts";

export const deviceLoginRoutes: readonly Route[] = [
  startDeviceLoginRoute,
  collectDevicePairRoute,
  decideDeviceLoginRoute,
];
