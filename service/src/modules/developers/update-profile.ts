import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import { changedFields, mergedMap } from "../../foundation/wire/apply-change.ts";
import { type Developer, type DeveloperProfile, developerRows, getDeveloperProfile } from "./queries.ts";
import { recordAccountChange } from "./record-account-change.ts";
import { requireLiveSession } from "./sessions/live-session.ts";

/** The fields that a developer can change. Undefined leaves a field unchanged, and null clears it. */
export interface ProfileChange {
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
