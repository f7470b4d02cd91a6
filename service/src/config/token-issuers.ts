import type { Profile } from "../foundation/vocabulary.ts";
import { isPlainUrl, isUrlOf } from "./limits.ts";
import type { Reader } from "./reader.ts";

const NAME = "PURSER_KYA_TOKEN_ISSUERS";

/** The issuers whose tokens about agents are accepted, each with the URL of its public keys. */
export type TokenIssuersConfig = readonly { readonly issuer: string; readonly jwksUrl: string }[];

/**
 * Reads pairs of issuer and URL: the two separated by a space, the pairs by commas. In production, the URLs must be https
 * URLs.
 */
export function readTokenIssuers(read: Reader, profile: Profile): TokenIssuersConfig {
  const pairs = read.list(NAME, []).map((pair) => pair.split(/\s+/));
  const issuers = pairs.map(([issuer = "", jwksUrl = ""]) => ({ issuer, jwksUrl }));
  const isValid = pairs.every(({ length }) => length === 2) && issuers.every(({ jwksUrl }) => isPlainUrl(jwksUrl));
  const isUnique = new Set(issuers.map(({ issuer }) => issuer)).size === issuers.length;
  if (!isValid || !isUnique) {
    read.report(`${NAME} is not a list of different issuers, each followed by the URL of its keys.`);
  } else if (profile === "production" && !issuers.every(({ jwksUrl }) => isUrlOf("https:")(jwksUrl))) {
    read.report(`${NAME} contains a URL that is not https.`);
  }
  return issuers;
}
