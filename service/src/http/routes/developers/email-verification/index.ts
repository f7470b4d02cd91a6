import type { Route } from "../../../route.ts";
import { resendVerificationRoute } from "./resend-verification.ts";
import { verifyEmailRoutes } from "./verify-email.ts";

export const emailVerificationRoutes: readonly Route[] = [resendVerificationRoute, verifyEmailRoutes];
