import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { appendEvent } from "../../events/append-event.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import type { Service } from "./queries.ts";
import { presentService } from "./service-resource.ts";

/** Maps audit actions to event types. Null if the action has no event. */
const EVENTS = {
  "service.requested": "service.provisioning",
  "service.added": "service.active",
  "service.failed": "service.failed",
  "service.plan_change_requested": null,
  "service.plan_change_scheduled": "service.plan_change_scheduled",
  "service.plan_change_canceled": "service.plan_change_canceled",
  "service.plan_changed": "service.plan_changed",
  "service.plan_change_failed": "service.plan_change_failed",
  "service.removal_requested": null,
  "service.removed": "service.removed",
  "service.rotation_requested": null,
  "service.rotation_published": "service.rotation_pending",
  "service.rotation_unchanged": null,
  "service.rotation_failed": null,
  "service.rotated": "service.rotated",
  "service.resource_missing": "service.resource_missing",
  "service.resource_found": "service.resource_found",
} as const;

interface RecordServiceChange {
  readonly action: keyof typeof EVENTS;
  readonly service: Service;
  readonly facts?: Readonly<Record<string, Json>>;
  readonly occurredAt: Date;
}

/** Writes the audit entry and the event for a service change, in the same transaction as the change. */
export async function recordServiceChange(
  tx: Tx,
  actor: Actor,
  { action, service, facts = {}, occurredAt }: RecordServiceChange,
): Promise<void> {
  const subject = { type: "service", id: service.serviceId };
  const commonFacts = {
    project_id: service.projectId,
    service: service.service,
    plan: service.plan,
  };
  const entry = { action, subject, facts: { ...commonFacts, ...facts }, occurredAt };
  await appendAuditEntry(tx, actor, entry);
  const type = EVENTS[action];
  if (type === null) return;
  await appendEvent(tx, actor, { type, subject, data: presentService(service), occurredAt });
}
