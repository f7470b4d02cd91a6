import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { ADMIN_TOKENS } from "../../../crypto/access-tokens.ts";
import { Problem, publicErrors } from "../../../foundation/wire/problem.ts";
import {
  AdminSessionResource,
  finishAdminLogin,
  presentAdminSession,
} from "../../../modules/admins/index.ts";
import { setAdminCookie } from "../../auth/cookies.ts";
import type { Server } from "../../route.ts";
import { clientInfoOf } from "../developers/visitor.ts";

const AdminTotpRequest = Type.Object(
  {
    mfa_token: Type.String({ minLength: 1, maxLength: 200 }),
    code: Type.String({ pattern: "^[0-9]{6}$", description: "Six digits." }),
  },
  { $id: "AdminTotpRequest", additionalProperties: false },
);

export function finishAdminLoginRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/admin/login/totp",
    config: { auth: "public", responseHeaders: ["Set-Cookie"] },
    schema: {
      operationId: "finishAdminLogin",
      tags: ["Admin"],
      summary: "The second step of an admin's login: the code that their device shows",
      description:
        "The token is in the body for programs, and in an HttpOnly cookie for browsers. It is good for ten minutes and is not refreshed. No code is good twice.",
      body: AdminTotpRequest,
      response: {
        200: AdminSessionResource,
        401: Problem,
        ...publicErrors,
      },
    },
    handler: async (request, reply) => {
      const { mfa_token: mfaToken, code } = request.body;
      const client = clientInfoOf(request);
      const { accessToken } = await finishAdminLogin(app, { mfaToken, code, client });
      const { lifetimeSeconds: accessSeconds } = ADMIN_TOKENS;
      setAdminCookie(reply, app.settings, { accessToken, accessSeconds });
      return presentAdminSession({ accessToken });
    },
  });
}
