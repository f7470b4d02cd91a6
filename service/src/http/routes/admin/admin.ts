import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { adminActorInTenant } from "../../../audit/actors.ts";
import { ADMIN_TOKENS } from "../../../crypto/access-tokens.ts";
import { normalizeEmail } from "../../../foundation/text.ts";
import { StrictObject, Text } from "../../../foundation/wire/fields.ts";
import {
  AdminIdentityResource,
  AdminLoginChallengeResource,
  AdminSessionResource,
  CHALLENGE_SECONDS,
  finishAdminLogin,
  logInAdmin,
  logOutAdmin,
  readAdminIdentity,
} from "../../../modules/admins/log-in-admin.ts";
import {
  ListedDeveloperResource,
  presentListedDeveloper,
  presentShownDeveloper,
  ShownDeveloperResource,
} from "../../../modules/developers/admin-view.ts";
import { DeveloperResource } from "../../../modules/developers/developer-resource.ts";
import { readKybHistory } from "../../../modules/developers/kyb/kyb-case.ts";
import { readProfile, searchDevelopers } from "../../../modules/developers/queries.ts";
import { freezeWallet } from "../../../modules/wallets/freezes/freeze-wallets.ts";
import { findWalletForAdmin } from "../../../modules/wallets/wallets.ts";
import { unfreezeAsAdmin } from "../../../workflows/freeze-wallet/unfreeze-wallet.ts";
import { ADMIN_COOKIE, clearCookie, readCookie, setCookie } from "../../auth/cookies.ts";
import { adminOf } from "../../auth/principal.ts";
import { presentedToken } from "../../auth/request-headers.ts";
import { isSameOrigin } from "../../auth/same-origin.ts";
import { cursorPage, cursorQuery, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { replyOnce } from "../../idempotency.ts";
import { pathId } from "../../path-id.ts";
import { endpoint, type Route } from "../../route.ts";
import { clientInfoOf } from "../developers/client-info.ts";
import { EmailIn, PasswordIn } from "../developers/fields.ts";
import { freezeOf, unfreezeOf, WalletFreezeRequest, WalletUnfreezeRequest } from "../wallets/freezes/freezes.ts";
import { recordAccess } from "./record-access.ts";

const AdminLoginRequest = Type.Object(
  { email: EmailIn, password: PasswordIn },
  { $id: "AdminLoginRequest", additionalProperties: false },
);

const logInAdminRoute = endpoint("POST /api/v1/svc/admin/login", {
  operationId: "logInAdmin",
  sdk: "admin.logIn",
  summary: "Start an admin login",
  description:
    "The first step of an admin login. Returns a token for `POST /admin/login/totp`, which expires after five minutes or five attempts. Fails with `rate_limited` after five unfinished logins within 15 minutes for one email address from one network.",
  auth: "public",
  body: AdminLoginRequest,
  answers: { 200: AdminLoginChallengeResource },
  errors: ["authentication_failed", "rate_limited"],
  run: async (app, request) => {
    const { email, password } = request.body;
    const client = clientInfoOf(request);
    const { mfaToken } = await logInAdmin(app, { email: normalizeEmail(email), password, client });
    return { mfa_token: mfaToken, expires_in: CHALLENGE_SECONDS };
  },
});

const AdminTotpRequest = StrictObject("AdminTotpRequest", {
  mfa_token: Text("The `mfa_token` returned by `POST /admin/login`.", { minLength: 1, maxLength: 200 }),
  code: Text("The TOTP code: six digits.", { pattern: "^[0-9]{6}$" }),
});

const finishAdminLoginRoute = endpoint("POST /api/v1/svc/admin/login/totp", {
  operationId: "finishAdminLogin",
  sdk: "admin.finishLogin",
  summary: "Complete an admin login",
  description:
    "The second step of an admin login. Returns an access token in the body and, for browsers, in an HttpOnly cookie. The token is valid for ten minutes and cannot be refreshed. Each code is valid once. Fails with `rate_limited` after 20 wrong codes within one hour.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  body: AdminTotpRequest,
  answers: { 200: AdminSessionResource },
  errors: ["authentication_failed", "rate_limited"],
  run: async (app, request, reply) => {
    const { mfa_token: mfaToken, code } = request.body;
    const client = clientInfoOf(request);
    const { accessToken } = await finishAdminLogin(app, { mfaToken, code, client });
    setCookie(reply, app.settings, ADMIN_COOKIE, { value: accessToken, seconds: ADMIN_TOKENS.lifetimeSeconds });
    return { access_token: accessToken, token_type: "Bearer" as const, expires_in: ADMIN_TOKENS.lifetimeSeconds };
  },
});

const logOutAdminRoute = endpoint("POST /api/v1/svc/admin/logout", {
  operationId: "logOutAdmin",
  sdk: "admin.logOut",
  summary: "Log out as an admin",
  description:
    "Ends the session that the access token belongs to and clears the cookie. The response is the same for valid, expired and unknown tokens.",
  auth: "public",
  responseHeaders: ["Set-Cookie"],
  answers: { 204: Type.Null() },
  // Runs before validation, so that the cookie is cleared even if the request is invalid. Requests from other sites
  // must not clear the cookie.
  onRequest: async (app, request, reply) => {
    if (isSameOrigin(request, app.settings)) clearCookie(reply, app.settings, ADMIN_COOKIE);
  },
  run: async (app, request, reply) => {
    const token = tokenToEnd(app, request);
    if (token !== undefined) await logOutAdmin(app, { token, client: clientInfoOf(request) });
    return reply.code(204).send(null);
  },
});

const getAdminRoute = endpoint("GET /api/v1/svc/admin/me", {
  operationId: "getAdmin",
  summary: "Get the logged-in admin",
  description: "Returns the admin of the access token or cookie, and when the session ends. The call is not recorded.",
  auth: "admin",
  answers: { 200: AdminIdentityResource },
  run: (app, request) => readAdminIdentity(app, adminOf(request)),
});

/**
 * Returns the token of the session to end. Ignores the cookie of a cross-site request, so that another site cannot end
 * the session.
 */
function tokenToEnd({ settings }: App, request: FastifyRequest): string | undefined {
  const presented = presentedToken(request, readCookie(request, settings, ADMIN_COOKIE));
  if (presented?.byCookie && !isSameOrigin(request, settings)) return undefined;
  return presented?.token;
}

const Query = cursorQuery({
  q: Type.Optional(
    Text("The beginning of a developer's id or email address.", { minLength: 1, maxLength: 254, pattern: "^[!-~]+$" }),
  ),
  kyb_status: Type.Optional(DeveloperResource.properties.kyb.properties.status),
});

const listDevelopersRoute = endpoint("GET /api/v1/svc/admin/developers", {
  operationId: "listDevelopers",
  summary: "List developers",
  description:
    "Returns developers, newest first. Each call is recorded in the operators' audit trail with the value of `kyb_status`; the search text `q` is not recorded.",
  auth: "admin",
  query: Query,
  answers: { 200: cursorPage(ListedDeveloperResource) },
  run: async (app, request) => {
    const { q: text, kyb_status: kybStatus, cursor, limit = LIMIT_DEFAULT } = request.query;
    const after = decodeIdCursor(cursor, "dev");
    const facts = { searched: text !== undefined, kyb_status: kybStatus ?? null };
    await recordAccess(app, request, { action: "developers.listed", facts });
    const now = app.clock.now();
    const page = await searchDevelopers(app.db, { text, kybStatus, at: now, after, limit });
    return presentPage(page, (developer) => presentListedDeveloper(developer, now), "tenantId");
  },
});

const showDeveloperRoute = endpoint("GET /api/v1/svc/admin/developers/:developer_id", {
  operationId: "showDeveloper",
  summary: "Get a developer",
  description:
    "Returns a developer with the KYB case, the data that the developer has sent about the business, and the admins' decisions. Each call is recorded in the operators' audit trail.",
  auth: "admin",
  answers: { 200: ShownDeveloperResource },
  run: async (app, request) => {
    const developerId = pathId("dev", request.params.developer_id);
    await recordAccess(app, request, { action: "developer.shown", subject: { type: "developer", id: developerId } });
    const developer = await readProfile(app.db, developerId);
    return presentShownDeveloper(app, developer, await readKybHistory(app, developerId));
  },
});

const freezeWalletAsAdminRoute = endpoint("POST /api/v1/svc/admin/wallets/:wallet_id/freeze", {
  operationId: "freezeWalletAsAdmin",
  summary: "Freeze a developer's wallet",
  description:
    "Freezes a wallet of any account and mode. The freeze is always `full`, replaces a freeze by the developer, and only an admin can lift it. The audit entry and the event are those of the developer's account.",
  auth: "admin",
  body: WalletFreezeRequest,
  answers: { 204: Type.Null() },
  run: async (app, request, reply) => {
    const { body } = request;
    const freeze = freezeOf(body, { source: "admin", now: app.clock.now() });
    const { wallet, actor } = await walletOfAdmin(app, request, request.params.wallet_id);
    const options = { status: 204, present: () => null, about: wallet.tenantId } as const;
    return replyOnce(app, request, reply, options, (saveResponse) =>
      freezeWallet(
        app,
        {
          key: { ...wallet, agentIds: null },
          actorOf: () => actor,
          scope: body.scope ?? "wallet",
          freeze,
        },
        saveResponse,
      ),
    );
  },
});

const unfreezeWalletAsAdminRoute = endpoint("POST /api/v1/svc/admin/wallets/:wallet_id/unfreeze", {
  operationId: "unfreezeWalletAsAdmin",
  summary: "Unfreeze a developer's wallet",
  description:
    "Lifts the freeze of a wallet of any account and mode, whether an admin or the developer made it. Does nothing if the wallet is not frozen. An account that is frozen on its chain is unfrozen there first; if that takes longer than 20 seconds, the response is 503 `network_unavailable`, Purser goes on, and the request can be repeated.",
  auth: "admin",
  body: WalletUnfreezeRequest,
  answers: { 204: Type.Null() },
  errors: ["conflict", "network_unavailable"],
  run: async (app, request, reply) => {
    const { wallet, actor } = await walletOfAdmin(app, request, request.params.wallet_id);
    const { tenantId, mode, walletId } = wallet;
    const options = { status: 204, present: () => null, about: tenantId } as const;
    const unfreeze = { key: { tenantId, mode, agentIds: null, walletId } };
    return replyOnce(app, request, reply, options, (saveResponse) =>
      unfreezeAsAdmin(app, actor, { ...unfreeze, ...unfreezeOf(request.body) }, saveResponse),
    );
  },
});

/** Returns the wallet in the path, of any account and mode, and the admin as recorded in the account's audit trail. */
async function walletOfAdmin(app: App, request: FastifyRequest, walletId: string) {
  const wallet = await findWalletForAdmin(app.db, pathId("wal", walletId));
  const { adminId } = adminOf(request);
  const actor = adminActorInTenant(wallet, { adminId, requestId: request.id });
  return { wallet, actor };
}

export const adminRoutes: readonly Route[] = [
  logInAdminRoute,
  finishAdminLoginRoute,
  logOutAdminRoute,
  getAdminRoute,
  listDevelopersRoute,
  showDeveloperRoute,
  freezeWalletAsAdminRoute,
  unfreezeWalletAsAdminRoute,
];
