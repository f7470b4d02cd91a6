import { createHash, randomBytes } from "node:crypto";
import { type Static, Type } from "typebox";
import { html } from "../kit/html.ts";
import type { VendorContext, VendorRequest, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import { issueCode, redeemCode } from "../oauth/codes.ts";
import type { ConsentPage } from "../oauth/consent-page.ts";
import { issueTokens, redeemRefreshToken, revokeAuthorization } from "../oauth/tokens.ts";
import { agenticError } from "./agentic-errors.ts";
import { AGENTIC_CLIENT_ID, type AgenticSimulatorOptions } from "./agentic-options.ts";
import { versioned } from "./versioned.ts";

const ACCOUNT = "account";
const CONSENT_PATH = "/agentic/authorize";
const CODE_LIFETIME_MS = 5 * 60_000;
const EXISTING = /^existing/;

const AccountRequestBody = Type.Object({
  id: Type.String({ minLength: 1 }),
  email: Type.String({ pattern: "^[^@\\s]+@[^@\\s]+$" }),
  client_id: Type.Literal(AGENTIC_CLIENT_ID),
  code_challenge: Type.String({ pattern: "^[\\w-]{43}$" }),
  code_challenge_method: Type.Literal("S256"),
});

const Text = Type.String({ minLength: 1, maxLength: 2_048 });
const TokenBody = Type.Object(
  {
    grant_type: Text,
    code: Type.Optional(Text),
    code_verifier: Type.Optional(Text),
    refresh_token: Type.Optional(Text),
  },
  { additionalProperties: false },
);

const RevokeBody = Type.Object(
  { token: Text, token_type_hint: Type.Optional(Text), client_id: Text },
  { additionalProperties: false },
);

/** Creates an account, or asks the owner of an existing one for consent. A repeated request gets another code. */
export function accountRequestRoute({ shape, redirectUris }: AgenticSimulatorOptions): VendorRoute {
  return {
    operation: "createAccountRequest",
    method: "POST",
    url: "/provisioning/account_requests",
    body: AccountRequestBody,
    auth: async () => "anyone",
    handle: versioned(async ({ body }, context) => {
      const request = body as Static<typeof AccountRequestBody>;
      const { email, code_challenge: codeChallenge } = request;
      const redirectUri = redirectUris[0] ?? "";
      const account = accountIdOf(email);
      const data = { email, requestId: request.id };
      const isNew =
        !EXISTING.test(email) && (await context.objects.insert({ type: ACCOUNT, id: account, state: "open", data }));
      const found = await context.objects.find<typeof data>(ACCOUNT, account);
      const isOwn = isNew || found?.data.requestId === request.id;
      if (isOwn && !shape.alwaysAsks) {
        const consent = { clientId: AGENTIC_CLIENT_ID, redirectUri, codeChallenge, grant: account };
        const code = await issueCode(context, consent, CODE_LIFETIME_MS);
        return { status: 200, body: { id: request.id, type: "oauth", oauth: { code } } };
      }
      const url = new URL(context.baseUrl + CONSENT_PATH);
      url.search = new URLSearchParams({
        client_id: AGENTIC_CLIENT_ID,
        redirect_uri: redirectUri,
        code_challenge: codeChallenge,
        code_challenge_method: "S256",
        account,
        // The provider chooses the state, as providers do, and returns it with the code.
        state: randomBytes(24).toString("base64url"),
      }).toString();
      const redirect = { url: url.href };
      const requiresAuth = { type: "redirect", redirect };
      return {
        status: 200,
        body: { id: request.id, type: "requires_auth", requires_auth: requiresAuth },
      };
    }),
  };
}

/** The page on which the owner of an account gives consent. */
export function agenticConsentPage({
  shape: { displayName },
  redirectUris,
}: AgenticSimulatorOptions): ConsentPage<string> {
  return {
    path: CONSENT_PATH,
    displayName,
    app: { clientId: AGENTIC_CLIENT_ID, clientSecret: "", redirectUris },
    permissions: "Create, change and remove resources. Read their credentials",
    codeLifetimeMs: CODE_LIFETIME_MS,
    fields: html`<p>The account that belongs to your email address is used.</p>`,
    validate: ({ account }) => (typeof account === "string" ? undefined : "The account is missing."),
    grantOf: (_form, { account }) => (typeof account === "string" ? account : undefined),
    extraParameters: { allowed: {}, denied: {} },
  };
}

/** Exchanges an authorization code or a refresh token for new tokens. */
export function tokenRoute({ shape }: AgenticSimulatorOptions): VendorRoute {
  return {
    operation: "exchangeToken",
    method: "POST",
    url: "/oauth/token",
    bodies: "form",
    body: TokenBody,
    auth: async () => "anyone",
    handle: async (request, context) => {
      const account = await redeemGrant(request, context);
      if (account === undefined) return invalidGrant();
      const grant = { account, clientId: AGENTIC_CLIENT_ID };
      const tokens = await issueTokens(context, grant, "agentic_");
      const { paymentCredentials: payment_credentials } = shape;
      return { status: 200, body: { ...tokens, account: { id: account, payment_credentials } } };
    },
  };
}

/** Revokes all tokens of a refresh token's account. An unknown token is not an error (RFC 7009, section 2.2). */
export function revokeRoute({ shape }: AgenticSimulatorOptions): VendorRoute {
  return {
    operation: "revokeToken",
    method: "POST",
    url: "/oauth/revoke",
    bodies: "form",
    body: RevokeBody,
    auth: async () => "anyone",
    handle: async ({ body }, context) => {
      const { token: refreshToken, client_id: clientId } = body as Static<typeof RevokeBody>;
      if (clientId !== AGENTIC_CLIENT_ID) return { status: 401, body: { error: "invalid_client" } };
      if (!shape.faults?.includes("forgets_to_revoke")) {
        await revokeAuthorization(context, { refreshToken, clientId });
      }
      return { status: 200 };
    },
  };
}

async function redeemGrant({ body }: VendorRequest, context: VendorContext): Promise<string | undefined> {
  const form = body as Static<typeof TokenBody>;
  const clientId = AGENTIC_CLIENT_ID;
  if (form.grant_type === "refresh_token") {
    return redeemRefreshToken(context, { refreshToken: form.refresh_token ?? "", clientId });
  }
  const { code = "", code_verifier: codeVerifier } = form;
  const redeemed = await redeemCode<string>(context, { code, codeVerifier, clientId });
  return "grant" in redeemed ? redeemed.grant : undefined;
}

function invalidGrant(): VendorResponse {
  return { status: 400, body: { error: "invalid_grant", error_description: "Not valid." } };
}

/** Returns the id of the account with this email address, or with the name in a sandbox token. */
export function accountIdOf(key: string): string {
  return `acct_${createHash("sha256").update(key).digest("hex").slice(0, 16)}`;
}

export function deepLinksNotEnabled(): VendorResponse {
  return agenticError(403, "deep_links_not_enabled", "Deep links are not enabled.");
}
