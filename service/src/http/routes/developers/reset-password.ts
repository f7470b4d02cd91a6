import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { resetPassword } from "../../../modules/developers/index.ts";
import type { Server } from "../../route.ts";
import { publicErrors } from "../../schemas/errors.ts";
import { PasswordIn, passwordProblem, refuseInvalid } from "./fields.ts";
import { visitorOf } from "./visitor.ts";

const PasswordResetRequest = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 512 }), password: PasswordIn },
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
        "The token is good once, for an hour. Every session ends; API keys and the second factor stay.",
      body: PasswordResetRequest,
      response: { 200: Type.Object({ status: Type.Literal("password_reset") }), ...publicErrors },
    },
    handler: async (request) => {
      const { token, password } = request.body;
      refuseInvalid(passwordProblem(password));
      await resetPassword(app, { token, password, visitor: visitorOf(request) });
      return { status: "password_reset" as const };
    },
  });
}
