import { type Static, Type } from "typebox";

/** The page to which a browser is redirected after verification. */
export const VERIFIED_PAGE = "/login?verified=1";

/** A verified email address (docs/api.md, section 16.1). */
export const VerifiedEmailResource = Type.Object(
  {
    status: Type.Literal("verified"),
    redirect_url: Type.Literal(VERIFIED_PAGE, {
      description: "URL path of the page to show next, which is the login page.",
    }),
  },
  { $id: "VerifiedEmail" },
);

/** The response is the same for every address, so that it does not reveal whether the address has an account. */
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
