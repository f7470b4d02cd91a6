import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import type { AuditId, TenantId } from "../../foundation/ids.ts";
import { changedFields, mergedMap } from "../../foundation/wire/apply-change.ts";
import {
  type Developer,
  type DeveloperProfile,
  developerRows,
  findDeveloper,
  getDeveloperProfile,
  insertDeveloper,
  passwordRows,
} from "./queries.ts";
import { requireLiveSession } from "./sessions/live-session.ts";

/**
 * The tenant ID for transactions that belong to no tenant, and for unknown email addresses. No rows can exist for it.
 */
export const UNKNOWN_TENANT: TenantId = "dev_nobody";

interface AccountChange {
  readonly action: string;
  readonly facts?: Readonly<Record<string, Json>>;
  readonly at: Date;
}

export async function recordAccountChange(
  tx: Tx,
  actor: Actor,
  { action, facts = {}, at }: AccountChange,
): Promise<AuditId> {
  const subject = { type: "developer", id: actor.tenantId };
  return appendAuditEntry(tx, actor, { action, subject, facts, occurredAt: at });
}

interface VerifiedDeveloper {
  readonly tenantId: TenantId;
  /** In lowercase. */
  readonly email: string;
  readonly passwordHash: string;
  readonly createdAt: Date;
}

/**
 * Creates a registered developer with a verified email address, for benchmarks and the local development profile. If
 * the tenant exists, updates its password and status.
 */
export async function insertVerifiedDeveloper(
  tx: Tx,
  { tenantId, email, passwordHash, createdAt }: VerifiedDeveloper,
): Promise<void> {
  const verified = {
    status: "active",
    emailVerifiedAt: createdAt,
    provenAt: createdAt,
    registeredAt: createdAt,
    updatedAt: createdAt,
  } as const;
  if ((await findDeveloper(tx, tenantId)) === undefined) {
    await insertDeveloper(tx, { ...verified, tenantId, email, createdAt });
  } else {
    await developerRows.updateAndGet(tx, { tenantId }, verified);
  }
  await passwordRows.put(tx, { tenantId, hash: passwordHash, updatedAt: createdAt });
}

/** The fields that a developer can change. Undefined leaves a field unchanged, and null clears it. */
interface ProfileChange {
  readonly name: string | null | undefined;
  readonly companyName: string | null | undefined;
  readonly website: string | null | undefined;
  readonly country: string | null | undefined;
  readonly timezone: string | null | undefined;
  readonly billingEmail: string | null | undefined;
  /** Merged into the current preferences. A preference that is null is removed. */
  readonly notificationPreferences: Readonly<Record<string, boolean | null>> | null | undefined;
}

/** The field names to list in the audit entry. The values are omitted because they are personal data. */
const FIELD_NAMES = {
  name: "name",
  companyName: "company_name",
  website: "website",
  country: "country",
  timezone: "timezone",
  billingEmail: "billing_email",
  notificationPreferences: "notification_preferences",
} as const;

type Profile = Pick<Developer, keyof typeof FIELD_NAMES>;

/** Changes the profile and writes an audit entry that lists the changed fields. Does nothing if no field changes. */
export async function updateProfile(
  app: Pick<App, "db" | "clock">,
  { actor, change }: { readonly actor: Actor; readonly change: ProfileChange },
): Promise<DeveloperProfile> {
  const { tenantId } = actor;
  const at = app.clock.now();
  return withTransaction(app.db, tenantId, async (tx) => {
    const before = await developerRows.lockAndGet(tx, { tenantId });
    await requireLiveSession(tx, actor, at);
    const after = applyChange(before, change);
    const changed = changedFields(before, after, FIELD_NAMES);
    if (changed.length === 0) return getDeveloperProfile(tx, tenantId);

    await developerRows.updateAndGet(
      tx,
      { tenantId },
      {
        ...after,
        notificationPreferences: JSON.stringify(after.notificationPreferences),
        updatedAt: at,
      },
    );
    await recordAccountChange(tx, actor, {
      action: "developer.profile_updated",
      facts: { fields: changed.map((field) => FIELD_NAMES[field]) },
      at,
    });
    return getDeveloperProfile(tx, tenantId);
  });
}

function applyChange(before: Profile, change: ProfileChange): Profile {
  const { timezone, notificationPreferences } = change;
  return {
    name: valueAfter(change.name, before.name),
    companyName: valueAfter(change.companyName, before.companyName),
    website: valueAfter(change.website, before.website),
    country: valueAfter(change.country, before.country),
    billingEmail: valueAfter(change.billingEmail, before.billingEmail),
    timezone: timezone === null ? "UTC" : (timezone ?? before.timezone),
    notificationPreferences: mergedMap(before.notificationPreferences, notificationPreferences),
  };
}

function valueAfter<Value>(change: Value | undefined, before: Value): Value {
  return change === undefined ? before : change;
}
