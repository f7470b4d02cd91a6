import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { withTransaction } from "../../db/transaction.ts";
import { appendEvent } from "../../events/events.ts";
import { newId } from "../../foundation/ids.ts";
import { tryEach } from "../../foundation/try-each.ts";
import { enqueueEmail } from "../../outbox/enqueue.ts";
import { findDeveloper } from "../developers/queries.ts";
import { presentProviderKeysInEvent } from "./provider-keys-resource.ts";
import { keysToRemindOf, markReminded, type ProviderKeyOwner, type ProviderKeys, type Reminder } from "./queries.ts";

/**
 * Reminders are sent this many days before the keys expire. If several reminders are due, only the first in this list
 * is sent, so the list must be in ascending order.
 */
const REMINDERS_DAYS = [1, 7, 14];
const DAY_MS = 24 * 3_600_000;

type Access = Pick<App, "db" | "clock">;

/** Sends an event and an email 14 days, 7 days and 1 day before provider keys expire. */
export async function remindOfExpiry(app: Access): Promise<void> {
  const now = app.clock.now();
  await tryEach(REMINDERS_DAYS, async (days) => {
    const reminder = { days, now, expiresBy: new Date(now.getTime() + days * DAY_MS) };
    await tryEach(keysToRemindOf(app.db, reminder), (owner) => sendReminder(app, owner, reminder));
  });
}

async function sendReminder({ db }: Access, owner: ProviderKeyOwner, reminder: Reminder): Promise<void> {
  await withTransaction(db, owner.tenantId, async (tx) => {
    const keys = await markReminded(tx, owner, reminder);
    const developer = await findDeveloper(tx, owner.tenantId);
    if (keys === undefined || developer === undefined) return;

    const { now, days } = reminder;
    const actor = systemActor(owner);
    await appendEvent(tx, actor, {
      type: "provider_key.expiring",
      subject: { type: "provider", id: keys.provider },
      data: { ...presentProviderKeysInEvent(keys), days_left_max: days },
      occurredAt: now,
      sequence: null,
    });
    await enqueueEmail(tx, actor, {
      messageId: newId("mail"),
      template: "provider_key_expiring",
      to: developer.email,
      facts: mailFacts(keys),
      sealedToken: null,
      createdAt: now,
    });
  });
}

function mailFacts({ provider, mode, expiresAt }: ProviderKeys): Readonly<Record<string, string>> {
  return {
    provider,
    mode,
    expires_at: expiresAt?.toISOString().slice(0, 16).replace("T", " ") ?? "",
  };
}
