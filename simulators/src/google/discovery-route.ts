import type { VendorRoute } from "../kit/vendor-simulator.ts";
import { ISSUER } from "./id-tokens.ts";

/**
 * The OpenID Connect discovery document. Its issuer is `https://accounts.google.com`, as in the ID tokens. Many clients
 * require that the issuer matches the document's URL. Such a client must be configured with Google's URL, and its
 * requests must be redirected to the simulator.
 */
export const discoveryRoute: VendorRoute = {
  operation: "discovery",
  method: "GET",
  url: "/.well-known/openid-configuration",
  auth: async () => "anyone",
  handle: async (_request, { baseUrl }) => ({
    status: 200,
    headers: { "cache-control": "public, max-age=3600" },
    body: {
      issuer: ISSUER,
      authorization_endpoint: `${baseUrl}/o/oauth2/v2/auth`,
      token_endpoint: `${baseUrl}/token`,
      userinfo_endpoint: `${baseUrl}/v1/userinfo`,
      jwks_uri: `${baseUrl}/oauth2/v3/certs`,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      scopes_supported: ["openid", "email", "profile"],
      token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
      claims_supported: ["aud", "email", "email_verified", "exp", "iat", "iss", "name", "sub"],
      code_challenge_methods_supported: ["S256"],
      grant_types_supported: ["authorization_code"],
    },
  }),
};
