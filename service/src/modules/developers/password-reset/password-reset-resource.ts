import { type Static, Type } from "typebox";

/** The response is the same for every email address, so that it does not reveal which addresses have an account. */
export const RequestedPasswordResetResource = Type.Object(
  { status: Type.Literal("accepted") },
  { $id: "RequestedPasswordReset" },
);

export const PasswordResetResource = Type.Object({ status: Type.Literal("password_reset") }, { $id: "PasswordReset" });

export function presentRequestedPasswordReset(): Static<typeof RequestedPasswordResetResource> {
  return { status: "accepted" };
}

export function presentPasswordReset(): Static<typeof PasswordResetResource> {
  return { status: "password_reset" };
}
