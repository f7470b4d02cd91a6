import { Type } from "typebox";
import { KEYED_PROVIDERS, VERIFICATION_STATUSES } from "../../../foundation/vocabulary.ts";
import { ModeName, Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import {
  PROVIDER_KINDS,
  type ProviderKeys,
  presentProviderKeys,
} from "../../../modules/provider-keys/index.ts";

const ProviderName = Type.Enum([...KEYED_PROVIDERS]);
const KindName = Type.Enum([...PROVIDER_KINDS]);

/** A provider in a path: by its name, or by its kind. */
export const ProviderPath = Type.Object({
  provider: Type.Enum([...KEYED_PROVIDERS, ...PROVIDER_KINDS], {
    description: "The provider, or its kind.",
  }),
});

export const ProviderKeysOut = Type.Object(
  {
    provider: ProviderName,
    kind: KindName,
    configured: Type.Literal(true),
    mode: ModeName,
    label: Nullable(Type.String()),
    fields_configured: Type.Array(Type.String(), {
      description: "Names alone: no value is ever shown.",
    }),
    version: Type.Integer({ description: "Counts the changes of this provider's keys." }),
    verification: Type.Object({
      status: Type.Enum([...VERIFICATION_STATUSES]),
      checked_at: Nullable(Timestamp),
      detail: Nullable(Type.String()),
    }),
    expires_at: Nullable(Timestamp),
    last_used_at: Nullable(Timestamp),
    updated_at: Timestamp,
    updated_by: Type.String(),
    audit_head: Type.String({
      description: "The newest hash of the provider keys' audit chain. Keep it, to be its witness.",
    }),
  },
  { $id: "ProviderKeys" },
);

export const NoProviderKeysOut = Type.Object(
  { provider: ProviderName, kind: KindName, configured: Type.Literal(false) },
  { $id: "NoProviderKeys" },
);

export function presentKeySet(keys: ProviderKeys, auditHead: string) {
  return { ...presentProviderKeys(keys), audit_head: auditHead };
}
