import { type Static, Type } from "typebox";
import { IDENTITY_PROVIDERS } from "../../../foundation/vocabulary.ts";
import { Timestamp } from "../../../foundation/wire/fields.ts";
import type { Identity } from "./queries.ts";

/** A GitHub or Google account that the developer can log in with (docs/api.md, section 16.2). */
const IdentityResource = Type.Object(
  {
    object: Type.Literal("identity"),
    provider: Type.Enum([...IDENTITY_PROVIDERS]),
    email: Type.String({
      description: "The email address that the provider reported at the last login.",
    }),
    linked_at: Timestamp,
    last_used_at: Timestamp,
  },
  {
    $id: "Identity",
    description: "A GitHub or Google account with which the developer can log in.",
  },
);

export const IdentityListResource = Type.Object(
  {
    object: Type.Literal("list"),
    data: Type.Array(IdentityResource),
    has_more: Type.Literal(false),
  },
  { $id: "IdentityList" },
);

export function presentIdentities(identities: readonly Identity[]): Static<typeof IdentityListResource> {
  return { object: "list", data: identities.map(presentIdentity), has_more: false };
}

function presentIdentity({ provider, email, linkedAt, lastUsedAt }: Identity): Static<typeof IdentityResource> {
  return {
    object: "identity",
    provider,
    email,
    linked_at: linkedAt.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
  };
}
