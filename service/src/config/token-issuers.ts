import { isPlainUrl, isUrlOf } from "./forms.ts";
import type { Reader } from "./reader.ts";

const NAME = "PURSER_KYA_TOKEN_ISSUERS";

/** The issuers whose tokens about agents are accepted, each with the URL of its public keys. */
export type TokenIssuersConfig = readonly { readonly issuer: string; readonly jwksUrl: string }[];

/** Reads pairs of issuer and URL: the two separated by a space, the pairs by commas. */
export function readTokenIssuers(read: Reader): TokenIssuersConfig {
  return read.list(NAME, []).map((pair) => {
    const [issuer = "", jwksUrl = "", ...rest] = pair.split(/\s+/);
    // An empty URL is rejected by `checkTokenIssuers`.
    return { issuer, jwksUrl: rest.length === 0 ? jwksUrl : "" };
  });
}

export function checkTokenIssuers(issuers: TokenIssuersConfig): string[] {
  const isValid = issuers.every(({ jwksUrl }) => isPlainUrl(jwksUrl));
  const isUnique = new Set(issuers.map(({ issuer }) => issuer)).size === issuers.length;
  return isValid && isUnique
    ? []
    : [`${NAME} is not a list of different issuers, each followed by the URL of its keys.`];
}

/** Returns a message if an issuer's keys are not fetched over TLS. Production does not allow that. */
export function checkHttpsTokenIssuers(issuers: TokenIssuersConfig): string[] {
  const isSafe = issuers.every(({ jwksUrl }) => isUrlOf("https:")(jwksUrl));
  return isSafe ? [] : [`${NAME} contains a URL that is not https.`];
}
