import { randomBytes, randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { seedApproval } from "../../test/approvals/seed-approval.ts";
import { appendEntries } from "../../test/audit-trail.ts";
import { useHarness } from "../../test/harness.ts";
import { fiatJobCases } from "../../test/jobs/fiat-job-cases.ts";
import { networkJobCases } from "../../test/jobs/network-job-cases.ts";
import { projectJobCases } from "../../test/jobs/project-job-cases.ts";
import { webhookJobCases } from "../../test/jobs/webhook-job-cases.ts";
import { OPERATOR_KEYS, useLocalNetwork } from "../../test/networks/local-network.ts";
import { frozenWallet, waitingPayment } from "../../test/payments/waiting-payment-rows.ts";
import { seedCharge, seedService } from "../../test/project-seeds.ts";
import { createFileKeyEncryptionKey, createKeyring } from "../adapters/key-encryption-key/file-key-encryption-key.ts";
import { systemActor } from "../audit/actors.ts";
import { chainPendingEntries } from "../audit/chains/chain-pending-entries.ts";
import { withTransaction } from "../db/transaction.ts";
import { withConnectionShare } from "../foundation/connection-share.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import { invariant } from "../foundation/invariant.ts";
import { enqueueEmail } from "../outbox/enqueue.ts";
import { openVault, type TenantVault } from "../vault/vault.ts";
import { apiJobs, workerJobs } from "./jobs.ts";
import type { Job } from "./runner.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The tenants whose work fails. Their ids sort before all others. */
const CROWD = "dev_00crowd";

interface Case {
  /** Inserts work of this tenant for the job. */
  readonly seed: (tenantId: TenantId) => Promise<unknown>;
  /** Returns true if the job has done that work. */
  readonly isDone: (tenantId: TenantId) => boolean | Promise<boolean>;
  /**
   * Inserts work of other tenants, as SQL. The job lists this work first, and it is more than the job lists at once.
   */
  readonly crowd?: () => string;
  /** The number of runs in which the job reaches all work. */
  readonly runs?: number;
}

describe("jobs", () => {
  const oldKey = createFileKeyEncryptionKey(randomBytes(32).toString("base64"));
  const base = useLocalNetwork("base");
  const harness = useHarness({
    vendors: true,
    rpcUrlOf: base.rpcUrlOf,
    settings: { dataKeyAgeMaxDays: 100 },
    environment: {
      ...OPERATOR_KEYS,
      get PURSER_RPC_URLS() {
        return base.environment.PURSER_RPC_URLS;
      },
      PURSER_WORKFLOW_LEASE_MS: "1000",
      PURSER_PROVIDER_TIMEOUT_MS: "20000",
    },
    replace: ({ keyEncryptionKey, durable }) => ({
      keyEncryptionKey: createKeyring(keyEncryptionKey, [oldKey]),
      durable: {
        ...durable,
        run: async (name, input, waitMs) => {
          if (input.tenantId.startsWith(CROWD)) throw new Error("the workflow cannot be started");
          await durable.run(name, input, waitMs);
        },
      },
    }),
  });
  const woken = new Set<TenantId>();
  let superuser: Client;

  beforeAll(async () => {
    superuser = new Client({ connectionString: harness.database.superuserUrl });
    await superuser.connect();
    // A superuser's own statements fire no triggers, because of `session_replication_role`.
    await superuser.query(`
      set session_replication_role = replica;
      create function fail_for_crowd() returns trigger language plpgsql as $$ begin
        if coalesce(new.tenant_id, old.tenant_id) like '${CROWD}%' and not exists (select from crowd_works) then
          raise exception 'the work of this tenant fails';
        end if;
        return case when tg_op = 'DELETE' then old else new end;
      end $$;
      create table crowd_works ();
      create table purges (deleted integer);
      create function count_deleted() returns trigger language plpgsql security definer as $$ begin
        insert into purges select count(*) from deleted_rows;
        return null;
      end $$;
      grant select on crowd_works to public;
      do $$ declare target regclass; begin
        for target in select attrelid from pg_attribute join pg_class on pg_class.oid = attrelid
          where attname = 'tenant_id' and relkind = 'r' and relnamespace = 'public'::regnamespace
        loop
          execute format('create trigger fail_for_crowd before insert or update or delete on %s
            for each row execute function fail_for_crowd()', target);
        end loop;
        foreach target in array array['idempotency_records', 'request_signatures', 'events', 'auth_failures',
          'logged_requests', 'sessions', 'refresh_tokens', 'email_tokens', 'login_states', 'mfa_challenges', 'device_authorizations',
          'policy_decisions', 'vendor_events']::regclass[]
        loop
          execute format('create trigger count_deleted after delete on %s referencing old table as deleted_rows
            for each statement execute function count_deleted()', target);
        end loop;
      end $$`);
  });
  afterAll(() => superuser.end());

  const insert = (text: string) => superuser.query(text);
  const finds = async (text: string) => ((await superuser.query(text)).rowCount ?? 0) > 0;
  const of = (tenantId: TenantId) => `where tenant_id = '${tenantId}'`;
  const isGone = (table: string) => async (tenantId: TenantId) =>
    !(await finds(`select from ${table} ${of(tenantId)}`));
  const hasRow =
    (table: string, condition = "true") =>
    (tenantId: TenantId) =>
      finds(`select from ${table} ${of(tenantId)} and ${condition}`);

  /** Returns the SQL text of the time that is this many seconds away. */
  const at = (seconds: number) =>
    `'${new Date(harness.clock.now().getTime() + seconds * 1_000).toISOString()}'::timestamptz`;
  const text = () => `'${randomUUID()}'`;
  /** Returns an insert of `count` rows. In `values`, `n` is the row's number. */
  const rows = (count: number, table: string, values: Readonly<Record<string, string>>) =>
    `insert into ${table} (${Object.keys(values)}) select ${Object.values(values)}
     from (select lpad(i::text, 5, '0') as n, '${CROWD}' || lpad(i::text, 5, '0') as crowd
       from generate_series(1, ${count}) as i) as numbers;`;
  const row = (table: string, values: Readonly<Record<string, string>>) => insert(rows(1, table, values));

  const append = (tenantId: TenantId) => appendEntries(harness.app.db, { tenantId, chain: "tenant" }, { count: 2 });
  const chain = async (tenantId: TenantId) => {
    await append(tenantId);
    await chainPendingEntries(harness.app.db, { tenantId, chain: "tenant" });
  };
  const linked = (tenant: string, id: string) => ({
    ...{ tenant_id: tenant, link_id: id, project_id: "'proj_seeded'", mode: "'live'" },
    ...{ provider: "'neon'", flow: "'api_token'", status: "'linked'" },
    ...{ created_at: at(-DAY), updated_at: at(-DAY), expires_at: at(-DAY) },
  });
  const operation = (tenant: string, id: string) => ({
    tenant_id: tenant,
    operation_id: id,
    project_id: "'proj_seeded'",
    mode: "'live'",
    type: "'service.remove'",
    subject_type: "'project'",
    subject_id: "'proj_seeded'",
    status: "'running'",
    actor: `'{"tenantId":"","mode":"live","actor":{"type":"system","id":"purser","key_id":null,"ip":null},"requestId":null}'`,
    created_at: at(0),
    updated_at: at(0),
  });
  const killSwitch = (tenant: string, updatedAt: string) => ({
    tenant_id: tenant,
    kill_switch_id: "'kill_seeded'",
    mode: "'test'",
    scope: "'agent'",
    target_id: "gen_random_uuid()",
    reason: "'seeded'",
    onchain: "true",
    rotate_env: "true",
    status: "'running'",
    triggered_by: `'{"type":"system","id":"purser"}'`,
    actor: `'{"type":"system","id":"purser","key_id":null,"ip":null}'`,
    created_at: updatedAt,
    updated_at: updatedAt,
  });
  const expiringAgent = (tenant: string, expiresAt: string) => ({
    tenant_id: tenant,
    agent_id: "gen_random_uuid()",
    mode: "'live'",
    name: "'a'",
    status: "'active'",
    expires_at: expiresAt,
    created_at: at(-DAY),
    updated_at: at(-DAY),
  });
  const workflow = (id: string, status: string) => ({
    workflow_uuid: id,
    status: `'${status}'`,
    name: "'service.remove'",
    executor_id: "'gone'",
    application_version: "'1'",
    created_at: "0",
    updated_at: "0",
    completed_at: "1",
    inputs: `'${JSON.stringify({ positionalArgs: [{}] })}'`,
  });
  const operationOf = (tenantId: TenantId) => tenantId.replace("dev_", "op_");
  const workflowOf = (tenantId: TenantId, condition: string) =>
    finds(`select from dbos.workflow_status where workflow_uuid = '${operationOf(tenantId)}' and ${condition}`);

  const idempotencyRecord = (tenant: string, expiresAt: string) => ({
    tenant_id: tenant,
    mode: "'live'",
    method: "'POST'",
    route: "'/projects'",
    idempotency_key: "gen_random_uuid()",
    fingerprint: "''",
    state: "'in_flight'",
    lease_expires_at: expiresAt,
    created_at: expiresAt,
    expires_at: expiresAt,
  });
  const loggedRequest = (tenant: string, createdAt: string) => ({
    ...{ tenant_id: tenant, request_id: "gen_random_uuid()", key_id: "'key_seeded'", mode: "'live'", method: "'GET'" },
    ...{ path: "'/'", status: "200", duration_ms: "1", created_at: createdAt },
  });
  const authFailure = (tenant: string, lastAt: string) => ({
    ...{ tenant_id: tenant, failure_id: "gen_random_uuid()", key_id: "'key_seeded'", mode: "'live'", step: "5" },
    ...{ reason: "'signature_mismatch'", network: "'192.0.2.0/24'", count: "1", request_id: "'req_seeded'" },
    ...{ first_at: lastAt, last_at: lastAt },
  });
  const session = (tenant: string, id: string, expiresAt: string) => ({
    tenant_id: tenant,
    session_id: id,
    created_at: expiresAt,
    last_used_at: expiresAt,
    expires_at: expiresAt,
  });
  const refreshToken = (tenant: string, sessionId: string) => ({
    token_hash: "gen_random_uuid()",
    tenant_id: tenant,
    session_id: sessionId,
    issued_at: at(-40 * DAY),
  });
  const deviceLogin = (tenant: string, status: string, expiresAt: string) => ({
    device_code_hash: "gen_random_uuid()",
    user_code_hash: "gen_random_uuid()",
    client_name: "'cli'",
    scopes: "'{}'",
    status: `'${status}'`,
    tenant_id: tenant,
    poll_interval_seconds: "5",
    expires_at: expiresAt,
    created_at: expiresAt,
  });
  const challenge = (tenant: string) => ({
    token_hash: "gen_random_uuid()",
    tenant_id: tenant,
    method: "'password'",
    expires_at: at(-1),
    created_at: at(-1),
  });
  const emailToken = (tenant: string) => ({
    token_hash: "gen_random_uuid()",
    tenant_id: tenant,
    purpose: "'verify_email'",
    email: "'a@example.com'",
    expires_at: at(-1),
    created_at: at(-1),
  });
  const loginState = (id: string) => ({
    state_hash: id,
    provider: "'github'",
    browser_hash: "''",
    redirect_uri: "''",
    expires_at: at(-1),
    created_at: at(-1),
  });
  const providerKeys = (tenant: string, expiresAt: string) => ({
    tenant_id: tenant,
    mode: "'live'",
    provider: "'helius'",
    version: "1",
    configured: "true",
    verification_status: "'verified'",
    expires_at: expiresAt,
    updated_by: "'developer'",
    created_at: at(-DAY),
    updated_at: at(-DAY),
  });
  const dataKey = (tenant: string, id: string, createdAt: string) =>
    rows(100, "tenant_data_keys", {
      tenant_id: tenant,
      version: "1",
      key_encryption_key_id: id,
      wrapped: "'\\x00'",
      created_at: createdAt,
    }) +
    rows(100, "data_key_wrappings", {
      tenant_id: tenant,
      version: "1",
      key_encryption_key_id: id,
      created_at: createdAt,
    });
  const dueWork = (tenant: string, kind: string, subject: string, dueAt: string) => ({
    tenant_id: tenant,
    kind: `'${kind}'`,
    subject,
    due_at: dueAt,
    first_due_at: dueAt,
  });
  const event = (tenant: string, occurredAt: string) => ({
    tenant_id: tenant,
    event_id: "'evt_' || n",
    mode: "'live'",
    type: "'test.event'",
    subject_type: "'test'",
    subject_id: "'test'",
    sequence: "n::integer",
    data: "'{}'",
    actor: "'{}'",
    occurred_at: occurredAt,
  });
  const decision = (tenant: string, decidedAt: string) => ({
    tenant_id: tenant,
    decision_id: "'pdc_' || n",
    mode: "'live'",
    agent_id: "gen_random_uuid()",
    operation: "'payment'",
    facts: "'{}'",
    outcome: "'allow'",
    decided_at: decidedAt,
  });
  const signature = (tenant: string, expiresAt: string) => ({
    tenant_id: tenant,
    signature_hash: "n",
    expires_at: expiresAt,
  });
  const budget = (tenant: string) => ({
    tenant_id: tenant,
    budget_id: "'project_cap:proj_none'",
    mode: "'live'",
    subject_type: "'project_cap'",
    subject_id: "'proj_none'",
    name: "''",
    period: "'calendar_month'",
    opened_period_start: at(-99 * DAY),
  });
  const charge = (tenant: string) => ({
    tenant_id: tenant,
    charge_id: "n",
    project_id: "'proj_none'",
    mode: "'live'",
    service_id: "'srv_none'",
    provider: "'neon'",
    type: "'subscription'",
    description: "''",
    amount_cents: "0",
    currency: "'usd'",
    status: "'reserved'",
    occurred_at: at(-99 * DAY),
    period_start: at(-99 * DAY),
    period_end: at(-98 * DAY),
  });
  /** A service, and the charge that was reserved for it in an earlier month. */
  const seedReservedService = async (tenantId: TenantId, plan = "free") => {
    const key = { tenantId, projectId: `proj_${tenantId}` };
    await row("projects", {
      tenant_id: `'${tenantId}'`,
      project_id: `'${key.projectId}'`,
      mode: "'live'",
      name: "''",
      name_key: "''",
      slug: "''",
      status: "'active'",
      monthly_cap_cents: "0",
      currency: "'usd'",
      cap_behavior: "'block'",
      environments: "'{}'",
      created_at: at(-40 * DAY),
      updated_at: at(-40 * DAY),
    });
    const serviceId = await seedService(harness.app, { ...key, plan });
    const occurredAt = new Date(harness.clock.now().getTime() - 32 * DAY * 1_000);
    await seedCharge(harness.app, {
      ...key,
      serviceId,
      occurredAt,
      amountCents: 0n,
      status: "reserved",
    });
  };

  const failingCharge = charge("crowd");
  const fiatCases = fiatJobCases(harness, { at, row, rows, finds, dueWork, oldKey });
  const billing = projectJobCases(harness, { at, row, rows, finds, failingCharge, dueWork });
  beforeAll(() => billing.callProcessorOnce(), 60_000);

  const cases: Readonly<Record<string, Case>> = {
    "watch-clock": {
      seed: async () => {
        harness.app.health.refusal = "the clocks differ";
      },
      isDone: () => harness.app.health.refusal === null,
    },
    "write-key-uses": {
      seed: async (tenantId) => (await harness.seedKey(tenantId)).get("/developers/me"),
      isDone: hasRow("api_keys", "last_used_at is not null"),
    },
    "write-auth-failures": {
      seed: async (tenantId) => (await harness.seedKey(tenantId)).get("/projects", { signature: "0".repeat(64) }),
      isDone: hasRow("auth_failures"),
    },
    "write-request-log": {
      seed: async (tenantId) => (await harness.seedKey(tenantId)).get("/developers/me"),
      isDone: hasRow("logged_requests"),
    },
    "wake-waiting-callers": {
      seed: async (tenantId) => {
        const approvalId = await seedApproval(harness.app, tenantId, { seconds: -1 });
        const place = { waitMs: HOUR * 1_000, left: new AbortController().signal };
        const waiting = harness.app.waitingCallers.enter({ tenantId, approvalId }, place);
        void waiting?.then(() => woken.add(tenantId));
      },
      isDone: (tenantId) => woken.has(tenantId),
    },
    "renew-lease": {
      seed: () => insert("delete from workflow_executors"),
      isDone: () => finds("select from workflow_executors where executor_id = 'harness'"),
    },
    "relay-due-messages": {
      seed: (tenantId) =>
        withTransaction(harness.app.db, tenantId, (tx) =>
          enqueueEmail(tx, systemActor({ tenantId }), {
            messageId: newId("mail"),
            template: "password_changed",
            to: `${tenantId}@example.com`,
            sealedToken: null,
            createdAt: harness.clock.now(),
          }),
        ),
      isDone: (tenantId) => harness.mails.some(({ to }) => to === `${tenantId}@example.com`),
    },
    "chain-all-pending-entries": {
      seed: append,
      isDone: hasRow("audit_links"),
      crowd: () =>
        rows(1_001, "audit_entries", {
          tenant_id: "crowd",
          audit_id: "'aud_' || n",
          chain: "'tenant'",
          mode: "'live'",
          actor: "'{}'",
          action: "'note.written'",
          subject: "'{}'",
          facts: "'{}'",
          occurred_at: at(0),
        }) +
        rows(1_001, "audit_pending", {
          tenant_id: "crowd",
          audit_id: "'aud_' || n",
          chain: "'tenant'",
        }),
    },
    "anchor-audit": {
      seed: chain,
      isDone: hasRow("audit_anchorings"),
      crowd: () =>
        rows(1_001, "audit_heads", {
          tenant_id: "crowd",
          chain: "'tenant'",
          sequence: "1",
          hash: "''",
        }),
    },
    "take-over-abandoned-workflows": {
      seed: async (tenantId) => row("dbos.workflow_status", workflow(`'${operationOf(tenantId)}'`, "PENDING")),
      isDone: (tenantId) => workflowOf(tenantId, "executor_id <> 'gone' or status <> 'PENDING'"),
    },
    "start-pending-operations": {
      seed: async (tenantId) => {
        await row("operations", operation(`'${tenantId}'`, `'${operationOf(tenantId)}'`));
        harness.clock.advanceSeconds(4);
      },
      isDone: (tenantId) => workflowOf(tenantId, "true"),
      crowd: () => rows(101, "operations", operation("crowd", "'op_' || n")),
    },
    "escalate-stuck-operations": {
      seed: async (tenantId) => {
        const id = `'${operationOf(tenantId)}'`;
        await row("operations", operation(`'${tenantId}'`, id));
        await row("dbos.workflow_status", workflow(id, "ERROR"));
        harness.clock.advanceSeconds(2 * MINUTE);
      },
      isDone: hasRow("operations", "status = 'needs_operator'"),
      crowd: () =>
        rows(101, "operations", operation("crowd", "'op_' || n")) +
        rows(101, "dbos.workflow_status", workflow("'op_' || n", "ERROR")),
    },
    "open-months": {
      seed: (tenantId) => seedReservedService(tenantId, "launch"),
      isDone: (tenantId) => hasRow("charges", `period_end > ${at(0)}`)(tenantId),
      crowd: () => rows(101, "budgets", budget("crowd")),
    },
    "settle-due-charges": {
      seed: (tenantId) => seedReservedService(tenantId),
      isDone: hasRow("charges", "status = 'succeeded'"),
      crowd: () => rows(101, "charges", charge("crowd")),
    },
    ...billing.cases,
    ...fiatCases,
    ...networkJobCases(harness, base),
    ...webhookJobCases(harness),
    "expire-approvals": {
      seed: async (tenantId) => seedApproval(harness.app, tenantId, { seconds: -1 }),
      isDone: hasRow("approvals", "status = 'expired'"),
      crowd: () =>
        rows(501, "approvals", {
          tenant_id: "crowd",
          approval_id: "n",
          mode: "'live'",
          status: "'pending'",
          subject_type: "'test'",
          subject_id: "n",
          summary: "'{}'",
          rules: "'[]'",
          requested_by: "'{}'",
          approvers: "'{}'",
          token_hash: "n",
          expires_at: at(-HOUR),
          created_at: at(-DAY),
          updated_at: at(-DAY),
        }),
    },
    "continue-kill-switches": {
      seed: (tenantId) => row("kill_switches", killSwitch(`'${tenantId}'`, at(-10))),
      isDone: hasRow("kill_switches", "status = 'completed'"),
      crowd: () => rows(101, "kill_switches", killSwitch("crowd", at(-HOUR))),
    },
    "expire-payments": {
      seed: (tenantId) => row("payments", waitingPayment(`'${tenantId}'`, at(-1))),
      isDone: hasRow("payments", "status = 'expired'"),
      crowd: () => rows(501, "payments", waitingPayment("crowd", at(-HOUR))),
    },
    "cancel-frozen-payments": {
      seed: async (tenantId) => {
        await row("wallets", frozenWallet(`'${tenantId}'`));
        await row("payments", waitingPayment(`'${tenantId}'`, at(HOUR)));
      },
      isDone: hasRow("payments", "status = 'canceled'"),
      crowd: () =>
        rows(501, "wallets", frozenWallet("crowd")) + rows(501, "payments", waitingPayment("crowd", at(HOUR))),
    },
    "expire-agents": {
      seed: (tenantId) => row("agents", expiringAgent(`'${tenantId}'`, at(-1))),
      isDone: hasRow("agents", "status = 'expired'"),
      crowd: () => rows(101, "agents", expiringAgent("crowd", at(-HOUR))),
    },
    "expire-kyb": {
      seed: (tenantId) =>
        insert(`update developers set kyb_status = 'verified', kyb_expires_at = ${at(-1)} ${of(tenantId)}`),
      isDone: hasRow("developers", "kyb_status = 'expired'"),
      crowd: () =>
        rows(101, "developers", {
          tenant_id: "crowd",
          email: "n",
          status: "'active'",
          kyb_status: "'verified'",
          kyb_expires_at: at(-HOUR),
          created_at: at(-DAY),
          updated_at: at(-DAY),
        }),
    },
    "watch-anchor": {
      seed: async (tenantId) => {
        harness.logLines.length = 0;
        await chain(tenantId);
      },
      isDone: () => harness.logLines.some((line) => line.includes("have not been anchored")),
    },
    "remind-of-expiry": {
      seed: (tenantId) => row("provider_keys", providerKeys(`'${tenantId}'`, at(12 * HOUR))),
      isDone: hasRow("provider_keys", "reminded_days = 1"),
      crowd: () => rows(501, "provider_keys", providerKeys("crowd", at(HOUR))),
    },
    "rewrap-data-keys": {
      seed: (tenantId) => {
        const vaults = new LRUCache<TenantId, TenantVault>({ max: 1 });
        return openVault({ ...harness.app, keyEncryptionKey: oldKey, vaults }, tenantId);
      },
      isDone: (tenantId) =>
        hasRow("data_key_wrappings", `key_encryption_key_id = '${harness.app.keyEncryptionKey.id}'`)(tenantId),
      crowd: () => dataKey("crowd", "'0 unknown'", at(-DAY)),
      runs: 2,
    },
    "rotate-data-keys": {
      seed: async (tenantId) => {
        await openVault(harness.app, tenantId);
        harness.clock.advanceSeconds(101 * DAY);
      },
      isDone: hasRow("data_key_wrappings", "version = 2"),
      crowd: () => dataKey("crowd", `'${harness.app.keyEncryptionKey.id}'`, at(-999 * DAY)),
      runs: 12,
    },
    "check-ledger": {
      seed: async (tenantId) => {
        await row("money_checks", { tenant_id: `'${tenantId}'`, checked_at: at(-2 * HOUR) });
        await row("budget_periods", {
          tenant_id: `'${tenantId}'`,
          budget_id: "'project_cap:proj_none'",
          period_start: at(0),
          held_micros: "1",
          spent_micros: "0",
          changed_at: at(0),
        });
      },
      isDone: hasRow("audit_entries", "action = 'budget.difference_found'"),
      crowd: () => rows(101, "money_checks", { tenant_id: "crowd", checked_at: at(-DAY) }),
    },
    "check-inventory": {
      seed: (tenantId) => row("provider_links", linked(`'${tenantId}'`, "'lnk_seeded'")),
      isDone: hasRow("provider_links", "inventory_checked_at is not null"),
      crowd: () => rows(101, "provider_links", linked("crowd", "n")),
    },
    "notify-grace-endings": {
      seed: async (tenantId) => {
        const graceExpiresAt = new Date(harness.clock.now().getTime() + HOUR * 1_000);
        const { keyId } = await harness.seedKey(tenantId, { graceExpiresAt });
        await row("due_work", dueWork(`'${tenantId}'`, "notify-grace-endings", `'${keyId}'`, at(0)));
      },
      isDone: isGone("due_work"),
      crowd: () => rows(1_001, "due_work", dueWork("crowd", "notify-grace-endings", "n", at(-1))),
    },
    "purge-expired-rows: auth_failures": {
      seed: (tenantId) => row("auth_failures", authFailure(`'${tenantId}'`, at(-31 * DAY))),
      isDone: isGone("auth_failures"),
      crowd: () => rows(5_001, "auth_failures", authFailure(`'${CROWD}'`, at(-32 * DAY))),
    },
    "expire-links": {
      seed: async (tenantId) =>
        row("link_states", {
          state_hash: text(),
          tenant_id: `'${tenantId}'`,
          link_id: "'lnk_seeded'",
          expires_at: at(-1),
        }),
      isDone: isGone("link_states"),
      crowd: () =>
        rows(1_001, "link_states", {
          state_hash: "n",
          tenant_id: "crowd",
          link_id: "n",
          expires_at: at(-HOUR),
        }),
    },
    "delete-ended-workflows": {
      seed: (tenantId) => row("dbos.workflow_status", workflow(`'${operationOf(tenantId)}'`, "SUCCESS")),
      isDone: async (tenantId) => !(await workflowOf(tenantId, "true")),
    },
    "purge-expired-rows: idempotency_records": {
      seed: (tenantId) => row("idempotency_records", idempotencyRecord(`'${tenantId}'`, at(-1))),
      isDone: isGone("idempotency_records"),
      crowd: () => rows(5_001, "idempotency_records", idempotencyRecord(`'${CROWD}'`, at(-HOUR))),
    },
    "purge-expired-rows: request_signatures": {
      seed: (tenantId) => row("request_signatures", signature(`'${tenantId}'`, at(-1))),
      isDone: isGone("request_signatures"),
      crowd: () => rows(5_001, "request_signatures", signature(`'${CROWD}'`, at(-HOUR))),
    },
    "purge-expired-rows: events": {
      seed: (tenantId) => row("events", event(`'${tenantId}'`, at(-31 * DAY))),
      isDone: isGone("events"),
      crowd: () => rows(5_001, "events", event(`'${CROWD}'`, at(-32 * DAY))),
    },
    "purge-expired-rows: policy_decisions": {
      seed: (tenantId) => row("policy_decisions", decision(`'${tenantId}'`, at(-32 * DAY))),
      isDone: isGone("policy_decisions"),
      crowd: () => rows(5_001, "policy_decisions", decision(`'${CROWD}'`, at(-33 * DAY))),
    },
    "purge-expired-rows: login_states": {
      seed: (tenantId) => row("login_states", loginState(`'${tenantId}'`)),
      isDone: async (tenantId) => !(await finds(`select from login_states where state_hash = '${tenantId}'`)),
    },
    "purge-expired-rows: mfa_challenges": {
      seed: (tenantId) => row("mfa_challenges", challenge(`'${tenantId}'`)),
      isDone: isGone("mfa_challenges"),
    },
    "purge-expired-rows: email_tokens": {
      seed: (tenantId) => row("email_tokens", emailToken(`'${tenantId}'`)),
      isDone: isGone("email_tokens"),
    },
    "purge-expired-rows: sessions": {
      seed: async (tenantId) => {
        await row("sessions", session(`'${tenantId}'`, "'ses_1'", at(-8 * DAY)));
        await row("sessions", {
          ...session(`'${tenantId}'`, "'ses_2'", at(DAY)),
          revoked_at: at(-8 * DAY),
        });
        await row("refresh_tokens", refreshToken(`'${tenantId}'`, "'ses_1'"));
      },
      isDone: isGone("sessions"),
      crowd: () => rows(5_001, "sessions", session(`'${CROWD}'`, "n", at(-9 * DAY))),
    },
    "purge-expired-rows: device_authorizations": {
      seed: (tenantId) => row("device_authorizations", deviceLogin(`'${tenantId}'`, "denied", at(-2 * HOUR))),
      isDone: isGone("device_authorizations"),
    },
    "revoke-uncollected-keys": {
      seed: async (tenantId) => {
        const { keyId } = await harness.seedKey(tenantId);
        const approved = deviceLogin(`'${tenantId}'`, "approved", at(-2 * HOUR));
        await row("device_authorizations", { ...approved, key_id: `'${keyId}'` });
      },
      isDone: isGone("device_authorizations"),
      crowd: () =>
        rows(101, "device_authorizations", {
          ...deviceLogin("crowd", "approved", at(-3 * HOUR)),
          key_id: "'key_none'",
        }),
    },
  };

  let jobs: readonly Job[] = [];
  beforeAll(() => {
    jobs = [...apiJobs(harness.app), ...workerJobs(harness.app)];
  });
  /** A job that does several kinds of work has a case for each, named after the job and the kind. */
  const jobOf = (name: string) => name.split(":")[0] ?? name;
  const run = async (name: string) => {
    const job = jobs.find((one) => one.name === jobOf(name));
    invariant(job !== undefined, `the job ${name} exists`);
    await withConnectionShare({ pool: "jobs", owner: name }, () => job.run());
  };
  const caseOf = (name: string) => {
    const found = cases[name];
    invariant(found !== undefined, `the job ${name} has a case`);
    return found;
  };
  const isDoneFor = (name: string, tenants: readonly TenantId[]) =>
    Promise.all(tenants.map((tenantId) => caseOf(name).isDone(tenantId)));

  it("each job has a case", () => {
    expect(jobs.map(({ name }) => name).sort()).toEqual([...new Set(Object.keys(cases).map(jobOf))].sort());
  });

  it.each(Object.keys(cases))("%s: does the work of two tenants", async (name) => {
    const tenants = [await harness.seedDeveloper(), await harness.seedDeveloper()];
    for (const tenantId of tenants) await caseOf(name).seed(tenantId);
    expect(await isDoneFor(name, tenants)).toEqual([false, false]);

    // Workflows are taken over only by a process whose lease has been valid for some time.
    const attempt = async () => {
      if (name === "take-over-abandoned-workflows") await run("renew-lease");
      await run(name);
      return isDoneFor(name, tenants);
    };

    await expect.poll(attempt, { timeout: 5_000 }).toEqual([true, true]);
  });

  const crowded = Object.keys(cases).filter((name) => caseOf(name).crowd !== undefined);

  it.each(crowded)("%s: does a tenant's work behind the work of tenants that fails", async (name) => {
    const { seed, crowd = () => "", runs = 1 } = caseOf(name);
    onTestFinished(deleteCrowd);
    await insert(crowd());
    const tenantId = await harness.seedDeveloper();
    await seed(tenantId);

    for (let number = 1; number <= runs; number += 1) await run(name).catch(() => {});

    // A workflow may start shortly after the job's run.
    await expect.poll(() => isDoneFor(name, [tenantId]), { timeout: 5_000 }).toEqual([true]);
  });

  async function deleteCrowd(): Promise<void> {
    const tables = await superuser.query<{ name: string }>(
      "select event_object_table as name from information_schema.triggers where trigger_name = 'fail_for_crowd'",
    );
    for (const { name } of tables.rows) {
      await insert(`delete from ${name} where tenant_id like '${CROWD}%'`);
    }
    await insert("delete from dbos.workflow_status where workflow_uuid like 'op_0%' and executor_id = 'gone'");
  }

  it.each([
    ["auth_failures", () => authFailure(`'${CROWD}'`, at(-32 * DAY))],
    ["logged_requests", () => loggedRequest(`'${CROWD}'`, at(-32 * DAY))],
    ["idempotency_records", () => idempotencyRecord(`'${CROWD}'`, at(-1))],
    ["request_signatures", () => signature(`'${CROWD}'`, at(-1))],
    ["events", () => event(`'${CROWD}'`, at(-32 * DAY))],
    ["policy_decisions", () => decision(`'${CROWD}'`, at(-32 * DAY))],
    ["login_states", () => loginState("n")],
    ["mfa_challenges", () => challenge("crowd")],
    ["vendor_events", () => billing.oldEvent()],
    ["email_tokens", () => emailToken("crowd")],
    ["sessions", () => session(`'${CROWD}'`, "n", at(-9 * DAY))],
    ["device_authorizations", () => deviceLogin("crowd", "denied", at(-2 * HOUR))],
  ])("purge-expired-rows: deletes all %s in one run, and at most 5,000 rows at once", async (table, values) => {
    await insert(`insert into crowd_works default values; truncate purges; delete from ${table}`);
    await insert(rows(10_001, table, values()));
    if (table === "sessions") {
      await insert(rows(10_001, "refresh_tokens", refreshToken(`'${CROWD}'`, "'00001'")));
    }

    await run("purge-expired-rows");

    expect(await finds(`select from ${table}`)).toBe(false);
    const { rows: purges } = await superuser.query("select max(deleted) as largest from purges");
    expect(purges).toEqual([{ largest: 5_000 }]);
    await insert("truncate crowd_works");
  });
});
