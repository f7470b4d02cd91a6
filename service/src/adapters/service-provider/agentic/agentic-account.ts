import { Type } from "typebox";
import type { Clock } from "../../../foundation/clock.ts";
import type {
  ProviderAccess,
  ProviderOAuth,
  RequestedAccount,
  ServiceProvider,
} from "../../../ports/service-provider.ts";
import { bearer, type VendorApi, type VendorClient, vendorApi } from "../../http-client/vendor-client.ts";
import type { AgenticCatalogFacts } from "./agentic-catalog.ts";
import { AccountAnswer, type AgenticService, API_VERSION, DeepLink, Tokens } from "./agentic-wire.ts";

export const VERSION = { "api-version": API_VERSION };

/** A provider from the configuration. */
export interface AgenticProviderOptions extends AgenticCatalogFacts {
  /** The URL below which the provider serves the protocol, without a trailing slash. */
  readonly base_url: string;
  /** The URL of the metadata document that identifies this server to the provider. */
  readonly client_id: string;
  /** Hosts of the provider's consent page and dashboard, in addition to that of `base_url`. */
  readonly hosts?: readonly string[];
  readonly deep_links?: boolean;
  /** Whether the provider has `POST /oauth/revoke` (RFC 7009). */
  readonly revokes_tokens?: boolean;
  /** The operator's payment token, sent with paid plans that Purser bills. */
  readonly payment_token?: string;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

/** An open provider. */
export interface Agentic extends AgenticProviderOptions {
  readonly client: VendorClient;
  readonly requestClient: VendorClient;
  /** The calls that no account makes. */
  readonly api: VendorApi;
  /** Returns the provider's services. Reads them if this process has not read them yet. */
  readonly services: () => Promise<readonly AgenticService[]>;
}

/** The provider as the account with this token uses it. */
export interface AgenticAccount extends VendorApi {
  readonly agentic: Agentic;
}

export function accountOf(agentic: Agentic, { accessToken }: Pick<ProviderAccess, "accessToken">): AgenticAccount {
  return { agentic, ...vendorApi(agentic.client, { ...VERSION, ...bearer(accessToken) }) };
}

/** The provider's state and the link's own are unguessable. A shorter one could be guessed. */
const STATE_FORM = /^[A-Za-z0-9_-]{16,200}$/;

export async function requestAgenticAccount(
  agentic: Agentic,
  request: Parameters<NonNullable<ServiceProvider["requestAccount"]>>[0],
): Promise<RequestedAccount> {
  const operation = "createAccountRequest";
  const api = vendorApi(agentic.requestClient, VERSION);
  const answer = await api.post(operation, "/provisioning/account_requests", AccountAnswer, {
    body: {
      id: request.requestId,
      email: request.email,
      client_id: agentic.client_id,
      code_challenge: request.codeChallenge,
      code_challenge_method: "S256",
      scopes: request.scopes,
      confirmation_secret: request.state,
      expires_at: request.expiresAt.toISOString(),
    },
    secrets: [request.state, request.email],
  });
  if (answer.type === "oauth" && answer.oauth !== undefined) {
    return { type: "code", code: answer.oauth.code };
  }
  const url = answer.requires_auth?.redirect?.url;
  if (answer.type === "requires_auth" && url !== undefined) {
    return consentOf(agentic, operation, url, request.state);
  }
  throw agentic.api.error("refused", operation, "The account was not created.");
}

/** Returns the consent page. Its own `state` replaces ours, because the provider returns it with the code. */
function consentOf(agentic: Agentic, operation: string, text: string, ownState: string): RequestedAccount {
  const url = ownUrl(agentic, operation, text);
  const state = url.searchParams.get("state") ?? ownState;
  if (!STATE_FORM.test(state)) throw agentic.api.error("refused", operation, "The state can be guessed.");
  url.searchParams.set("state", state);
  return { type: "consent", url: url.href, state };
}

/** Parses a URL for a user's browser. Throws unless it is on a host of the provider, and uses TLS if the API does. */
function ownUrl({ api, base_url, hosts = [] }: Agentic, operation: string, text: string): URL {
  const base = new URL(base_url);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOwn =
    url !== undefined &&
    url.protocol === base.protocol &&
    url.username === "" &&
    url.password === "" &&
    (url.host === base.host || hosts.includes(url.host));
  if (isOwn) return url;
  throw api.error("refused", operation, "The URL is not on a host of the provider.");
}

export function oauthOf(agentic: Agentic): ProviderOAuth {
  const { provider, requestClient, clock, billed_by: billedBy } = agentic;
  const operation = "exchangeToken";
  const exchange = async (form: Readonly<Record<string, string>>) => {
    const requestedAt = clock.now().getTime();
    const content = { form, secrets: Object.values(form).slice(1) };
    const tokens = await vendorApi(requestClient).post(operation, "/oauth/token", Tokens, content);
    const { access_token, refresh_token, expires_in, account } = tokens;
    const biller = account?.payment_credentials === "orchestrator" ? "purser" : "vendor";
    if (account?.payment_credentials !== undefined && biller !== billedBy) {
      const problem = "The account is billed differently from the configuration.";
      throw agentic.api.error("refused", operation, problem);
    }
    return {
      accessToken: access_token,
      refreshToken: refresh_token,
      expiresAt: new Date(requestedAt + expires_in * 1_000),
      account: { accountId: account?.id ?? null, label: account?.id ?? provider },
    };
  };
  return {
    // The provider returns the URL of its consent page for each account request.
    authorizationUrl: () => agentic.base_url,
    exchangeCode: ({ code, codeVerifier }) =>
      exchange({ grant_type: "authorization_code", code, code_verifier: codeVerifier }),
    refresh: (refreshToken) => exchange({ grant_type: "refresh_token", refresh_token: refreshToken }),
    ...(agentic.revokes_tokens === true && {
      revoke: (refreshToken) => revokeToken(agentic, refreshToken),
    }),
  };
}

/** Revokes a refresh token (RFC 7009). The provider answers 200 if the token is not valid either. */
async function revokeToken({ client, client_id }: Agentic, refreshToken: string): Promise<void> {
  const form = { token: refreshToken, token_type_hint: "refresh_token", client_id };
  await vendorApi(client).post("revokeToken", "/oauth/revoke", Type.Unknown(), { form, secrets: [refreshToken] });
}

export async function openDashboard(account: AgenticAccount) {
  const operation = "createDeepLink";
  const body = { purpose: "dashboard" };
  const { url, expires_at } = await account.post(operation, "/provisioning/deep_links", DeepLink, { body });
  const expiresAt = new Date(expires_at ?? Number.NaN);
  return {
    url: ownUrl(account.agentic, operation, url).href,
    expiresAt: Number.isNaN(expiresAt.getTime()) ? null : expiresAt,
  };
}
