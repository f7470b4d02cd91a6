import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { invariant } from "../../../foundation/invariant.ts";
import type { LoginProof } from "../../../modules/developers/sessions/require-recent-login.ts";
import { principalOf } from "../../auth/principal.ts";

import { PasswordIn, TotpCodeIn } from "./fields.ts";

/** The request fields that confirm a login that is not recent (docs/api.md, section 16.2). */
export const LOGIN_PROOF = {
  password: Type.Optional({
    ...PasswordIn,
    description:
      "The account's password. Not required if you logged in within the last 15 minutes or send `totp_code`.",
  }),
  totp_code: Type.Optional({
    ...TotpCodeIn,
    description:
      "The six-digit code from the authenticator app. Not required if you logged in within the last 15 minutes or send `password`.",
  }),
};

export const LoginProofRequest = Type.Object(LOGIN_PROOF, {
  $id: "LoginProofRequest",
  additionalProperties: false,
});

export function loginProofOf(
  request: FastifyRequest,
  { password, totp_code }: Static<typeof LoginProofRequest>,
): LoginProof {
  const principal = principalOf(request);
  invariant(principal.kind === "session", "only sessions call routes that need a recent login");
  return {
    loggedInAt: principal.loggedInAt,
    password,
    totpCode: totp_code,
    onWrong: () => request.server.countFailure(request.ip),
  };
}
