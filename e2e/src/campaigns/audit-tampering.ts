import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuditCheckpoint, verifyAuditExport } from "@purser/sdk";
import { createFileAuditAnchor } from "@purser/service/adapters/audit-anchor/file-audit-anchor.ts";
import { exportChain } from "@purser/service/audit/chains/export-chain.ts";
import { type VerifyAccess, verifyChain } from "@purser/service/audit/chains/verify.ts";
import { checkpointChain } from "@purser/service/audit/checkpoints/checkpoint.ts";
import { presentAuditCheckpoint } from "@purser/service/audit/checkpoints/checkpoint-resource.ts";
import { listCheckpoints } from "@purser/service/audit/checkpoints/list-checkpoints.ts";
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
  /** How many kinds of change are tried at each place, in turn. Undefined: all of them. */
  readonly kindsEach?: number | undefined;
  /** From 1 to the number of entries. Undefined: every place. */
  readonly places?: readonly number[];
  readonly onProgress: (message: string) => void;
}

export interface TamperingFigures {
  readonly entries: number;
  readonly anchored: number;
  /** How many changes were tried, each found by the service and by the SDK. */
  readonly found: number;
  /** How many lie above the newest checkpoint altogether, where both say that nobody has vouched for them. */
  readonly unanchored: number;
}

interface Trial {
  readonly chain: Chain;
  readonly checkpoints: readonly AuditCheckpoint[];
  readonly access: VerifyAccess;
}

/**
 * Changes a chain at every place that is named, in the database and in an export of it, and has the service verify the one and the SDK
 * the other. Throws on the first change that either does not find; of what lies above the newest checkpoint both must say
 * that it is unanchored.
 */
export async function runTamperingCampaign(campaign: TamperingCampaign): Promise<TamperingFigures> {
  const folder = await mkdtemp(join(tmpdir(), "purser-campaign-"));
  const access = openAccess(campaign.database.serviceUrl, join(folder, "anchor.jsonl"));
  const intruder = new Client({ connectionString: campaign.database.superuserUrl });
  await intruder.connect();
  try {
    const trial = await arrange(access, campaign.entries);
    return await runOver(trial, intruder, campaign);
  } finally {
    await intruder.end();
    await access.db.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

function openAccess(databaseUrl: string, anchorPath: string): VerifyAccess {
  const patience = { statementTimeoutMs: 60_000, readTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  return {
    db: openDatabase({
      url: databaseUrl,
      connectionsMax: { requests: 2, authentication: 1, jobs: 1 },
      ...patience,
      onError: () => {},
    }),
    clock: systemClock,
    signer: createStatementSigner(newSecrets().PURSER_STATEMENT_KEY),
    auditAnchor: createFileAuditAnchor({ path: anchorPath }),
  };
}

/** A chain of which the first four fifths are anchored, in two checkpoints, and its export. */
async function arrange(access: VerifyAccess, entries: number): Promise<Trial> {
  const tenantId = newId("dev");
  const key = { tenantId, chain: "tenant" } as const;
  const anchored = Math.floor((entries * 4) / 5);
  const half = Math.floor(anchored / 2);
  await appendEntries(access.db, key, { count: half });
  await checkpointChain(access, key);
  await appendEntries(access.db, key, { count: anchored - half, first: half + 1 });
  await checkpointChain(access, key);
  // One less, since the export is told of in the chain, as its last entry.
  await appendEntries(access.db, key, { count: entries - anchored - 1, first: anchored + 1 });

  const actor = { type: "developer", id: tenantId, key_id: null, ip: null } as const;
  const by = { tenantId, mode: "live", actor, requestId: null } as const;
  const pieces: string[] = [];
  for await (const piece of await exportChain(access, { actor: by, chain: "tenant" })) {
    pieces.push(piece);
  }
  const lines = pieces.join("").split("\n").slice(0, -1);
  const page = { key, beforeSequence: undefined, limit: 100 };
  const { checkpoints } = await listCheckpoints(access, page);
  const chain = { tenantId, lines, anchored };
  return { chain, checkpoints: checkpoints.map(presentAuditCheckpoint), access };
}

async function runOver(
  trial: Trial,
  intruder: Client,
  campaign: TamperingCampaign,
): Promise<TamperingFigures> {
  const { chain } = trial;
  const { lines, anchored } = chain;
  const { kindsEach = TAMPERINGS.length, onProgress } = campaign;
  const { places = lines.map((_, index) => index + 1) } = campaign;
  const untouched = { name: "untouched", isUnanchored: true, statements: [], lines: () => lines };
  await intruder.query("begin; set local session_replication_role = replica");
  await tryOne(trial, intruder, untouched, 0);
  let found = 0;
  let unanchored = 0;
  for (const place of places) {
    for (const tampering of tamperingsAt(chain, place, kindsEach)) {
      await tryOne(trial, intruder, tampering, place);
      if (tampering.isUnanchored) unanchored += 1;
      else found += 1;
    }
    if (place % PROGRESS_EVERY === 0) onProgress(`${place} of ${lines.length} places`);
  }
  await intruder.query("rollback");
  return { entries: lines.length, anchored, found, unanchored };
}

/** So many kinds of change at a place, others at the next. */
function tamperingsAt(chain: Chain, place: number, kindsEach: number): Tampering[] {
  const first = (place * kindsEach) % TAMPERINGS.length;
  const inTurn = [...TAMPERINGS.slice(first), ...TAMPERINGS.slice(0, first)].slice(0, kindsEach);
  return inTurn.map((kind) => kind(chain, place)).filter((tampering) => tampering !== undefined);
}

async function tryOne(
  { chain, checkpoints, access }: Trial,
  intruder: Client,
  tampering: Tampering,
  place: number,
): Promise<void> {
  const { signer } = access;
  const changed = tampering.lines();
  await intruder.query(["savepoint tampering", ...tampering.statements].join(";"));
  const db = openWithinTransaction(intruder);
  const tenantId = chain.tenantId as TenantId;
  const byService = await verifyChain({ ...access, db }, { tenantId, chain: "tenant" });
  await intruder.query("rollback to savepoint tampering");
  const bySdk = await verifyAuditExport(changed, {
    checkpoints,
    publicKeys: { keys: [...signer.publicJwks] },
    expectedTenant: tenantId,
    expectedChain: "tenant",
  });
  const above = changed.length - chain.anchored;
  const isAsExpected = tampering.isUnanchored
    ? byService.valid === true && byService.anchor.unanchoredEntries === above
    : byService.valid === false;
  const isAsExpectedOffline = tampering.isUnanchored
    ? bySdk.valid && bySdk.anchored.unanchoredEntries === above
    : !bySdk.valid;
  if (isAsExpected && isAsExpectedOffline) return;
  const findings = JSON.stringify({ byService, bySdk });
  throw new Error(`${tampering.name} at ${place} of ${chain.lines.length}: ${findings}`);
}
