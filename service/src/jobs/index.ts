import type { App } from "../app.ts";
import { chainAllPendingEntries } from "../audit/chains/chain-pending-entries.ts";
import { watchAnchor } from "../audit/checkpoints/unanchored-entries.ts";
import { purgeExpiredRows } from "../due-work/retention/purge-expired-rows.ts";
import { runDueWork } from "../due-work/run-due-work.ts";
import { systemClock } from "../foundation/clock.ts";
import { wakeWaitingCallers } from "../modules/approvals/get-approval.ts";
import { refreshCatalogs } from "../modules/catalog/refresh-catalogs.ts";
import { billProjects, refreshOpenInvoices } from "../modules/charges/invoices/bill-projects.ts";
import { refreshRefunds } from "../modules/charges/invoices/refresh-charge.ts";
import { turnMonths } from "../modules/charges/open-months.ts";
import { settleDueCharges } from "../modules/charges/settle-due-charges.ts";
import { writeAuthFailures } from "../modules/developers/auth-failures/write-auth-failures.ts";
import { revokeUncollectedKeys } from "../modules/developers/device-login/revoke-uncollected-keys.ts";
import { writeKeyUses } from "../modules/developers/keys/write-key-uses.ts";
import { expireKyb } from "../modules/developers/kyb/expire-kyb.ts";
import { watchClock } from "../modules/health/watch-clock.ts";
import { expireLinks } from "../modules/links/end-link.ts";
import { cancelFrozenPayments, expirePayments } from "../modules/payments/end-waiting-payments.ts";
import { remindOfExpiry } from "../modules/provider-keys/remind-of-expiry.ts";
import { rewrapDataKeys } from "../vault/rewrap-data-keys.ts";
import { expireAgents } from "../workflows/agents/change-agent-status.ts";
import { anchorAudit } from "../workflows/anchor-audit.ts";
import { checkInventory } from "../workflows/check-inventory.ts";
import { checkLedger } from "../workflows/check-ledger.ts";
import { expireApprovals } from "../workflows/decide-approval/decide-approval.ts";
import { dueWork } from "../workflows/due-work.ts";
import { continueKillSwitches } from "../workflows/kill-switch/run-kill-switch.ts";
import { relayDueMessages } from "../workflows/relay-outbox.ts";
import { rotateDataKeys } from "../workflows/rotate-data-keys.ts";
import { escalateStuckOperations, startPendingOperations } from "../workflows/stalled-operations/stalled-operations.ts";
import { changePendingPlans } from "../workflows/upgrade-service/upgrade-service.ts";
import type { Job } from "./runner.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/**
 * The longest pause between runs of the job that sends emails. It is short, because a user who has just signed up is
 * waiting for an email.
 */
const RELAY_IDLE_MS = SECOND_MS;
const WORKFLOW_RETENTION_MS = 7 * 24 * HOUR_MS;

/** The jobs that every process runs, whatever its role. */
export function apiJobs(app: App): readonly Job[] {
  return [
    {
      name: "watch-clock",
      everyMs: 10 * SECOND_MS,
      run: () => watchClock(app, systemClock.now),
    },
    { name: "write-key-uses", everyMs: 5 * SECOND_MS, run: () => writeKeyUses(app) },
    { name: "write-auth-failures", everyMs: 5 * SECOND_MS, run: () => writeAuthFailures(app) },
    {
      name: "wake-waiting-callers",
      everyMs: SECOND_MS / 2,
      run: () => wakeWaitingCallers(app),
    },
    { name: "refresh-catalogs", everyMs: 5 * MINUTE_MS, run: () => refreshCatalogs(app) },
    {
      name: "renew-lease",
      everyMs: app.durable.leaseRenewedEveryMs,
      run: () => app.durable.renewLease(),
    },
  ];
}

/** The jobs that workers share. Any number of workers can run these jobs at the same time. */
export function workerJobs(app: App): readonly Job[] {
  // A month that was opened or settled too early stays so. A process whose clock is wrong must leave that to others.
  const inTime = (run: () => Promise<void>) => async () => {
    if (app.health.refusal === null) await run();
  };
  const rewrapPosition = {};
  const rotationPosition = {};
  return [
    ...dueWork.map((work) => ({ ...work, name: work.kind, run: () => runDueWork(app, work) })),
    {
      name: "relay-due-messages",
      everyMs: SECOND_MS / 5,
      idleEveryMs: RELAY_IDLE_MS,
      run: () => relayDueMessages(app),
    },
    {
      name: "chain-all-pending-entries",
      everyMs: SECOND_MS / 2,
      idleEveryMs: 2 * SECOND_MS,
      run: () => chainAllPendingEntries(app),
    },
    {
      name: "anchor-audit",
      everyMs: 5 * SECOND_MS,
      run: () => anchorAudit(app),
    },
    {
      name: "take-over-abandoned-workflows",
      everyMs: SECOND_MS,
      run: () => app.durable.takeOverAbandonedWorkflows(),
    },
    {
      name: "start-pending-operations",
      everyMs: 2 * SECOND_MS,
      run: () => startPendingOperations(app),
    },
    {
      name: "escalate-stuck-operations",
      everyMs: 10 * SECOND_MS,
      run: () => escalateStuckOperations(app),
    },
    { name: "turn-months", everyMs: 10 * SECOND_MS, run: inTime(() => turnMonths(app)) },
    {
      name: "change-pending-plans",
      everyMs: 10 * SECOND_MS,
      run: inTime(() => changePendingPlans(app)),
    },
    { name: "settle-due-charges", everyMs: MINUTE_MS, run: inTime(() => settleDueCharges(app)) },
    { name: "bill-projects", everyMs: MINUTE_MS, run: inTime(() => billProjects(app)) },
    { name: "refresh-open-invoices", everyMs: HOUR_MS, run: () => refreshOpenInvoices(app) },
    { name: "refresh-refunds", everyMs: 24 * HOUR_MS, run: () => refreshRefunds(app) },
    {
      name: "continue-kill-switches",
      everyMs: 2 * SECOND_MS,
      run: () => continueKillSwitches(app),
    },
    { name: "expire-approvals", everyMs: 2 * SECOND_MS, run: () => expireApprovals(app) },
    { name: "expire-payments", everyMs: 2 * SECOND_MS, run: inTime(() => expirePayments(app)) },
    {
      name: "cancel-frozen-payments",
      everyMs: 2 * SECOND_MS,
      run: () => cancelFrozenPayments(app),
    },
    { name: "expire-agents", everyMs: 5 * SECOND_MS, run: inTime(() => expireAgents(app)) },
    { name: "expire-kyb", everyMs: MINUTE_MS, run: () => expireKyb(app) },
    { name: "watch-anchor", everyMs: MINUTE_MS, run: () => watchAnchor(app) },
    { name: "remind-of-expiry", everyMs: HOUR_MS, run: () => remindOfExpiry(app) },
    {
      name: "rewrap-data-keys",
      everyMs: MINUTE_MS,
      run: () => rewrapDataKeys(app, rewrapPosition),
    },
    {
      name: "rotate-data-keys",
      everyMs: 5 * MINUTE_MS,
      run: () => rotateDataKeys(app, rotationPosition),
    },
    { name: "check-ledger", everyMs: 5 * MINUTE_MS, run: () => checkLedger(app) },
    { name: "check-inventory", everyMs: 5 * MINUTE_MS, run: () => checkInventory(app) },
    { name: "expire-links", everyMs: HOUR_MS, run: () => expireLinks(app) },
    {
      name: "delete-ended-workflows",
      everyMs: HOUR_MS,
      run: () => app.durable.deleteEndedWorkflows(new Date(systemClock.now().getTime() - WORKFLOW_RETENTION_MS)),
    },
    { name: "revoke-uncollected-keys", everyMs: HOUR_MS, run: () => revokeUncollectedKeys(app) },
    { name: "purge-expired-rows", everyMs: MINUTE_MS, run: () => purgeExpiredRows(app) },
  ];
}
