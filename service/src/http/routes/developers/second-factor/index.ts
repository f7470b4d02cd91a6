import type { Route } from "../../../route.ts";
import { confirmTotpRoute } from "./confirm-totp.ts";
import { disableTotpRoute } from "./disable-totp.ts";
import { logInWithSecondFactorRoute } from "./log-in-with-second-factor.ts";
import { startTotpSetupRoute } from "./start-totp-setup.ts";

export const secondFactorRoutes: readonly Route[] = [
  logInWithSecondFactorRoute,
  startTotpSetupRoute,
  confirmTotpRoute,
  disableTotpRoute,
];
