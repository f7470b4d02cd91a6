import type { Route } from "../../../route.ts";
import { beginTotpRoute } from "./begin-totp.ts";
import { confirmTotpRoute } from "./confirm-totp.ts";
import { disableTotpRoute } from "./disable-totp.ts";
import { logInWithSecondFactorRoute } from "./log-in-with-second-factor.ts";

export const secondFactorRoutes: readonly Route[] = [
  logInWithSecondFactorRoute,
  beginTotpRoute,
  confirmTotpRoute,
  disableTotpRoute,
];
