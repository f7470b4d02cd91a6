import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { ChainHead } from "../../audit/chains/chain.ts";
import { findHead, lockHead } from "../../audit/chains/queries.ts";
import { requireAnchoring } from "../../audit/checkpoints/require-anchoring.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { KeyedProvider } from "../../foundation/vocabulary.ts";
import type { KeyVerdict, ProviderCredentials } from "../../ports/provider-key-verifier.ts";
import { openVault, type TenantVault } from "../../vault/open-vault.ts";
import { checkCredentials, credentialText } from "./check-credentials.ts";
import { presentProviderKeysInEvent } from "./provider-keys-resource.ts";
import { keyShapeOf } from "./provider-kinds.ts";
import {
  deleteSecrets,
  findProviderKeys,
  insertSecrets,
  type ProviderKeyOwner,
  type ProviderKeys,
  upsertProviderKeys,
} from "./queries.ts";
import { recordKeyChange } from "./record-key-change.ts";
import { providerSecretContext } from "./secret-context.ts";

export interface SaveProviderKeys {
  readonly actor: Actor;
  readonly provider: KeyedProvider;
  readonly credentials: ProviderCredentials;
  readonly label: string | null;
  /** Whether the vendor is asked if the keys work: not at all, to say so, or as a condition. */
  readonly verify: "report" | "required" | "skip";
  readonly expiresAt: Date | null;
  /** The version that the caller has seen; 0 for none. Undefined where it does not matter. */
  readonly expectedVersion: number | undefined;
}

export interface SavedProviderKeys {
  readonly keys: ProviderKeys;
  /** The chain's head with the entry of this change. */
  readonly auditHead: string;
}

type Access = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "providerKeyVerifiers">;

/**
 * Puts a set of keys in the place of the one before it, of which nothing is left: each value is sealed before it reaches the
 * database, and stands in no entry, event, log or answer. Throws `version_conflict` where the caller has seen another
 * version, and where verification is required: `validation_error` for keys that the vendor refuses, `provider_unavailable`
 * when it cannot be asked.
 */
export async function saveProviderKeys(
  app: Access,
  command: SaveProviderKeys,
): Promise<SavedProviderKeys> {
  const { actor, provider, credentials, expiresAt } = command;
  checkCredentials(provider, credentials, app.providerKeyVerifiers.get(provider));
  if (expiresAt !== null && expiresAt <= app.clock.now()) {
    throw invalidField("/body/expires_at", "past", "must be in the future");
  }
  const vault = await openVault(app, actor.tenantId);
  const verdict = await verify(app, command);
  const at = app.clock.now();
  return withTransaction(app.db, actor.tenantId, async (tx) => {
    const head = await lockHead(tx, { tenantId: actor.tenantId, chain: "provider_keys" });
    const keys = await replaceKeys(tx, { command, vault, verdict, head, at });
    return { keys, auditHead: await headHash(tx, command) };
  });
}

/** What the vendor says of the keys. Null where it was not to be asked. */
async function verify(
  { providerKeyVerifiers }: Access,
  { actor, provider, credentials, verify }: SaveProviderKeys,
): Promise<KeyVerdict | null> {
  if (verify === "skip") return null;
  const asked = await providerKeyVerifiers.get(provider)?.verify(credentials, actor.mode);
  const verdict = asked ?? { status: "unreachable", detail: null };
  if (verify === "report" || verdict.status === "verified") return verdict;
  if (verdict.status === "unreachable") throw new AppError("provider_unavailable");
  throw invalidField(
    "/body/credentials",
    "provider_refused",
    verdict.detail ?? "The provider refuses these keys.",
  );
}

interface Replacement {
  readonly command: SaveProviderKeys;
  readonly vault: TenantVault;
  readonly verdict: KeyVerdict | null;
  readonly head: ChainHead;
  readonly at: Date;
}

/** The caller holds the chain's head locked: so there is one change of a tenant's keys at a time. */
async function replaceKeys(
  tx: Tx,
  { command, vault, verdict, head, at }: Replacement,
): Promise<ProviderKeys> {
  const { actor, provider, credentials, label, expiresAt, expectedVersion } = command;
  const place = { tenantId: actor.tenantId, mode: actor.mode, provider };
  await requireAnchoring(tx, { tenantId: actor.tenantId, chain: "provider_keys" }, { head, at });
  const known = await findProviderKeys(tx, place);
  refuseOtherVersion(known, expectedVersion);

  const fields = fieldsOf(provider, credentials);
  const version = (known?.version ?? 0) + 1;
  const keys = await upsertProviderKeys(tx, {
    ...place,
    version,
    configured: true,
    label,
    fieldsConfigured: fields.map(({ field }) => field),
    verificationStatus: verdict?.status ?? "unverified",
    verificationDetail: verdict?.detail ?? null,
    verificationCheckedAt: verdict === null ? null : at,
    expiresAt,
    remindedDays: null,
    lastUsedAt: null,
    updatedBy: actor.actor.id,
    createdAt: at,
    updatedAt: at,
  });
  await deleteSecrets(tx, place);
  await insertSecrets(
    tx,
    fields.map((value) => sealField(vault, { ...place, version }, value)),
  );
  await recordKeyChange(tx, actor, {
    action: known?.configured === true ? "provider_key.updated" : "provider_key.created",
    keys,
    facts: {
      field_names: fields.map(({ field }) => field),
      value_hmacs: Object.fromEntries(
        fields.map(({ field, text }) => [field, vault.fingerprint(text)]),
      ),
    },
    events: [
      "provider_key.saved",
      ...(verdict?.status === "failed" ? ["provider_key.verification_failed"] : []),
    ],
    data: presentProviderKeysInEvent(keys),
    occurredAt: at,
  });
  return keys;
}

function refuseOtherVersion(known: ProviderKeys | undefined, expected: number | undefined): void {
  const version = known?.configured === true ? known.version : 0;
  if (expected === undefined || expected === version) return;
  throw new AppError("version_conflict", { internal: `expected ${expected}, is ${version}` });
}

interface FieldText {
  readonly field: string;
  readonly text: string;
}

/** The fields that were given, in the order in which they are shown. */
function fieldsOf(provider: KeyedProvider, credentials: ProviderCredentials): FieldText[] {
  const { required, optional } = keyShapeOf(provider);
  return [...required, ...optional].flatMap((field) => {
    const value = credentials[field];
    return value === undefined ? [] : [{ field, text: credentialText(value) }];
  });
}

function sealField(
  vault: TenantVault,
  place: ProviderKeyOwner & { readonly version: number },
  { field, text }: FieldText,
) {
  const sealed = vault.seal(providerSecretContext({ ...place, field }), text);
  return { ...place, field, sealed };
}

async function headHash(tx: Tx, { actor }: SaveProviderKeys): Promise<string> {
  const head = await findHead(tx, { tenantId: actor.tenantId, chain: "provider_keys" });
  invariant(head !== undefined, "a chain that was just appended to has a head");
  return head.hash;
}
