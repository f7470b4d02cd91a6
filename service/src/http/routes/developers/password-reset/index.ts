import type { Route } from "../../../route.ts";
import { requestPasswordResetRoute } from "./request-password-reset.ts";
import { resetPasswordRoute } from "./reset-password.ts";

export const passwordResetRoutes: readonly Route[] = [requestPasswordResetRoute, resetPasswordRoute];
