import type { VendorContext, VendorSimulator } from "../kit/vendor-simulator.ts";
import { addConsentPage } from "../oauth/consent-page.ts";
import type { OAuthApp } from "../oauth/oauth-app.ts";
import { googleConsentPage } from "./consent-page.ts";
import { discoveryRoute } from "./discovery-route.ts";
import { googleErrors } from "./google-errors.ts";
import { ID_TOKEN_FLAWS, type IdTokenFlaw, issueIdToken } from "./id-tokens.ts";
import { certsRoute } from "./signing-key.ts";
import { tokenRoute } from "./token-route.ts";
import { userInfoRoute } from "./user-info-route.ts";

/**
 * Simulates Google's OpenID Connect login: consent page, authorization codes, ID tokens and their key set. One base URL
 * replaces accounts.google.com, oauth2.googleapis.com and www.googleapis.com. The issuer in the ID tokens is Google's.
 */
export function googleSimulator(app: OAuthApp): VendorSimulator {
  return {
    vendor: "google",
    displayName: "Google",
    contractFile: null,
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      { value: "persona linus", effect: "has an unverified address" },
      {
        value: "email on the consent page",
        effect: "is the user's address. It is verified unless the box below it is checked",
      },
      {
        value: "persona other",
        effect: "is a different user for each email address. Ada with another address is still the same user",
      },
      ...Object.entries(ID_TOKEN_FLAWS).map(([flaw, effect]) => ({
        value: `id_token ${flaw} on the consent page`,
        effect: `the ID token ${effect}`,
      })),
    ],
    errors: googleErrors,
    routes: [discoveryRoute, tokenRoute(app), certsRoute, userInfoRoute],
    pages: (server, context) => addConsentPage(server, context, googleConsentPage(app)),
  };
}

/** Options for an ID token that is issued without a consent page. */
export interface MintedIdToken {
  readonly email: string;
  /** Default: true. */
  readonly emailVerified?: boolean;
  /** An identifier of the user, from which the `sub` claim is derived. Default: the email address in lowercase. */
  readonly person?: string;
  readonly name?: string;
  readonly nonce?: string;
  readonly flaw?: IdTokenFlaw;
  /** Overrides claims. A claim that is set to undefined is removed, for example `{ email: undefined }`. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Issues an ID token for the app without a consent page. For tests only. */
export function mintIdToken(context: VendorContext, { clientId }: OAuthApp, minted: MintedIdToken): Promise<string> {
  const { email, emailVerified = true, person, name, nonce, flaw, claims = {} } = minted;
  const key = person ?? email.toLowerCase();
  return issueIdToken(context, {
    clientId,
    person: { key, name: name ?? key, email, emailVerified },
    nonce,
    flaw,
    claims,
  });
}
