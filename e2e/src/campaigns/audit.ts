import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createFileAuditAnchor } from "@purser/service/adapters/audit-anchor/file-audit-anchor.ts";
import type { App } from "@purser/service/app.ts";
import { chainAllPendingEntries } from "@purser/service/audit/chains/chain-pending-entries.ts";
import { type ChainVerification, verifyChain } from "@purser/service/audit/chains/verify.ts";
import { checkpointDue, type FailedAnchoring } from "@purser/service/audit/checkpoints/checkpoint.ts";
import { newSecrets } from "@purser/service/config/new-secrets.ts";
import { createStatementSigner } from "@purser/service/crypto/statement-signer.ts";
import { openDatabase } from "@purser/service/db/database.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { systemClock } from "@purser/service/foundation/clock.ts";
import { newId, type TenantId } from "@purser/service/foundation/ids.ts";
import { discardResponse } from "@purser/service/idempotency/claim.ts";
import { insertDeveloper } from "@purser/service/modules/developers/queries.ts";
import { createProject } from "@purser/service/modules/projects/projects.ts";
import { Client } from "pg";

const TENANTS = 2;
const CHAINERS = 2;
const PAUSE_MS = 20;
const VERIFY_PAUSE_MS = 200;
const PROGRESS_PAUSE_MS = 2_000;

export interface AuditCampaign {
  /** URL that connects with the server's database role. */
  readonly databaseUrl: string;
  readonly writers: number;
  readonly mutationsEach: number;
  readonly onProgress: (message: string) => void;
}

export interface AuditFigures {
  readonly mutations: number;
  readonly mutationsPerSecond: number;
  /** Number of successful verifications while the writers were running. */
  readonly verifications: number;
  readonly checkpoints: number;
  /** Duration of the slowest verification of a tenant's chain after all writers have ended. */
  readonly verifyMs: number;
}

type AuditApp = Pick<App, "db" | "clock" | "signer" | "auditAnchor">;

/**
 * Creates projects for a few tenants concurrently. At the same time, chains the audit entries, anchors checkpoints and
 * verifies the chains. Throws if a verification fails. Also throws if a tenant's final chain has a gap or does not
 * contain exactly one entry per project.
 */
export async function runAuditCampaign(campaign: AuditCampaign): Promise<AuditFigures> {
  const folder = await mkdtemp(join(tmpdir(), "purser-campaign-"));
  const app: AuditApp = {
    db: openDatabase({
      url: campaign.databaseUrl,
      connectionsMax: { requests: campaign.writers + CHAINERS + 4, authentication: 1, jobs: 1 },
      statementTimeoutMs: 60_000,
      readTimeoutMs: 60_000,
      connectTimeoutMs: 60_000,
      onError: () => {},
    }),
    clock: systemClock,
    signer: createStatementSigner(newSecrets().PURSER_STATEMENT_KEY),
    auditAnchor: createFileAuditAnchor({ path: join(folder, "anchor.jsonl") }),
  };
  try {
    return await runWriters(app, campaign);
  } finally {
    await app.db.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runWriters(app: AuditApp, campaign: AuditCampaign): Promise<AuditFigures> {
  const { writers, mutationsEach, onProgress } = campaign;
  const tenants = await Promise.all(Array.from({ length: TENANTS }, () => seedTenant(app)));
  const tenantOf = (writer: number) => tenants[writer % TENANTS] ?? newId("dev");
  const mutations = writers * mutationsEach;
  const writing = new AbortController();
  let written = 0;
  let verifications = 0;

  const startedAt = performance.now();
  const background = [
    ...Array.from({ length: CHAINERS }, () => repeat(writing.signal, () => chainAllPendingEntries(app))),
    repeat(writing.signal, async () => requireAnchored(await checkpointDue(app))),
    ...tenants.map((tenantId) =>
      repeat(
        writing.signal,
        async () => {
          requireValid(await verifyChain(app, { tenantId, chain: "tenant" }));
          verifications += 1;
        },
        VERIFY_PAUSE_MS,
      ),
    ),
    repeat(
      writing.signal,
      async () => onProgress(`${written} of ${mutations} written, verified ${verifications} times`),
      PROGRESS_PAUSE_MS,
    ),
  ];
  const writes = Array.from({ length: writers }, async (_, writer) => {
    for (let number = 0; number < mutationsEach && !writing.signal.aborted; number += 1) {
      await writeOne(app, tenantOf(writer), `project ${writer} ${number}`);
      written += 1;
    }
  });
  // The first failure stops all the other tasks. `allSettled` waits until every task has ended.
  const ended = await Promise.allSettled([
    ...background.map((work) => work.finally(() => writing.abort())),
    Promise.all(writes).finally(() => writing.abort()),
  ]);
  const failure = ended.find((outcome) => outcome.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  const elapsedSeconds = (performance.now() - startedAt) / 1000;

  onProgress(`${written} written in ${elapsedSeconds.toFixed(1)} s; checking the tables`);
  requireAnchored(await checkpointDue(app));
  let verifyMs = 0;
  for (const tenantId of tenants) verifyMs = Math.max(verifyMs, await checkTenant(app, tenantId));
  const checkpoints = await checkRows(campaign, tenants, mutations);
  const mutationsPerSecond = Math.round(mutations / elapsedSeconds);
  return { mutations, mutationsPerSecond, verifications, checkpoints, verifyMs };
}

async function seedTenant({ db, clock }: AuditApp): Promise<TenantId> {
  const tenantId = newId("dev");
  const at = clock.now();
  await withTransaction(db, tenantId, (tx) =>
    insertDeveloper(tx, {
      tenantId,
      email: `${tenantId}@example.com`,
      status: "active",
      emailVerifiedAt: at,
      createdAt: at,
      updatedAt: at,
    }),
  );
  return tenantId;
}

async function writeOne(app: AuditApp, tenantId: TenantId, name: string): Promise<void> {
  const actor = {
    tenantId,
    mode: "live",
    actor: { type: "developer", id: tenantId, key_id: null, ip: null },
    requestId: null,
  } as const;
  const command = {
    actor,
    name,
    description: null,
    monthlyCapCents: 0n,
    capBehavior: "block",
    providerCaps: {},
    environments: ["development"],
    agentIds: [],
    policyId: null,
    metadata: {},
  } as const;
  const unlimited = { ...app, settings: { projectsMax: null } };
  await createProject(unlimited, command, discardResponse);
}

/** Repeats the work until the signal is aborted or the work fails. */
async function repeat(signal: AbortSignal, work: () => Promise<unknown>, pauseMs = PAUSE_MS): Promise<void> {
  while (!signal.aborted) {
    await work();
    await wait(pauseMs, undefined, { signal }).catch(() => {});
  }
}

function requireAnchored(failed: readonly FailedAnchoring[]): void {
  if (failed.length > 0) throw new Error(`${failed.length} chains could not be anchored.`);
}

function requireValid(findings: ChainVerification): void {
  if (findings.valid !== true) throw new Error(`The chain is not valid: ${JSON.stringify(findings)}`);
}

async function checkTenant(app: AuditApp, tenantId: TenantId): Promise<number> {
  const startedAt = performance.now();
  const findings = await verifyChain(app, { tenantId, chain: "tenant" });
  requireValid(findings);
  return Math.round(performance.now() - startedAt);
}

/** Checks the tables with separate SQL, independently of Purser's code. */
async function checkRows(
  { databaseUrl }: AuditCampaign,
  tenants: readonly TenantId[],
  mutations: number,
): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Record<string, string>>(
    `select
       (select count(*) from audit_entries where tenant_id = any($1)) as entries,
       (select count(*) from audit_pending where tenant_id = any($1)) as pending,
       (select count(*) from projects join audit_entries e using (tenant_id) where tenant_id = any($1)
          and e.subject ->> 'id' = project_id and e.action = 'project.created') as audited,
       (select count(*) from projects where tenant_id = any($1)) as projects,
       (select sum(n) from (select max(sequence) as n from audit_links where tenant_id = any($1) group by tenant_id, chain) c) as reached,
       (select count(*) from audit_links l join audit_links p on p.tenant_id = l.tenant_id and p.chain = l.chain
          and p.sequence = l.sequence - 1 and p.hash = l.prev_hash where l.tenant_id = any($1)) as joined,
       (select count(*) from audit_anchorings where tenant_id = any($1)) as checkpoints`,
    [tenants],
  );
  await client.end();
  const { checkpoints = "0", ...found } = rows[0] ?? {};
  const expected = {
    entries: `${mutations}`,
    pending: "0",
    audited: `${mutations}`,
    projects: `${mutations}`,
    reached: `${mutations}`,
    // Each entry except the first of a chain refers to its predecessor.
    joined: `${mutations - tenants.length}`,
  };
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`Found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
  }
  return Number(checkpoints);
}
