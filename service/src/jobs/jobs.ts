import type { App } from "../app.ts";
import { chainAllPendingEntries } from "../audit/chains/chain-pending-entries.ts";
import { watchAnchor } from "../audit/checkpoints/checkpoints.ts";
import { purgeExpiredRows } from "../due-work/retention/purge-expired-rows.ts";
import { runDueWork } from "../due-work/run-due-work.ts";
import { systemClock } from "../foundation/clock.ts";
import { wakeWaitingCallers } from "../modules/approvals/get-approval.ts";
import { refreshCatalogs } from "../modules/catalog/browse-catalog.ts";
import { refreshRefunds } from "../modules/charges/invoices/apply-invoice.ts";
import { billProjects, refreshOpenInvoices } from "../modules/charges/invoices/invoices.ts";
import { openNewMonths } from "../modules/charges/open-months.ts";
import { settleDueCharges } from "../modules/charges/settle-due-charges.ts";
import { writeAuthFailures } from "../modules/developers/auth-failures/write-auth-failures.ts";
import { revokeUncollectedKeys } from "../modules/developers/device-login/device-login.ts";
import { writeKeyUses } from "../modules/developers/keys/write-key-uses.ts";
import { expireKyb } from "../modules/developers/kyb/kyb-status.ts";
import { writeRequestLog } from "../modules/developers/request-log/request-log.ts";
import { cancelFrozenConversions } from "../modules/fiat/conversions/end-conversion.ts";
import { watchClock } from "../modules/health/health.ts";
import { expireLinks } from "../modules/links/links.ts";
import { cancelFrozenPayments, expirePayments } from "../modules/payments/end-waiting-payments.ts";
import { remindOfExpiry } from "../modules/provider-keys/remind-of-expiry.ts";
import { type FollowedLog, scheduleWebhooks } from "../modules/webhooks/schedule-deliveries.ts";
import { rewrapDataKeys } from "../vault/rewrap-data-keys.ts";
import { expireAgents } from "../workflows/agents/agents.ts";
import { anchorAudit } from "../workflows/anchor-audit.ts";
import { checkInventory } from "../workflows/check-inventory.ts";
import { checkLedger } from "../workflows/check-ledger.ts";
import { expireApprovals } from "../workflows/decide-approval/decide-approval.ts";
import { dueWork } from "../workflows/due-work.ts";
import { continueKillSwitches } from "../workflows/kill-switch/kill-switch.ts";
import { checkChainBalances } from "../workflows/networks/check-chain-balances.ts";
import { superviseNetworks } from "../workflows/networks/supervise-networks.ts";
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

/** Returns a function that makes a job of a function of the app. */
function jobsOf(app: App) {
  return (name: string, everyMs: number, run: (app: App) => Promise<unknown>): Job => ({
    name,
    everyMs,
    run: () => run(app),
  });
}

/** The jobs that every process runs, whatever its role. */
export function apiJobs(app: App): readonly Job[] {
  const job = jobsOf(app);
  return [
    job("watch-clock", 10 * SECOND_MS, () => watchClock(app, systemClock.now)),
    job("write-key-uses", 5 * SECOND_MS, writeKeyUses),
    job("write-auth-failures", 5 * SECOND_MS, writeAuthFailures),
    job("write-request-log", SECOND_MS, writeRequestLog),
    job("wake-waiting-callers", SECOND_MS / 2, wakeWaitingCallers),
    job("follow-events", SECOND_MS / 5, () => app.eventFeed.follow(app)),
    job("refresh-catalogs", 5 * MINUTE_MS, refreshCatalogs),
    job("renew-lease", app.durable.leaseRenewedEveryMs, () => app.durable.renewLease()),
  ];
}

/** The jobs that workers share. Any number of workers can run these jobs at the same time. */
export function workerJobs(app: App): readonly Job[] {
  const job = jobsOf(app);
  // A month that was opened or settled too early stays so. A process whose clock is wrong must leave that to others.
  const inTime: typeof job = (name, everyMs, run) =>
    job(name, everyMs, async () => {
      if (app.health.refusal === null) await run(app);
    });
  const { piiDb } = app;
  const rewrapPosition = {};
  const piiPosition = {};
  const rotationPosition = {};
  const followed: FollowedLog = { seenAgain: [] };
  const anchorings = { running: new Map(), failed: [] };
  return [
    ...dueWork.map((work) => ({
      ...work,
      name: work.kind,
      run: (stopping?: AbortSignal) => runDueWork(app, work, stopping),
    })),
    job("schedule-webhooks", SECOND_MS / 10, () => scheduleWebhooks(app, followed)),
    { ...job("relay-due-messages", SECOND_MS / 5, relayDueMessages), idleEveryMs: RELAY_IDLE_MS },
    { ...job("chain-all-pending-entries", SECOND_MS / 2, chainAllPendingEntries), idleEveryMs: 2 * SECOND_MS },
    job("anchor-audit", 5 * SECOND_MS, () => anchorAudit(app, anchorings)),
    job("take-over-abandoned-workflows", SECOND_MS, () => app.durable.takeOverAbandonedWorkflows()),
    job("start-pending-operations", 2 * SECOND_MS, startPendingOperations),
    job("escalate-stuck-operations", 10 * SECOND_MS, escalateStuckOperations),
    inTime("open-months", 10 * SECOND_MS, openNewMonths),
    inTime("change-pending-plans", 10 * SECOND_MS, changePendingPlans),
    inTime("settle-due-charges", MINUTE_MS, settleDueCharges),
    inTime("bill-projects", MINUTE_MS, billProjects),
    job("refresh-open-invoices", HOUR_MS, refreshOpenInvoices),
    job("refresh-refunds", 24 * HOUR_MS, refreshRefunds),
    job("continue-kill-switches", 2 * SECOND_MS, continueKillSwitches),
    job("expire-approvals", 2 * SECOND_MS, expireApprovals),
    inTime("expire-payments", 2 * SECOND_MS, expirePayments),
    job("cancel-frozen-payments", 2 * SECOND_MS, cancelFrozenPayments),
    job("cancel-frozen-conversions", 5 * SECOND_MS, cancelFrozenConversions),
    inTime("expire-agents", 5 * SECOND_MS, expireAgents),
    job("expire-kyb", MINUTE_MS, expireKyb),
    job("watch-anchor", MINUTE_MS, watchAnchor),
    job("remind-of-expiry", HOUR_MS, remindOfExpiry),
    job("rewrap-data-keys", MINUTE_MS, () => rewrapDataKeys(app, rewrapPosition)),
    ...(piiDb === null
      ? []
      : [job("rewrap-pii-keys", HOUR_MS, () => rewrapDataKeys({ ...app, db: piiDb }, piiPosition))]),
    job("rotate-data-keys", 5 * MINUTE_MS, () => rotateDataKeys(app, rotationPosition)),
    job("check-ledger", 5 * MINUTE_MS, checkLedger),
    job("check-inventory", 5 * MINUTE_MS, checkInventory),
    job("supervise-networks", MINUTE_MS, superviseNetworks),
    job("check-chain-balances", 5 * MINUTE_MS, checkChainBalances),
    job("expire-links", HOUR_MS, expireLinks),
    job("delete-ended-workflows", HOUR_MS, () =>
      app.durable.deleteEndedWorkflows(new Date(systemClock.now().getTime() - WORKFLOW_RETENTION_MS)),
    ),
    job("revoke-uncollected-keys", HOUR_MS, revokeUncollectedKeys),
    job("purge-expired-rows", MINUTE_MS, purgeExpiredRows),
  ];
}
