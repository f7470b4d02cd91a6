import { type Static, Type } from "typebox";
import { type LoginResultResource, MfaRequiredResource, SessionResource } from "../sessions/session-resource.ts";
import type { IdentityLogin } from "./log-in-as-identity.ts";

const outcome = {
  created: Type.Boolean({ description: "Whether this login created the account." }),
  linked: Type.Boolean({
    description: "Whether this login linked the identity provider to an existing account.",
  }),
};

/** The result of a login with an identity provider (docs/api.md, section 16.2). */
export const IdentityLoginResultResource = Type.Union(
  [
    Type.Object({ ...SessionResource.properties, ...outcome }, { $id: "IdentitySession" }),
    Type.Object({ ...MfaRequiredResource.properties, ...outcome }, { $id: "IdentityMfaRequired" }),
  ],
  {
    $id: "IdentityLoginResult",
    description: "The tokens of a new session, or a request for the second factor.",
  },
);

export function presentIdentityLogin(
  login: Static<typeof LoginResultResource>,
  { created, linked }: Pick<IdentityLogin, "created" | "linked">,
): Static<typeof IdentityLoginResultResource> {
  return { ...login, created, linked };
}
