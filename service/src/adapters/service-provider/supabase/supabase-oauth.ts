import { Type } from "typebox";
import type { Clock } from "../../../foundation/clock.ts";
import type { ProviderOAuth, ProviderTokens } from "../../../ports/service-provider.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import { authorizationUrlOf } from "../../http-client/authorization-url.ts";
import { type VendorClient, vendorApi } from "../../http-client/vendor-client.ts";

const INVALID_GRANT = "invalid_grant";

const Tokens = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  refresh_token: Type.String({ minLength: 1 }),
  expires_in: Type.Integer({ minimum: 1, maximum: 31_536_000 }),
});

export interface SupabaseApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The OAuth authorization code flow for the app that the operator has registered with Supabase. */
export function createSupabaseOAuth(options: {
  readonly client: VendorClient;
  readonly baseUrl: string;
  readonly app: SupabaseApp;
  readonly clock: Clock;
}): ProviderOAuth {
  const { client, baseUrl, app, clock } = options;
  const credentials = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64");
  const asApp = vendorApi(client, { authorization: `Basic ${credentials}` });

  const requestTokens = async (
    form: Readonly<Record<string, string>>,
    secrets: readonly string[],
  ): Promise<ProviderTokens> => {
    const requestedAt = clock.now().getTime();
    const content = { form, secrets: [app.clientSecret, ...secrets] };
    const tokens = await asApp.post("v1-exchange-oauth-token", "/v1/oauth/token", Tokens, content);
    return {
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      expiresAt: new Date(requestedAt + tokens.expires_in * 1_000),
    };
  };

  return {
    authorizationUrl: (request) => {
      const parameters = { client_id: app.clientId, response_type: "code" };
      return authorizationUrlOf(`${baseUrl}/v1/oauth/authorize`, request, parameters);
    },
    exchangeCode: ({ code, codeVerifier, redirectUri }) => {
      const form = { code, code_verifier: codeVerifier, redirect_uri: redirectUri };
      return requestTokens({ grant_type: "authorization_code", ...form }, [code, codeVerifier]);
    },
    refresh: (refreshToken) => {
      const form = { grant_type: "refresh_token", refresh_token: refreshToken };
      return requestTokens(form, [refreshToken]).catch((error: unknown) => {
        throw isInvalidRefreshToken(error) ? withInvalidGrantCode(error) : error;
      });
    },
    revoke: async (refreshToken) => {
      try {
        await vendorApi(client).post("v1-revoke-token", "/v1/oauth/revoke", Type.Unknown(), {
          body: { client_id: app.clientId, client_secret: app.clientSecret, refresh_token: refreshToken },
          secrets: [app.clientSecret, refreshToken],
        });
      } catch (error) {
        if (!isInvalidRefreshToken(error) && !hasInvalidGrantCode(error)) throw error;
      }
    },
  };
}

/**
 * Returns true if Supabase rejected the refresh token without an error code. Supabase does not document the errors of its
 * OAuth endpoints, so the message is the only way to distinguish an invalid token from a problem with the app.
 */
function isInvalidRefreshToken(error: unknown): error is VendorError {
  if (!(error instanceof VendorError)) return false;
  if (error.failure !== "refused" && error.failure !== "not_found") return false;
  const { vendorCode, vendorMessage = "" } = error;
  return (
    vendorCode === undefined &&
    /\b(grant|refresh[ _]token)\b/i.test(vendorMessage) &&
    /\b(invalid|expired|revoked|used|not found)\b/i.test(vendorMessage)
  );
}

function hasInvalidGrantCode(error: unknown): boolean {
  return error instanceof VendorError && error.vendorCode === INVALID_GRANT;
}

/** Returns a copy of the error with the vendor code `invalid_grant` (RFC 6749, section 5.2). */
function withInvalidGrantCode({ failure, vendor, operation, vendorMessage = "" }: VendorError): VendorError {
  return new VendorError(failure, { vendor, operation, vendorMessage, vendorCode: INVALID_GRANT });
}
