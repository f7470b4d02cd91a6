/**
 * The types of events: for each kind of subject, what can happen to it. `docs/event-types/` is generated from this table. A
 * whole run of the tests fails if none has produced one of them.
 */
const EVENTS = {
  developer: {
    email_verified: "The email address of the account was verified.",
    kyb_updated: "The status of the business verification changed.",
  },
  api_key: {
    created: "A key was created.",
    rotated: "A key was replaced. The old one works until its grace period ends.",
    revoked: "A key stopped working.",
    grace_ending: "The grace period of a rotated key ends within a day.",
    auth_failures_spike: "Many requests with the key were rejected within a minute.",
  },
  provider_key: {
    saved: "Keys of a provider were saved.",
    deleted: "Keys of a provider were deleted.",
    verification_failed: "The provider did not accept the keys.",
    expiring: "Keys of a provider expire in 14 days, 7 days or one day.",
  },
  audit: { anchor_mismatch: "The audit trail does not match its anchor in external storage." },
  project: {
    created: "A project was created.",
    updated: "A project was changed.",
    deleted: "A project was deleted, with its services.",
    cap_threshold_reached: "50, 80 or 100 percent of the monthly cap are used.",
    cap_exceeded_blocked: "Something was refused because it would have exceeded the monthly cap.",
  },
  link: {
    completed: "A project was connected to an account at a provider.",
    failed: "A project could not be connected.",
    expired: "A link was not completed in time.",
    revoked: "A project was disconnected.",
  },
  service: {
    provisioning: "A service was requested.",
    active: "A service can be used.",
    failed: "A service could not be added.",
    plan_changed: "A service has another plan.",
    plan_change_scheduled: "A service will get another plan.",
    plan_change_canceled: "A scheduled change of the plan was canceled.",
    plan_change_failed: "The plan of a service could not be changed.",
    rotated: "The old credentials of a service stopped working.",
    rotation_pending: "New credentials of a service are in the bundle. The old ones still work.",
    removed: "A service was removed.",
    resource_missing: "The resource of a service no longer exists at the provider.",
    resource_found: "The resource of a service that was missing exists again.",
  },
  env: {
    pulled: "The variables of a project were pulled.",
    changed: "The variables of a project changed.",
  },
  payment_method: {
    attached: "A card can pay for the services of a project.",
    requires_action: "The bank of the card asks its holder for a confirmation.",
  },
  charge: {
    succeeded: "A charge was paid.",
    failed: "A charge could not be paid.",
    refunded: "A charge was refunded.",
  },
  agent: {
    created: "An agent was created.",
    updated: "An agent was changed.",
    suspended: "An agent was stopped.",
    resumed: "A suspended agent can act again.",
    revoked: "An agent was stopped for ever.",
    expired: "The time of an agent is over.",
    kya_changed: "How well an agent is known changed.",
  },
  policy: {
    created: "A policy was created.",
    updated: "A policy has a new version, or was deleted.",
    rolled_back: "A policy has the rules of an earlier version again.",
  },
  approval: {
    requested: "Something waits for a decision.",
    approved: "A person approved.",
    denied: "A person denied.",
    expired: "The time for the decision is over.",
    canceled: "What waited has ended for another reason.",
  },
  wallet: {
    created: "A wallet was created.",
    updated: "A wallet was changed.",
    deployed: "The account of a wallet exists on its chain.",
    deployment_failed: "The account of a wallet could not be created on its chain.",
    frozen: "A wallet was frozen. Nothing can leave it.",
    freeze_onchain_pending: "A freeze on the chain was requested.",
    freeze_onchain_confirmed: "A final block contains the freeze.",
    freeze_onchain_failed: "The freeze on the chain was not executed.",
    freeze_onchain_lifted:
      "The account of a wallet is no longer frozen on the chain. The wallet may still be frozen here.",
    unfrozen: "A wallet can pay again.",
    deposit_received: "A wallet received tokens.",
  },
  payment: {
    requires_approval: "A payment waits for a person.",
    queued: "A payment waits for its turn on its network.",
    submitted: "A payment was sent to its network.",
    confirmed: "A payment was made: a final block contains it, or it was made in test mode.",
    authorized: "The amount of a payment is held until it is captured or voided.",
    captured: "An authorized payment was made.",
    voided: "An authorized payment was given up.",
    denied: "A person denied a payment, or the policies did.",
    expired: "A payment waited too long.",
    canceled: "A payment was canceled, also by a freeze.",
    failed: "The network did not execute a payment. It cost nothing.",
    dropped: "The network never included a payment. It cost nothing.",
    refunded: "A payment, or a part of it, was refunded.",
    capture_refused: "A payment could not be captured.",
    void_refused: "A payment could not be voided.",
    refund_refused: "A payment could not be refunded.",
  },
  conversion: {
    quoted: "A conversion has a price and waits to be executed.",
    awaiting_funds: "A conversion waits for money.",
    in_review: "The vendor reviews a conversion.",
    funds_received: "The vendor has received the money.",
    payment_submitted: "The vendor has sent the money on.",
    completed: "A conversion has ended.",
    undeliverable: "The money could not be delivered.",
    returned: "The money came back.",
    missing_return_policy: "The money came back, and the vendor has no rule for it.",
    refund_in_flight: "The money is on its way back to the wallet.",
    refunded: "The money is back in the wallet.",
    refund_failed: "The money could not be sent back.",
    canceled: "A conversion was canceled.",
    expired: "A quote was not executed in time.",
    failed: "A conversion was not made.",
  },
  fiat_account: {
    verified: "A bank account can be used.",
    relink_required: "The bank asks its customer to log in again.",
    disabled: "A bank account can no longer be used.",
  },
  kill_switch: {
    triggered: "A kill switch stops everything below its target.",
    reconciled: "A kill switch stops what was not dead.",
    completed: "Everything is dead.",
    blocked_pending: "A kill switch has ended, and at least one target is not dead yet.",
  },
  webhook: { disabled: "Purser disabled a webhook: nothing could be delivered, or its server answered 410." },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

type Events = typeof EVENTS;

/** For example `payment.confirmed`. */
export type EventType = { [Subject in keyof Events]: `${Subject}.${keyof Events[Subject] & string}` }[keyof Events];

/** What each event says, by its type, such as `payment.confirmed`. */
export const EVENT_DESCRIPTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries(EVENTS).flatMap(([subject, names]) =>
    Object.entries(names).map(([name, description]) => [`${subject}.${name}`, description] as const),
  ),
);

export const EVENT_TYPES: readonly string[] = [...EVENT_DESCRIPTIONS.keys()];
