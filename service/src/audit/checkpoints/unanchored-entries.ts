import type { App } from "../../app.ts";
import type { Db } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ChainHead } from "../chains/chain.ts";
import type { ChainKey } from "../chains/queries.ts";
import { findFirstUnanchored } from "./queries.ts";

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

/** Logs an error if an entry of any chain has been unanchored for five minutes. */
export async function watchAnchor({ db, clock, log }: Pick<App, "db" | "clock" | "log">): Promise<void> {
  const first = await findFirstUnanchored(db);
  if (first === undefined) return;
  const behindMs = clock.now().getTime() - first.getTime();
  if (behindMs >= BEHIND_MAX_MS) {
    log.error(
      { behindSeconds: Math.floor(behindMs / 1000) },
      "audit entries have not been anchored for more than five minutes: check the file or S3 bucket of the audit anchor",
    );
  }
}
