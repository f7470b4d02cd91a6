import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { ChainHead } from "../../audit/chains/chain.ts";
import { auditHeadRows, lockHead } from "../../audit/chains/queries.ts";
import { requireAnchoring } from "../../audit/checkpoints/checkpoints.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { EventType } from "../../events/event-types.ts";
import { appendEvent } from "../../events/events.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import type { AuditId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import type { KeyedProvider } from "../../foundation/vocabulary.ts";
import type { KeyCheckResult, ProviderCredentials } from "../../ports/provider-key-verifier.ts";
import { openVault, type TenantVault } from "../../vault/vault.ts";
import { checkCredentials, credentialText, keyFieldsOf, normalizeCredentials } from "./provider-keys.ts";
import { presentProviderKeysInEvent, type RemovedProviderKeys } from "./provider-keys-resource.ts";
import {
  type ProviderKeyOwner,
  type ProviderKeys,
  providerKeyRows,
  providerKeySecretRows,
  upsertProviderKeys,
} from "./queries.ts";
import { providerSecretContext } from "./sealed-columns.ts";

export interface SaveProviderKeys {
  readonly actor: Actor;
  readonly provider: KeyedProvider;
  readonly credentials: ProviderCredentials;
  readonly label: string | null;
  /**
   * `report` calls the vendor and stores the result. `required` calls the vendor and throws unless the vendor accepts
   * the keys. `skip` makes no call.
   */
  readonly verify: "report" | "required" | "skip";
  readonly expiresAt: Date | null;
  /**
   * The version that the caller expects to replace, or 0 if it expects no keys. If undefined, the version is not
   * checked.
   */
  readonly expectedVersion: number | undefined;
}

export interface SavedProviderKeys {
  readonly keys: ProviderKeys;
  /** The latest hash of the audit chain, which covers the entry for this change. */
  readonly auditHead: string;
}

type Access = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "providerKeyVerifiers">;

/**
 * Saves the tenant's keys for a provider and deletes any earlier values. Values are encrypted before they reach the
 * database, and never appear in audit entries, events, logs or responses.
 */
export async function saveProviderKeys(app: Access, sent: SaveProviderKeys): Promise<SavedProviderKeys> {
  const { actor, provider, expiresAt } = sent;
  const credentials = normalizeCredentials(sent.credentials);
  const command = { ...sent, credentials };
  checkCredentials(provider, credentials, app.providerKeyVerifiers.get(provider));
  if (expiresAt !== null && expiresAt <= app.clock.now()) {
    throw invalidField("/body/expires_at", "past", "must be in the future");
  }
  const vault = await openVault(app, actor.tenantId);
  const verdict = await verifyKeys(app, command);
  const at = app.clock.now();
  return withTransaction(app.db, actor.tenantId, async (tx) => {
    const head = await lockHead(tx, { tenantId: actor.tenantId, chain: "provider_keys" });
    const keys = await replaceKeys(tx, { command, vault, verdict, head, at });
    return { keys, auditHead: await readHeadHash(tx, command) };
  });
}

/** Checks the keys with the vendor and returns the result. Returns null if `verify` is `skip`. */
async function verifyKeys(
  { providerKeyVerifiers }: Access,
  { actor, provider, credentials, verify }: SaveProviderKeys,
): Promise<KeyCheckResult | null> {
  if (verify === "skip") return null;
  const answered = await providerKeyVerifiers.get(provider)?.verify(credentials, actor.mode);
  const verdict = answered ?? { status: "unreachable", detail: null };
  if (verify === "report" || verdict.status === "verified") return verdict;
  if (verdict.status === "unreachable") throw new AppError("provider_unavailable");
  throw invalidField(
    "/body/credentials",
    "provider_refused",
    verdict.detail ?? "The provider rejected these keys. Check the keys, then send them again.",
  );
}

interface KeyReplacement {
  readonly command: SaveProviderKeys;
  readonly vault: TenantVault;
  readonly verdict: KeyCheckResult | null;
  readonly head: ChainHead;
  readonly at: Date;
}

/**
 * Replaces the keys. The caller must hold the lock on the head of the audit chain, so that concurrent changes to a
 * tenant's keys run one after another.
 */
async function replaceKeys(tx: Tx, { command, vault, verdict, head, at }: KeyReplacement): Promise<ProviderKeys> {
  const { actor, provider, credentials, label, expiresAt, expectedVersion } = command;
  const owner = { tenantId: actor.tenantId, mode: actor.mode, provider };
  await requireAnchoring(tx, { tenantId: actor.tenantId, chain: "provider_keys" }, head, at);
  const known = await providerKeyRows.find(tx, owner);
  assertVersion(known, expectedVersion);

  const fields = fieldsOf(provider, credentials);
  const version = (known?.version ?? 0) + 1;
  const keys = await upsertProviderKeys(tx, {
    ...owner,
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
  await providerKeySecretRows.remove(tx, owner);
  await providerKeySecretRows.insert(
    tx,
    fields.map((value) => sealField(vault, { ...owner, version }, value)),
  );
  await recordKeyChange(tx, actor, {
    action: known?.configured === true ? "provider_key.updated" : "provider_key.created",
    keys,
    facts: {
      field_names: fields.map(({ field }) => field),
      value_hmacs: Object.fromEntries(fields.map(({ field, text }) => [field, vault.fingerprint(text)])),
    },
    events: [
      "provider_key.saved",
      ...(verdict?.status === "failed" ? ["provider_key.verification_failed" as const] : []),
    ],
    data: presentProviderKeysInEvent(keys),
    occurredAt: at,
  });
  return keys;
}

function assertVersion(known: ProviderKeys | undefined, expected: number | undefined): void {
  const version = known?.configured === true ? known.version : 0;
  if (expected === undefined || expected === version) return;
  throw new AppError("version_conflict", {
    internal: `expected version ${expected}, current version ${version}`,
  });
}

interface FieldText {
  readonly field: string;
  readonly text: string;
}

/** Returns the submitted fields in display order. */
function fieldsOf(provider: KeyedProvider, credentials: ProviderCredentials): FieldText[] {
  const { required, optional } = keyFieldsOf(provider);
  return [...required, ...optional].flatMap((field) => {
    const value = credentials[field];
    return value === undefined ? [] : [{ field, text: credentialText(value) }];
  });
}

function sealField(
  vault: TenantVault,
  owner: ProviderKeyOwner & { readonly version: number },
  { field, text }: FieldText,
) {
  const sealed = vault.seal(providerSecretContext({ ...owner, field }), text);
  return { ...owner, field, sealed };
}

async function readHeadHash(tx: Tx, { actor }: SaveProviderKeys): Promise<string> {
  const head = await auditHeadRows.find(tx, { tenantId: actor.tenantId, chain: "provider_keys" });
  invariant(head !== undefined, "a chain that was just appended to has a head");
  return head.hash;
}

export interface RemoveProviderKeys {
  readonly actor: Actor;
  readonly provider: KeyedProvider;
}

/**
 * Deletes the tenant's keys for a provider. The version is incremented and retained, so that keys saved later never
 * reuse a version.
 */
export async function removeProviderKeys(
  app: Pick<App, "db" | "clock">,
  { actor, provider }: RemoveProviderKeys,
): Promise<RemovedProviderKeys> {
  const { tenantId, mode } = actor;
  const chain = { tenantId, chain: "provider_keys" } as const;
  const owner = { tenantId, mode, provider };
  const at = app.clock.now();
  return withTransaction(app.db, tenantId, async (tx) => {
    const head = await lockHead(tx, chain);
    const known = await providerKeyRows.find(tx, owner);
    if (known?.configured !== true) return { deletedAt: null, auditId: null };

    await requireAnchoring(tx, chain, head, at);
    await providerKeySecretRows.remove(tx, owner);
    const keys = await upsertProviderKeys(tx, {
      ...known,
      version: known.version + 1,
      configured: false,
      label: null,
      fieldsConfigured: [],
      verificationStatus: "unverified",
      verificationDetail: null,
      verificationCheckedAt: null,
      expiresAt: null,
      updatedBy: actor.actor.id,
      updatedAt: at,
    });
    const auditId = await recordKeyChange(tx, actor, {
      action: "provider_key.deleted",
      keys,
      facts: { field_names: [...known.fieldsConfigured] },
      events: ["provider_key.deleted"],
      data: { provider, kind: keyFieldsOf(provider).kind, mode, version: keys.version },
      occurredAt: at,
    });
    return { deletedAt: at, auditId };
  });
}

export interface KeyChange {
  readonly action: "provider_key.created" | "provider_key.updated" | "provider_key.deleted";
  readonly keys: ProviderKeys;
  readonly facts: Readonly<Record<string, Json>>;
  /** The types of the events to send. All of them have the same data. */
  readonly events: readonly EventType[];
  readonly data: Json;
  readonly occurredAt: Date;
}

/**
 * Writes the audit entry and the events for a change to provider keys. Must run in the transaction of the change.
 * `facts` and `data` must not contain key values.
 */
async function recordKeyChange(
  tx: Tx,
  actor: Actor,
  { action, keys, facts, events, data, occurredAt }: KeyChange,
): Promise<AuditId> {
  const subject = { type: "provider", id: keys.provider };
  const auditId = await appendAuditEntry(tx, actor, {
    chain: "provider_keys",
    action,
    subject,
    facts: { version: keys.version, ...facts },
    occurredAt,
  });
  for (const type of events) await appendEvent(tx, actor, { type, subject, data, occurredAt });
  return auditId;
}
