import { Type } from "typebox";
import { ADMIN_TOKENS } from "../../../crypto/access-tokens.ts";
import { Problem } from "../../../foundation/wire/problem.ts";
import { AdminSessionResource, finishAdminLogin, presentAdminSession } from "../../../modules/admins/log-in-admin.ts";
import { ADMIN_COOKIE, setCookie } from "../../auth/cookies.ts";
import { endpoint } from "../../route.ts";
import { clientInfoOf } from "../developers/client-info.ts";

const AdminTotpRequest = Type.Object(
  {
    mfa_token: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "The `mfa_token` returned by `POST /admin/login`.",
    }),
    code: Type.String({ pattern: "^[0-9]{6}$", description: "The TOTP code: six digits." }),
  },
  { $id: "AdminTotpRequest", additionalProperties: false },
);

export const finishAdminLoginRoute = endpoint("POST /api/v1/svc/admin/login/totp", {
  config: { auth: "public", responseHeaders: ["Set-Cookie"] },
  schema: {
    operationId: "finishAdminLogin",
    summary: "Complete an admin login",
    description:
      "The second step of an admin login. Returns an access token in the body and, for browsers, in an HttpOnly cookie. The token is valid for ten minutes and cannot be refreshed. Each code is valid once. Fails with `rate_limited` after 20 wrong codes within one hour.",
    body: AdminTotpRequest,
    response: { 200: AdminSessionResource, 401: Problem },
  },
  handler: async (app, request, reply) => {
    const { mfa_token: mfaToken, code } = request.body;
    const client = clientInfoOf(request);
    const { accessToken } = await finishAdminLogin(app, { mfaToken, code, client });
    setCookie(reply, app.settings, ADMIN_COOKIE, { value: accessToken, seconds: ADMIN_TOKENS.lifetimeSeconds });
    return presentAdminSession({ accessToken });
  },
});
