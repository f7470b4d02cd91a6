import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { publicErrors } from "../../../../foundation/wire/problem.ts";
import {
  PasswordResetResource,
  presentPasswordReset,
  resetPassword,
} from "../../../../modules/developers/index.ts";
import type { Server } from "../../../route.ts";
import { PasswordIn, passwordProblem, refuseInvalid } from "../fields.ts";
import { clientInfoOf } from "../visitor.ts";

const PasswordResetRequest = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 512 }),
    password: PasswordIn,
    keep_keys: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Keeps the API keys of an account that is not proven.",
      }),
    ),
    revoke_keys: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Revokes the API keys of an account that is proven.",
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
      summary: "Choose a new password with the token that was mailed",
      description:
        "The token works once, for an hour. Every session ends. An account is proven once one person has shown both its mailbox and its login: by a password reset, by a login with a provider that has verified the address, or by a password login from the browser that followed the verification link. API keys and second factor of a proven account stay, unless `revoke_keys` is true. Of any other account everything that was set up before is withdrawn: API keys unless `keep_keys` is true, second factor, linked identities, waiting device logins and profile. The reset proves the account and verifies its address. 422 if both are true.",
      body: PasswordResetRequest,
      response: { 200: PasswordResetResource, ...publicErrors },
    },
    handler: async (request) => {
      const { token, password, keep_keys = false, revoke_keys = false } = request.body;
      refuseInvalid(
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
