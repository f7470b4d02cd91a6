import type { Route } from "../../route.ts";
import { authFailureRoutes } from "./auth-failures/index.ts";
import { deviceLoginRoutes } from "./device-login/index.ts";
import { emailVerificationRoutes } from "./email-verification/index.ts";
import { getCaptchaRoute } from "./get-captcha.ts";
import { getDashboardProfileRoute } from "./get-dashboard-profile.ts";
import { getDeveloperRoute } from "./get-developer.ts";
import { identityRoutes } from "./identities/index.ts";
import { keyRoutes } from "./keys/index.ts";
import { kybRoutes } from "./kyb/index.ts";
import { passwordResetRoutes } from "./password-reset/index.ts";
import { registerDeveloperRoute } from "./register-developer.ts";
import { secondFactorRoutes } from "./second-factor/index.ts";
import { sessionRoutes } from "./sessions/index.ts";
import { signUpRoute } from "./sign-up.ts";
import { updateDashboardProfileRoute } from "./update-dashboard-profile.ts";

export const developerRoutes: readonly Route[] = [
  getDashboardProfileRoute,
  updateDashboardProfileRoute,
  getDeveloperRoute,
  registerDeveloperRoute,
  signUpRoute,
  getCaptchaRoute,
  ...authFailureRoutes,
  ...deviceLoginRoutes,
  ...emailVerificationRoutes,
  ...identityRoutes,
  ...keyRoutes,
  ...kybRoutes,
  ...passwordResetRoutes,
  ...secondFactorRoutes,
  ...sessionRoutes,
];
