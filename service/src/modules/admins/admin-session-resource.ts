import { type Static, Type } from "typebox";
import { ADMIN_TOKENS } from "../../crypto/access-tokens.ts";
import { CHALLENGE_SECONDS } from "./log-in-admin.ts";

/** The result of an admin's first login step (docs/api.md, section 1). */
export const AdminLoginChallengeResource = Type.Object(
  {
    mfa_token: Type.String({ description: "The token to send to `POST /admin/login/totp`." }),
    expires_in: Type.Integer({ description: "Lifetime of `mfa_token` in seconds." }),
  },
  { $id: "AdminLoginChallenge" },
);

/** An admin's session (docs/api.md, section 1). */
export const AdminSessionResource = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal("Bearer"),
    expires_in: Type.Integer({ description: "Lifetime of the access token in seconds." }),
  },
  { $id: "AdminSession" },
);

export function presentAdminLoginChallenge({
  mfaToken,
}: {
  readonly mfaToken: string;
}): Static<typeof AdminLoginChallengeResource> {
  return { mfa_token: mfaToken, expires_in: CHALLENGE_SECONDS };
}

export function presentAdminSession({
  accessToken,
}: {
  readonly accessToken: string;
}): Static<typeof AdminSessionResource> {
  return {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: ADMIN_TOKENS.lifetimeSeconds,
  };
}
