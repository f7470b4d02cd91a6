import { Type } from "typebox";
import { normalizeEmail } from "../../../foundation/text/email-address.ts";
import { Problem } from "../../../foundation/wire/problem.ts";
import {
  AdminLoginChallengeResource,
  logInAdmin,
  presentAdminLoginChallenge,
} from "../../../modules/admins/log-in-admin.ts";
import { endpoint } from "../../route.ts";
import { clientInfoOf } from "../developers/client-info.ts";
import { EmailIn, PasswordIn } from "../developers/fields.ts";

const AdminLoginRequest = Type.Object(
  { email: EmailIn, password: PasswordIn },
  { $id: "AdminLoginRequest", additionalProperties: false },
);

export const logInAdminRoute = endpoint("POST /api/v1/svc/admin/login", {
  config: { auth: "public" },
  schema: {
    operationId: "logInAdmin",
    summary: "Start an admin login",
    description:
      "The first step of an admin login. Returns a token for `POST /admin/login/totp`, which expires after five minutes or five attempts. Fails with `rate_limited` after five unfinished logins within 15 minutes for one email address from one network.",
    body: AdminLoginRequest,
    response: { 200: AdminLoginChallengeResource, 401: Problem },
  },
  handler: async (app, request) => {
    const { email, password } = request.body;
    const client = clientInfoOf(request);
    const challenge = await logInAdmin(app, { email: normalizeEmail(email), password, client });
    return presentAdminLoginChallenge(challenge);
  },
});
