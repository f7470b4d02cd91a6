import { type Static, Type } from "typebox";
import { Timestamp } from "../../foundation/wire/common.ts";

/** A signup that waits for the verification of its address (docs/api.md). */
export const SignupResource = Type.Object(
  {
    status: Type.Literal("verification_sent"),
    email: Type.String(),
    verification_expires_at: Timestamp,
  },
  { $id: "Signup" },
);

export function presentSignup({
  email,
  verificationExpiresAt,
}: {
  readonly email: string;
  readonly verificationExpiresAt: Date;
}): Static<typeof SignupResource> {
  return {
    status: "verification_sent",
    email,
    verification_expires_at: verificationExpiresAt.toISOString(),
  };
}
