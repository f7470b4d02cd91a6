import { type Static, Type } from "typebox";
import type { TotpSetup } from "./start-totp-setup.ts";

/** A secret for an authenticator app (docs/api.md, section 16.2). */
export const TotpEnrollmentResource = Type.Object(
  {
    secret: Type.String({
      description:
        "The TOTP secret in Base32, for six-digit SHA-1 codes that change every 30 seconds. Shown only once.",
    }),
    otpauth_url: Type.String({
      description: "The TOTP secret as an `otpauth` URL, for a QR code.",
    }),
  },
  { $id: "TotpEnrollment", description: "A secret for an authenticator app." },
);

export function presentTotpEnrollment({ secret, otpauthUrl }: TotpSetup): Static<typeof TotpEnrollmentResource> {
  return { secret, otpauth_url: otpauthUrl };
}
