import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { presentPolicy } from "./policy-resource.ts";
import type { Policy } from "./queries.ts";

/** Writes the audit entry and the event for a new version of a policy, in the transaction that stores it. */
export async function recordPolicyChange(
  tx: Tx,
  actor: Actor,
  {
    action,
    policy,
    facts,
  }: {
    readonly action: "policy.created" | "policy.updated" | "policy.rolled_back";
    readonly policy: Policy;
    readonly facts: Readonly<Record<string, Json>>;
  },
): Promise<void> {
  const entry = {
    action,
    subject: { type: "policy", id: policy.policyId },
    facts: { version: policy.version, ...facts },
    occurredAt: policy.updatedAt,
  };
  await recordEntryAndEvent(tx, actor, entry, () => presentPolicy(policy) as Json);
}
