import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import type { Db } from "../../db/database.ts";
import { type ListedPage, readPage } from "../../db/pages.ts";
import { AppError } from "../../foundation/errors.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";
import { AUDIT_CHAINS } from "../../foundation/vocabulary.ts";
import { Count, NamedObject, Nullable, Text, Timestamp } from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import type { ChainHead } from "../chains/chain.ts";
import type { ChainKey } from "../chains/queries.ts";
import { findFirstUnanchored, listStoredCheckpoints, type StoredCheckpoint } from "./queries.ts";

/** A signed record of a chain's entry count and head hash at a given time (docs/rules/audit-trail.md). */
export const AuditCheckpointResource = NamedObject("AuditCheckpoint", {
  object: Type.Literal("audit_checkpoint"),
  tenant_id: Type.String(),
  chain: Type.Enum([...AUDIT_CHAINS]),
  sequence: Count("Number of entries in the chain when the checkpoint was created."),
  head_hash: Text("The hash of the chain's newest entry when the checkpoint was created."),
  time: Timestamp,
  prev_checkpoint_hash: Text("The `checkpoint_hash` of the previous checkpoint. 64 zeros for the first checkpoint."),
  checkpoint_hash: Text(
    "SHA-256 of the canonical JSON (RFC 8785) of `tenant_id`, `chain`, `sequence`, `head_hash`, `time` and `prev_checkpoint_hash`.",
  ),
  key_id: Text("The `kid` of the signing key in `/.well-known/jwks.json`."),
  signature: Text("Ed25519 signature over the text of `checkpoint_hash`, encoded as Base64url."),
  anchored_at: Nullable({
    ...Timestamp,
    description: "When the checkpoint was stored in the anchor, which is external storage. Null until then.",
  }),
  reference: Nullable(
    Text("Location of the checkpoint in the anchor's storage. Null until the anchor has accepted the checkpoint."),
  ),
});

export function presentAuditCheckpoint(checkpoint: StoredCheckpoint): Static<typeof AuditCheckpointResource> {
  return toWire(AuditCheckpointResource, checkpoint);
}

interface ListCheckpoints {
  readonly key: ChainKey;
  /** The sequence number of the previous page's last checkpoint. Undefined for the first page. */
  readonly beforeSequence: number | undefined;
  readonly limit: number;
}

/** Returns one page of a chain's checkpoints, newest first, as stored. Does not verify their signatures. */
export function listCheckpoints(
  { db }: { readonly db: Db },
  { key, beforeSequence, limit }: ListCheckpoints,
): Promise<ListedPage<StoredCheckpoint>> {
  return readPage(limit, (max) => listStoredCheckpoints(db, key, { beforeSequence, limit: max }));
}

const OPERATOR_CHAIN: ChainKey = { tenantId: OPERATOR_TENANT, chain: "tenant" };

/** Returns the newest checkpoint of the operators' trail, and when the oldest entry of any chain was written that is late. */
export async function readAnchoring({ db, clock, auditAnchor }: Pick<App, "db" | "clock" | "auditAnchor">) {
  const [checkpoint] = await listStoredCheckpoints(db, OPERATOR_CHAIN, { beforeSequence: undefined, limit: 1 });
  const unanchoredSince = await findFirstUnanchored(db);
  const isLate = unanchoredSince !== undefined && isBehind(clock.now(), unanchoredSince, auditAnchor);
  return { checkpoint, unanchoredSince, isLate };
}

function isBehind(now: Date, since: Date, { delayMs = 0 }: App["auditAnchor"]): boolean {
  return now.getTime() - since.getTime() >= BEHIND_MAX_MS + 2 * delayMs;
}

const BEHIND_MAX_MS = 5 * 60_000;
/** Maximum age of an unanchored entry: one day. */
const UNANCHORED_MAX_MS = 24 * 3_600_000;

/**
 * Throws `service_unavailable` if an entry of the chain has been unanchored for a day, because an attacker with write
 * access to the database can delete unanchored entries undetected. The caller must hold the lock on the chain's head.
 */
export async function requireAnchoring(db: Db, key: ChainKey, head: ChainHead, at: Date): Promise<void> {
  if (head.sequence === 0) return;
  const first = await findFirstUnanchored(db, key);
  if (first === undefined || first.getTime() > at.getTime() - UNANCHORED_MAX_MS) return;
  throw new AppError("service_unavailable", {
    internal: `${key.tenantId} ${key.chain} has not been anchored since ${first.toISOString()}`,
    retryAfterSeconds: 60,
  });
}

/**
 * Logs an error if an entry of any chain has been unanchored for five minutes more than the anchor needs for two checkpoints: the
 * entry may have come after the one that is being published.
 */
export async function watchAnchor({
  db,
  clock,
  log,
  auditAnchor,
}: Pick<App, "db" | "clock" | "log" | "auditAnchor">): Promise<void> {
  const first = await findFirstUnanchored(db);
  if (first === undefined) return;
  const behindMs = clock.now().getTime() - first.getTime();
  if (isBehind(clock.now(), first, auditAnchor)) {
    log.error(
      { behindSeconds: Math.floor(behindMs / 1000) },
      "audit entries have not been anchored for more than five minutes: check the file, S3 bucket or network of the audit anchor",
    );
  }
}
