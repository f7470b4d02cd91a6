import { type Static, Type } from "typebox";
import type { AuditId } from "../../foundation/ids.ts";
import { KEYED_PROVIDERS, VERIFICATION_STATUSES } from "../../foundation/vocabulary.ts";
import {
  Count,
  ListOf,
  ModeName,
  NamedObject,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { keyFieldsOf, PROVIDER_KINDS, type ProviderKeyStatus } from "./provider-keys.ts";
import type { ProviderKeys } from "./queries.ts";

const ProviderName = Type.Enum([...KEYED_PROVIDERS]);
const KindName = Type.Enum([...PROVIDER_KINDS]);

const ProviderKeyVerificationResource = NamedObject("ProviderKeyVerification", {
  status: OneOf(
    VERIFICATION_STATUSES,
    "Result of the check. `verified`: the vendor accepted the keys. `failed`: the vendor rejected them. `unreachable`: the vendor did not respond. `unverified`: the keys were not checked.",
  ),
  checked_at: Nullable(Timestamp),
  detail: Nullable(
    Text(
      "Why the check failed. Null unless `status` is `failed` or `unreachable`. Does not include the vendor's response.",
    ),
  ),
});

/** The metadata of a provider's keys, without their values (docs/rules/provider-keys.md). */
export const ProviderKeysResource = NamedObject("ProviderKeys", {
  provider: ProviderName,
  kind: KindName,
  configured: Type.Literal(true),
  mode: ModeName,
  label: Nullable(Text("A name for this set of provider keys, set by the developer. Null if no name was set.")),
  fields_configured: ListOf(
    Type.String(),
    "Names of the fields in `credentials` that were saved. Their values are never returned.",
  ),
  version: Count(
    "Number of times that the keys for this provider have been saved or deleted, counted separately for each mode.",
  ),
  verification: ProviderKeyVerificationResource,
  expires_at: Nullable({
    ...Timestamp,
    description: "When the keys expire at the vendor, as entered by the developer. Null if no time was entered.",
  }),
  last_used_at: Nullable({
    ...Timestamp,
    description:
      "When Purser last used the keys. Updated at most once per minute. Null if the keys were not used since they were saved.",
  }),
  updated_at: Timestamp,
  updated_by: Text("The id of the developer or API key that saved the keys."),
  audit_head: Text(
    "The hash of the newest entry in the `provider_keys` audit chain. Store this hash. If a later export of the chain does not contain it, the chain was rewritten.",
  ),
});

/** A provider without configured keys. */
const NoProviderKeysResource = Type.Object(
  { provider: ProviderName, kind: KindName, configured: Type.Literal(false) },
  { $id: "NoProviderKeys" },
);

export const ProviderKeysListResource = NamedObject("ProviderKeysList", {
  object: Type.Literal("list"),
  data: Type.Array(Type.Union([ProviderKeysResource, NoProviderKeysResource], { $id: "ProviderKeyStatus" })),
  has_more: Type.Literal(false),
});

export const RemovedProviderKeysResource = NamedObject("RemovedProviderKeys", {
  provider: ProviderName,
  configured: Type.Literal(false),
  deleted_at: Nullable({
    ...Timestamp,
    description: "When the keys were deleted. Null if no keys were configured.",
  }),
  audit_id: Nullable(Text("The id of the audit entry for the deletion. Null if no keys were configured.")),
});

const ProviderKeysInEvent = Type.Omit(ProviderKeysResource, ["audit_head"]);

/**
 * Returns the metadata of the keys for an event. `audit_head` is omitted: when the event is built, the audit chain does
 * not contain the entry for this change yet.
 */
export function presentProviderKeysInEvent(keys: ProviderKeys): Static<typeof ProviderKeysInEvent> {
  return toWire(ProviderKeysInEvent, keys, {
    kind: keyFieldsOf(keys.provider).kind,
    configured: true,
    verification: {
      status: keys.verificationStatus,
      checked_at: keys.verificationCheckedAt?.toISOString() ?? null,
      detail: keys.verificationDetail,
    },
  });
}

export function presentProviderKeys(keys: ProviderKeys, auditHead: string): Static<typeof ProviderKeysResource> {
  return { ...presentProviderKeysInEvent(keys), audit_head: auditHead };
}

export function presentProviderKeysList(
  statuses: readonly ProviderKeyStatus[],
  auditHead: string,
): Static<typeof ProviderKeysListResource> {
  return {
    object: "list",
    data: statuses.map(({ provider, keys }) =>
      keys === null
        ? { provider, kind: keyFieldsOf(provider).kind, configured: false }
        : presentProviderKeys(keys, auditHead),
    ),
    has_more: false,
  };
}

/** Both fields are null if no keys were configured. */
export interface RemovedProviderKeys {
  readonly deletedAt: Date | null;
  readonly auditId: AuditId | null;
}
