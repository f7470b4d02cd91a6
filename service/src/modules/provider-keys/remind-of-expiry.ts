import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { withTransaction } from "../../db/transaction.ts";
import { newId } from "../../foundation/ids.ts";
import { redactedMessage } from "../../foundation/redact.ts";
import { enqueueEvent, enqueueMail } from "../../outbox/enqueue.ts";
import { presentProviderKeysInEvent } from "./provider-keys-resource.ts";
import {
  findOwnerEmail,
  listKeysToRemindOf,
  markReminded,
  type ProviderKeyOwner,
  type ProviderKeys,
  type Reminder,
} from "./queries.ts";

/** How many days before the expiry, the nearest first: whoever is due for several is reminded of the nearest alone. */
const REMINDERS_DAYS = [1, 7, 14];
const DAY_MS = 24 * 3_600_000;
const REMINDED_MAX = 500;

type Access = Pick<App, "db" | "clock" | "log">;

/** Reminds owners of keys that expire soon: 14 days, 7 days and 1 day before, once each, by event and mail. */
export async function remindOfExpiry(app: Access): Promise<void> {
  const now = app.clock.now();
  for (const days of REMINDERS_DAYS) {
    const reminder = { days, now, expiresBy: new Date(now.getTime() + days * DAY_MS) };
    const due = await listKeysToRemindOf(app.db, { ...reminder, limit: REMINDED_MAX });
    for (const place of due) {
      await remind(app, place, reminder).catch((error: unknown) => {
        const { tenantId, provider } = place;
        const message = redactedMessage(error);
        app.log.error({ tenantId, provider, message }, "no reminder of an expiry was sent");
      });
    }
  }
}

async function remind({ db }: Access, place: ProviderKeyOwner, reminder: Reminder): Promise<void> {
  await withTransaction(db, place.tenantId, async (tx) => {
    const keys = await markReminded(tx, place, reminder);
    const to = await findOwnerEmail(tx, place.tenantId);
    if (keys === undefined || to === undefined) return;

    const { now, days } = reminder;
    const actor = systemActor(place);
    await enqueueEvent(tx, actor, {
      type: "provider_key.expiring",
      subject: { type: "provider", id: keys.provider },
      data: { ...presentProviderKeysInEvent(keys), days_left_max: days },
      occurredAt: now,
    });
    await enqueueMail(tx, actor, {
      messageId: newId("mail"),
      template: "provider_key_expiring",
      to,
      facts: factsOf(keys),
      sealedToken: null,
      createdAt: now,
    });
  });
}

function factsOf({ provider, mode, expiresAt }: ProviderKeys): Readonly<Record<string, string>> {
  return {
    provider,
    mode,
    expires_at: expiresAt?.toISOString().slice(0, 16).replace("T", " ") ?? "",
  };
}
