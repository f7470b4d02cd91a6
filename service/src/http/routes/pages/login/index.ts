import type { Route } from "../../../route.ts";
import { captchaScriptRoutes } from "./captcha-scripts.ts";
import { finishProviderLoginRoutes } from "./finish-provider-login.ts";
import { forgotPasswordPageRoutes } from "./forgot-password.ts";
import { logOutPageRoute } from "./log-out-page.ts";
import { resetPasswordPageRoutes } from "./reset-password.ts";
import { revokeKeysPageRoutes } from "./revoke-keys.ts";
import { showLoginRoute } from "./show-login.ts";
import { startProviderLoginRoutes } from "./start-provider-login.ts";
import { submitLoginRoute } from "./submit-login.ts";
import { submitSecondFactorRoute } from "./submit-second-factor.ts";

export const pageLoginRoutes: readonly Route[] = [
  showLoginRoute,
  submitLoginRoute,
  startProviderLoginRoutes,
  finishProviderLoginRoutes,
  submitSecondFactorRoute,
  forgotPasswordPageRoutes,
  resetPasswordPageRoutes,
  revokeKeysPageRoutes,
  logOutPageRoute,
  captchaScriptRoutes,
];
