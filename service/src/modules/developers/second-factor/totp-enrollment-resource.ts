import { type Static, Type } from "typebox";
import type { TotpSetup } from "./begin-totp.ts";

/** A secret for an authenticator app (docs/api.md). */
export const TotpEnrollmentResource = Type.Object(
  {
    secret: Type.String({ description: "Base 32. SHA-1, six digits, 30 seconds." }),
    otpauth_url: Type.String({ description: "The secret as the URL of a QR code." }),
  },
  { $id: "TotpEnrollment" },
);

export function presentTotpEnrollment({
  secret,
  otpauthUrl,
}: TotpSetup): Static<typeof TotpEnrollmentResource> {
  return { secret, otpauth_url: otpauthUrl };
}
