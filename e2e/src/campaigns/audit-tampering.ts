import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuditCheckpoint, verifyAuditExport } from "@purser/sdk";
import { createFileAuditAnchor } from "@purser/service/adapters/audit-anchor/file-audit-anchor.ts";
import { exportChain } from "@purser/service/audit/chains/chains.ts";
import { type VerifyAccess, verifyChain } from "@purser/service/audit/chains/verify.ts";
import { checkpointChain } from "@purser/service/audit/checkpoints/checkpoint.ts";
import { listCheckpoints, presentAuditCheckpoint } from "@purser/service/audit/checkpoints/checkpoints.ts";
import { newSecrets } from "@purser/service/config/new-secrets.ts";
import { createStatementSigner } from "@purser/service/crypto/statement-signer.ts";
import { openDatabase } from "@purser/service/db/database.ts";
import { systemClock } from "@purser/service/foundation/clock.ts";
import { newId, type TenantId } from "@purser/service/foundation/ids.ts";
import { Client } from "pg";
import { appendEntries } from "../../../service/test/audit-trail.ts";
import { openWithinTransaction } from "../../../service/test/savepoint-db.ts";
import type { OwnPostgres } from "../own-postgres.ts";

import { type Chain, TAMPERINGS, type Tampering } from "./tamperings.ts";

const PROGRESS_EVERY = 100;

export interface TamperingCampaign {
  readonly database: Pick<OwnPostgres, "serviceUrl" | "superuserUrl">;
  readonly entries: number;
  /**
   * Number of kinds of tampering to try on each entry. The default is all kinds. With a smaller number, consecutive
   * entries get different kinds.
   */
  readonly kindsEach?: number | undefined;
  /** Sequence numbers of the entries to change, starting at 1. The default is all entries. */
  readonly places?: readonly number[];
  readonly onProgress: (message: string) => void;
}

export interface TamperingFigures {
  readonly entries: number;
  readonly anchored: number;
  /** Number of changes that both the server and the SDK detected. */
  readonly found: number;
  /**
   * Number of changes that cannot be detected, because the chain is still valid after the change and only entries after
   * the newest checkpoint are affected.
   */
  readonly unanchored: number;
}

interface Trial {
  readonly chain: Chain;
  readonly checkpoints: readonly AuditCheckpoint[];
  readonly access: VerifyAccess;
}

/**
 * Changes entries of an audit chain, in the database and in an export. The server verifies the database, and the SDK
 * verifies the export. Throws if the server or the SDK misses a detectable change, or does not report the entries after
 * the newest checkpoint as unanchored.
 */
export async function runTamperingCampaign(campaign: TamperingCampaign): Promise<TamperingFigures> {
  const folder = await mkdtemp(join(tmpdir(), "purser-campaign-"));
  const access = openAccess(campaign.database.serviceUrl, join(folder, "anchor.jsonl"));
  const attackerClient = new Client({ connectionString: campaign.database.superuserUrl });
  await attackerClient.connect();
  try {
    const trial = await arrange(access, campaign.entries);
    return await runTrials(trial, attackerClient, campaign);
  } finally {
    await attackerClient.end();
    await access.db.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

function openAccess(databaseUrl: string, anchorPath: string): VerifyAccess {
  const timeouts = { statementTimeoutMs: 60_000, readTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  return {
    db: openDatabase({
      url: databaseUrl,
      connectionsMax: { requests: 2, authentication: 1, jobs: 1 },
      ...timeouts,
      onError: () => {},
    }),
    clock: systemClock,
    signer: createStatementSigner(newSecrets().PURSER_STATEMENT_KEY),
    auditAnchor: createFileAuditAnchor({ path: anchorPath }),
  };
}

/** Creates an audit chain and exports it. Two checkpoints cover the first four fifths of the entries. */
async function arrange(access: VerifyAccess, entries: number): Promise<Trial> {
  const tenantId = newId("dev");
  const key = { tenantId, chain: "tenant" } as const;
  const anchored = Math.floor((entries * 4) / 5);
  const half = Math.floor(anchored / 2);
  await appendEntries(access.db, key, { count: half });
  await checkpointChain(access, key);
  await appendEntries(access.db, key, { count: anchored - half, first: half + 1 });
  await checkpointChain(access, key);
  // One entry is left out, because the export itself adds the last entry.
  await appendEntries(access.db, key, { count: entries - anchored - 1, first: anchored + 1 });

  const actor = { type: "developer", id: tenantId, key_id: null, ip: null } as const;
  const by = { tenantId, mode: "live", actor, requestId: null } as const;
  const chunks: string[] = [];
  for await (const chunk of await exportChain(access, { actor: by, chain: "tenant" })) {
    chunks.push(chunk);
  }
  const lines = chunks.join("").split("\n").slice(0, -1);
  const page = { key, beforeSequence: undefined, limit: 100 };
  const { items: checkpoints } = await listCheckpoints(access, page);
  const chain = { tenantId, lines, anchored };
  return { chain, checkpoints: checkpoints.map(presentAuditCheckpoint), access };
}

async function runTrials(trial: Trial, attackerClient: Client, campaign: TamperingCampaign): Promise<TamperingFigures> {
  const { chain } = trial;
  const { lines, anchored } = chain;
  const { kindsEach = TAMPERINGS.length, onProgress } = campaign;
  const { places = lines.map((_, index) => index + 1) } = campaign;
  const untouched = { name: "untouched", isUnanchored: true, statements: [], lines: () => lines };
  await attackerClient.query("begin; set local session_replication_role = replica");
  await checkTampering(trial, attackerClient, untouched, 0);
  let found = 0;
  let unanchored = 0;
  for (const place of places) {
    for (const tampering of tamperingsAt(chain, place, kindsEach)) {
      await checkTampering(trial, attackerClient, tampering, place);
      if (tampering.isUnanchored) unanchored += 1;
      else found += 1;
    }
    if (place % PROGRESS_EVERY === 0) onProgress(`${place} of ${lines.length} places`);
  }
  await attackerClient.query("rollback");
  return { entries: lines.length, anchored, found, unanchored };
}

/** Returns up to `kindsEach` changes to the entry whose sequence number is `place`. */
function tamperingsAt(chain: Chain, place: number, kindsEach: number): Tampering[] {
  const first = (place * kindsEach) % TAMPERINGS.length;
  const kinds = [...TAMPERINGS.slice(first), ...TAMPERINGS.slice(0, first)].slice(0, kindsEach);
  return kinds.map((kind) => kind(chain, place)).filter((tampering) => tampering !== undefined);
}

async function checkTampering(
  { chain, checkpoints, access }: Trial,
  attackerClient: Client,
  tampering: Tampering,
  place: number,
): Promise<void> {
  const { signer } = access;
  const changed = tampering.lines();
  await attackerClient.query(["savepoint tampering", ...tampering.statements].join(";"));
  const db = openWithinTransaction(attackerClient);
  const tenantId = chain.tenantId as TenantId;
  const byService = await verifyChain({ ...access, db }, { tenantId, chain: "tenant" });
  await attackerClient.query("rollback to savepoint tampering");
  const bySdk = await verifyAuditExport(changed, {
    checkpoints,
    publicKeys: { keys: [...signer.publicJwks] },
    expectedTenant: tenantId,
    expectedChain: "tenant",
  });
  const unanchoredEntries = changed.length - chain.anchored;
  const isAsExpected = tampering.isUnanchored
    ? byService.valid === true && byService.anchor.unanchoredEntries === unanchoredEntries
    : byService.valid === false;
  const isAsExpectedOffline = tampering.isUnanchored
    ? bySdk.valid && bySdk.anchored.unanchoredEntries === unanchoredEntries
    : !bySdk.valid;
  if (isAsExpected && isAsExpectedOffline) return;
  const findings = JSON.stringify({ byService, bySdk });
  throw new Error(`${tampering.name} at ${place} of ${chain.lines.length}: ${findings}`);
}
