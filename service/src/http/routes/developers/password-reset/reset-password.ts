import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { publicErrors } from "../../../../foundation/wire/problem.ts";
import {
  PasswordResetResource,
  presentPasswordReset,
  resetPassword,
} from "../../../../modules/developers/index.ts";
import type { Server } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { PasswordIn, passwordProblem, throwIfInvalid } from "../fields.ts";

const PasswordResetRequest = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 512,
      description: "The token of the mailed URL. Valid once, for an hour.",
    }),
    password: PasswordIn,
    keep_keys: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Whether to keep the API keys of an account whose owner was never confirmed (see the operation `resetPassword`). Default: they are revoked.",
      }),
    ),
    revoke_keys: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Whether to revoke the API keys of an account whose owner was confirmed. Default: they are kept.",
      }),
    ),
  },
  { $id: "PasswordResetRequest", additionalProperties: false },
);

export function resetPasswordRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/password/reset",
    config: { auth: "public" },
    schema: {
      operationId: "resetPassword",
      tags: ["Developers"],
      summary: "Reset the password",
      description:
        "Sets a new password with the token of a mailed URL and ends every session. A bad token is `invalid_token`. An account's owner is confirmed once one person has shown both its mailbox and its login: by a password reset, by a login with an identity provider that has verified the address, or by a password login from the browser that followed the verification URL. Such an account keeps its API keys and second factor, unless `revoke_keys` is true. In any other account everything that was set up before is withdrawn: API keys unless `keep_keys` is true, second factor, linked identities, waiting device logins and profile. The reset confirms the owner and verifies the address. `validation_error` if both flags are true.",
      body: PasswordResetRequest,
      response: { 200: PasswordResetResource, ...publicErrors },
    },
    handler: async (request) => {
      const { token, password, keep_keys = false, revoke_keys = false } = request.body;
      throwIfInvalid(
        passwordProblem(password),
        keep_keys && revoke_keys
          ? {
              pointer: "/body/revoke_keys",
              code: "conflicting",
              detail: "cannot be combined with keep_keys",
            }
          : undefined,
      );
      await resetPassword(app, {
        token,
        password,
        keepKeys: keep_keys,
        revokeKeys: revoke_keys,
        client: clientInfoOf(request),
      });
      return presentPasswordReset();
    },
  });
}
