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
 * Google's sign-in (OpenID Connect): consent, codes, ID tokens signed with a key of its own, and that key. accounts.google.com,
 * oauth2.googleapis.com and www.googleapis.com are one address here; the issuer, in
 * tokens and in the discovery document, is Google's own.
 */
export function googleSimulator(app: OAuthApp): VendorSimulator {
  return {
    vendor: "google",
    displayName: "Google",
    contractFile: null,
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      { value: "persona linus", effect: "has an address that is not verified" },
      {
        value: "email on the consent page",
        effect: "is the person's address, verified unless the box below it is ticked",
      },
      {
        value: "persona somebody",
        effect: "is always the same person for one email; ada with another email is still Ada",
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

/** Whose ID token is wanted, as somebody who got it in a browser of their own would have it. */
export interface MintedIdToken {
  readonly email: string;
  /** True where absent. */
  readonly emailVerified?: boolean;
  /** What the `sub` is made from: the address where absent, as for the consent page's `somebody`. */
  readonly person?: string;
  readonly name?: string;
  readonly nonce?: string;
  readonly flaw?: IdTokenFlaw;
  /** In place of what would stand there, or not at all where undefined: `{ email: undefined }`. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** An ID token for the app, without anybody's consent: for tests. */
export function mintIdToken(
  context: VendorContext,
  { clientId }: OAuthApp,
  minted: MintedIdToken,
): Promise<string> {
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
