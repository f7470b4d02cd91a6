import { type Static, Type } from "typebox";

/** The page that a verified address leads to. */
export const VERIFIED_PAGE = "/login?verified=1";

/** An address that its owner has verified (docs/api.md). */
export const VerifiedEmailResource = Type.Object(
  { status: Type.Literal("verified"), redirect_url: Type.Literal(VERIFIED_PAGE) },
  { $id: "VerifiedEmail" },
);

/** The same for every address, whether a mail is sent or not. */
export const ResentVerificationResource = Type.Object(
  { status: Type.Literal("accepted") },
  { $id: "ResentVerification" },
);

export function presentVerifiedEmail(): Static<typeof VerifiedEmailResource> {
  return { status: "verified", redirect_url: VERIFIED_PAGE };
}

export function presentResentVerification(): Static<typeof ResentVerificationResource> {
  return { status: "accepted" };
}
