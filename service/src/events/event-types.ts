import { APPROVAL_STATUSES, CONVERSION_STATUSES, PAYMENT_STATUSES } from "../foundation/vocabulary.ts";

/** What a payment's event is called if it changes the payment's status. Nothing is said of a payment that is being signed. */
const PAYMENT_EVENTS = PAYMENT_STATUSES.filter((status) => status !== "signing");

/**
 * The types of events: for each kind of subject, what can happen to it. `docs/rules/events.md` describes them. The full run
 * of the tests fails if nothing produces one of them.
 */
const EVENTS = {
  developer: ["email_verified", "kyb_updated"],
  api_key: ["created", "rotated", "revoked", "grace_ending", "auth_failures_spike"],
  provider_key: ["saved", "deleted", "verification_failed", "expiring"],
  audit: ["anchor_mismatch"],
  project: ["created", "updated", "deleted", "cap_threshold_reached", "cap_exceeded_blocked"],
  link: ["completed", "failed", "expired", "revoked"],
  service: [
    "provisioning",
    "active",
    "failed",
    "plan_changed",
    "plan_change_scheduled",
    "plan_change_canceled",
    "plan_change_failed",
    "rotated",
    "rotation_pending",
    "removed",
    "resource_missing",
    "resource_found",
  ],
  env: ["pulled", "changed"],
  payment_method: ["attached", "requires_action"],
  charge: ["succeeded", "failed", "refunded"],
  agent: ["created", "updated", "suspended", "resumed", "revoked", "expired", "kya_changed"],
  policy: ["created", "updated", "rolled_back"],
  approval: ["requested", ...APPROVAL_STATUSES.filter((status) => status !== "pending")],
  wallet: [
    "created",
    "updated",
    "deployed",
    "frozen",
    "freeze_onchain_pending",
    "freeze_onchain_confirmed",
    "freeze_onchain_failed",
    "unfreezing",
    "unfrozen",
    "deposit_received",
  ],
  payment: PAYMENT_EVENTS,
  conversion: CONVERSION_STATUSES,
  fiat_account: ["verified", "relink_required", "disabled"],
  kill_switch: ["triggered", "reconciled", "completed", "blocked_pending"],
  webhook: ["disabled"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The types of all events, such as `payment.confirmed`. */
export const EVENT_TYPES: readonly string[] = Object.entries(EVENTS).flatMap(([subject, names]) =>
  names.map((name) => `${subject}.${name}`),
);

const types: ReadonlySet<string> = new Set(EVENT_TYPES);

export function isEventType(type: string): boolean {
  return types.has(type);
}
