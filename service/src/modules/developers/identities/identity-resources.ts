import { type Static, Type } from "typebox";
import { IDENTITY_PROVIDERS } from "../../../foundation/vocabulary.ts";
import { Flag, NamedObject, Text, Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import { MfaRequiredResource, SessionResource } from "../sessions/session-resource.ts";
import type { Identity } from "./queries.ts";

/** A GitHub or Google account that the developer can log in with (docs/rules/logins.md). */
const IdentityResource = Type.Object(
  {
    object: Type.Literal("identity"),
    provider: Type.Enum([...IDENTITY_PROVIDERS]),
    email: Text("The email address that the provider reported at the last login."),
    linked_at: Timestamp,
    last_used_at: Timestamp,
  },
  {
    $id: "Identity",
    description: "A GitHub or Google account with which the developer can log in.",
  },
);

export const IdentityListResource = NamedObject("IdentityList", {
  object: Type.Literal("list"),
  data: Type.Array(IdentityResource),
  has_more: Type.Literal(false),
});

export function presentIdentities(identities: readonly Identity[]): Static<typeof IdentityListResource> {
  return { object: "list", data: identities.map((identity) => toWire(IdentityResource, identity)), has_more: false };
}

/** A GitHub login that has been started (docs/rules/logins.md). */
export const GitHubAuthorizationResource = NamedObject("GitHubAuthorization", {
  state: Text(
    "The OAuth `state` value, which GitHub returns when it redirects the browser. Send it to `POST /developers/oauth/github`. Valid once, until `expires_at`, and only with the cookie that this response sets.",
  ),
  authorization_url: Text("The GitHub URL to open in the browser."),
  expires_at: Timestamp,
});

const outcome = {
  created: Flag("Whether this login created the account."),
  linked: Flag("Whether this login linked the identity provider to an existing account."),
};

/** The result of a login with an identity provider (docs/rules/logins.md). */
export const IdentityLoginResultResource = Type.Union(
  [
    NamedObject("IdentitySession", { ...SessionResource.properties, ...outcome }),
    NamedObject("IdentityMfaRequired", { ...MfaRequiredResource.properties, ...outcome }),
  ],
  {
    $id: "IdentityLoginResult",
    description: "The tokens of a new session, or a request for the second factor.",
  },
);
