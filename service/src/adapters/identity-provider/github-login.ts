import { Type } from "typebox";
import { Check } from "typebox/value";
import { RETRY_WITHIN_REQUEST } from "../../foundation/retry.ts";
import { normalizeEmail } from "../../foundation/text.ts";
import type { ExternalIdentity, RedirectLogin } from "../../ports/identity-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { authorizationUrlOf } from "../http-client/authorization-url.ts";
import { bearer, createVendorClient, type VendorApi, vendorApi } from "../http-client/vendor-client.ts";
import { safeVendorCode, safeVendorMessage } from "../http-client/vendor-error-text.ts";
import { PersonAddress, personName } from "./person.ts";

const VENDOR = "github";
const EXCHANGE = "githubAccessToken";
const EMAILS = "users/list-emails-for-authenticated-user";
/** Grants access only to the user's profile and email addresses. */
const SCOPE = "read:user user:email";
const API_VERSION = "2022-11-28";
const ADDRESSES_MAX = 100;

// GitHub's status is 200 even if the response is an error.
const Exchange = Type.Union([
  Type.Object({
    error: Type.String({ pattern: "^[\\w.-]{1,64}$" }),
    error_description: Type.Optional(Type.String()),
  }),
  Type.Object({ access_token: Type.String({ pattern: "^[\\x21-\\x7e]{1,255}$" }) }),
]);
const User = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const Emails = Type.Array(Type.Object({ email: Type.String(), primary: Type.Boolean(), verified: Type.Boolean() }));

export interface GitHubLoginOptions {
  /** `https://github.com`, or the simulator's URL. */
  readonly webUrl: string;
  /** `https://api.github.com`, or the simulator's URL. */
  readonly apiUrl: string;
  /** The id of the OAuth app that the operator has registered with GitHub. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Timeout for one call in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
}

/**
 * GitHub's web application flow for OAuth apps. Users are identified by their numeric id, because usernames can be
 * reassigned. A user's email address is the account's primary address. It counts as verified only if GitHub has
 * verified it.
 */
export function createGitHubLogin(options: GitHubLoginOptions): RedirectLogin {
  const { webUrl, apiUrl, clientId, timeoutMs } = options;
  const common = { vendor: VENDOR, timeoutMs, readRetry: RETRY_WITHIN_REQUEST };
  const web = createVendorClient({ ...common, baseUrl: webUrl });
  const api = createVendorClient({ ...common, baseUrl: apiUrl });
  return {
    authorizationUrl: (request) =>
      authorizationUrlOf(`${webUrl}/login/oauth/authorize`, request, { client_id: clientId, scope: SCOPE }),
    identify: async (grant) => {
      const accessToken = await exchangeCode(vendorApi(web), options, grant);
      const accept = { accept: "application/vnd.github+json", "x-github-api-version": API_VERSION };
      return identify(vendorApi(api, { ...bearer(accessToken), ...accept }));
    },
  };
}

async function exchangeCode(
  github: VendorApi,
  { clientId, clientSecret }: GitHubLoginOptions,
  { code, redirectUri, codeVerifier }: Parameters<RedirectLogin["identify"]>[0],
): Promise<string> {
  const secrets = [clientSecret, code, codeVerifier];
  const response = await github.post(EXCHANGE, "/login/oauth/access_token", Exchange, {
    form: {
      client_id: clientId,
      client_secret: clientSecret,
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    },
    secrets,
  });
  if ("access_token" in response) return response.access_token;
  throw new VendorError("refused", {
    vendor: VENDOR,
    operation: EXCHANGE,
    ...(safeVendorCode([response.error], secrets) === undefined ? {} : { vendorCode: response.error }),
    vendorMessage: safeVendorMessage(response.error_description ?? response.error, secrets),
  });
}

async function identify(github: VendorApi): Promise<ExternalIdentity> {
  const user = await github.get("users/get-authenticated", "/user", User);
  const query = { per_page: String(ADDRESSES_MAX) };
  const emails = await github.get(EMAILS, "/user/emails", Emails, { query });
  const primary = emails.find((address) => address.primary);
  if (primary === undefined || !Check(PersonAddress, primary.email)) {
    throw github.error("refused", EMAILS, "The account has no valid primary email address.");
  }
  const { email, verified } = primary;
  return {
    subject: String(user.id),
    email: normalizeEmail(email),
    emailVerified: verified,
    name: personName(user.name),
  };
}
