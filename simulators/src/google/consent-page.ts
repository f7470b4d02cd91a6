import { html } from "../kit/html.ts";
import { isOptionalText, type Query, responseTypeProblem } from "../oauth/authorization-request.ts";
import type { ConsentPage } from "../oauth/consent-page.ts";
import type { OAuthApp } from "../oauth/oauth-app.ts";
import { personFields, readPerson } from "../oauth/people.ts";
import { ID_TOKEN_FLAWS, type IdTokenFlaw, ISSUER } from "./id-tokens.ts";
import type { Grant } from "./token-route.ts";

const CODE_LIFETIME_MS = 10 * 60_000;
/** Other scopes are rejected, because Purser needs only the user's identity. */
const SCOPES = ["openid", "email", "profile"];
const FLAWS = Object.entries(ID_TOKEN_FLAWS);

/** Google's consent page, with an additional field that selects a defect of the ID token. */
export function googleConsentPage(app: OAuthApp): ConsentPage<Grant> {
  return {
    path: "/o/oauth2/v2/auth",
    displayName: "Google",
    app,
    permissions: "Read your name and your email address",
    codeLifetimeMs: CODE_LIFETIME_MS,
    fields: html`${personFields()}
        <fieldset>
          <legend>ID token (sandbox only)</legend>
          <label>The token <select name="id_token">
            <option value="">is valid</option>
            ${FLAWS.map(([flaw, effect]) => html`<option value="${flaw}">${effect}</option>`)}
          </select></label>
        </fieldset>`,
    validate,
    grantOf: (form, { nonce }) => {
      const person = readPerson(form);
      const flaw = flawIn(form);
      return person === undefined || flaw === "unknown"
        ? undefined
        : {
            person,
            ...(typeof nonce === "string" && { nonce }),
            ...(flaw !== "none" && { flaw }),
          };
    },
    extraParameters: {
      allowed: { iss: ISSUER, scope: SCOPES.join(" "), authuser: "0", prompt: "consent" },
      denied: {},
    },
  };
}

function validate(query: Query): string | undefined {
  const { scope, nonce } = query;
  const scopes = String(scope).split(" ");
  if (!scopes.includes("openid") || !scopes.every((name) => SCOPES.includes(name))) {
    return `The scope must contain openid. Allowed scopes: ${SCOPES.join(", ")}.`;
  }
  if (!isOptionalText(nonce)) return "The nonce must be 1 to 1,024 printable ASCII characters.";
  return responseTypeProblem(query);
}

function flawIn({ id_token = "" }: Query): IdTokenFlaw | "none" | "unknown" {
  if (id_token === "") return "none";
  return isFlaw(id_token) ? id_token : "unknown";
}

function isFlaw(value: unknown): value is IdTokenFlaw {
  return FLAWS.some(([flaw]) => flaw === value);
}
