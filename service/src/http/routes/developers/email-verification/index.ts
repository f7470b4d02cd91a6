import type { Route } from "../../../route.ts";
import { resendVerificationRoute } from "./resend-verification.ts";
import { verifyEmailRoute } from "./verify-email.ts";

export const emailVerificationRoutes: readonly Route[] = [
  resendVerificationRoute,
  verifyEmailRoute,
];
