import type { Route } from "../../route.ts";
import { approvePageRoutes } from "./approve/approve.ts";
import { completedLinkRoute } from "./completed-link.ts";
import { connectPageRoutes } from "./connect.ts";
import { devicePageRoutes } from "./device/device.ts";
import { docsRoutes } from "./docs.ts";
import { healthRoutes } from "./health.ts";
import { jwksRoute } from "./jwks.ts";
import { captchaScriptRoutes } from "./login/captcha-scripts.ts";
import { finishProviderLoginRoutes } from "./login/finish-provider-login.ts";
import { forgotPasswordPageRoutes } from "./login/forgot-password.ts";
import { logOutPageRoute } from "./login/log-out-page.ts";
import { resetPasswordPageRoutes } from "./login/reset-password.ts";
import { revokeKeysPageRoutes } from "./login/revoke-keys.ts";
import { showLoginRoute } from "./login/show-login.ts";
import { startProviderLoginRoutes } from "./login/start-provider-login.ts";
import { submitLoginRoute } from "./login/submit-login.ts";
import { secondFactorPageRoutes } from "./login/submit-second-factor.ts";
import { openapiRoute } from "./openapi.ts";
import { shortcutRoutes } from "./shortcuts.ts";

export const pageRoutes: readonly Route[] = [
  ...healthRoutes,
  openapiRoute,
  ...docsRoutes,
  ...shortcutRoutes,
  jwksRoute,
  completedLinkRoute,
  ...connectPageRoutes,
  ...approvePageRoutes,
  ...devicePageRoutes,
  showLoginRoute,
  submitLoginRoute,
  ...startProviderLoginRoutes,
  ...finishProviderLoginRoutes,
  ...secondFactorPageRoutes,
  ...forgotPasswordPageRoutes,
  ...resetPasswordPageRoutes,
  ...revokeKeysPageRoutes,
  logOutPageRoute,
  ...captchaScriptRoutes,
];
