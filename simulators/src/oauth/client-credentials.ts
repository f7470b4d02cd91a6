import type { VendorRequest } from "../kit/vendor-simulator.ts";
import type { OAuthApp } from "./oauth-app.ts";

/**
 * Returns true if a token request contains the app's credentials, in HTTP Basic authentication or in the body (RFC
 * 6749, section 2.3.1).
 */
export function hasClientCredentials(
  app: Pick<OAuthApp, "clientId" | "clientSecret">,
  { headers, body }: Pick<VendorRequest, "headers" | "body">,
): boolean {
  const { client_id, client_secret }: Record<string, unknown> = basicCredentials(headers.authorization) ?? Object(body);
  return client_id === app.clientId && client_secret === app.clientSecret;
}

function basicCredentials(authorization: string | undefined) {
  const encoded = /^Basic ([A-Za-z0-9+/=]{1,4000})$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  // In HTTP Basic, the client ID and the secret are each form-encoded (RFC 6749, section 2.3.1). `URLSearchParams`
  // decodes both.
  const decoded = Buffer.from(encoded, "base64").toString().replace(":", "&client_secret=");
  return Object.fromEntries(new URLSearchParams(`client_id=${decoded}`));
}
