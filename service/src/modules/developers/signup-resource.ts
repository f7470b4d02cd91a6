import { type Static, Type } from "typebox";
import { Timestamp } from "../../foundation/wire/fields.ts";

/** A signup whose email address is not verified yet (docs/api.md, section 16.1). */
export const SignupResource = Type.Object(
  {
    status: Type.Literal("verification_sent"),
    email: Type.String({
      description:
        "The email address from the request, in lowercase. An email is sent to this address, unless there were too many signups with it within an hour.",
    }),
    verification_expires_at: {
      ...Timestamp,
      description: "When the verification URL in the email expires: 24 hours after the signup.",
    },
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
