import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/events.ts";
import { presentFiatAccount } from "./fiat-account-resource.ts";
import type { FiatAccount, HeldAccount } from "./queries.ts";

interface AccountChange {
  /** The first three have an event. The others are only in the audit trail. */
  readonly change: "verified" | "relink_required" | "disabled" | "linked" | "removed";
  readonly facts?: Readonly<Record<string, string | null>>;
  readonly at: Date;
}

/** Writes the audit entry, and for some changes the event, in the transaction of the change. */
export async function recordFiatAccountChange(
  tx: Tx,
  actor: Actor,
  held: HeldAccount,
  { change, facts = {}, at }: AccountChange,
): Promise<void> {
  const entry = {
    subject: { type: "fiat_account", id: held.account.accountId },
    facts: { ...factsOf(held.account), ...facts },
    occurredAt: at,
  };
  if (change === "linked" || change === "removed") {
    return void (await appendAuditEntry(tx, actor, { action: `fiat_account.${change}`, ...entry }));
  }
  const data = { ...presentFiatAccount(held), webhook_ref: held.account.webhookRef };
  await recordEntryAndEvent(tx, actor, { action: `fiat_account.${change}`, ...entry }, () => data);
}

function factsOf({ itemId, institutionName, mask, status }: FiatAccount) {
  return { item_id: itemId, institution_name: institutionName, mask, status };
}
