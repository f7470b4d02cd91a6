import type { Logger } from "pino";
import type { Db } from "../../db/database.ts";
import type { Clock } from "../../foundation/clock.ts";
import { findFirstUnanchored } from "./queries.ts";

const BEHIND_MAX_MS = 5 * 60_000;

/** Logs an error if an entry of any chain has been unanchored for five minutes. */
export async function watchAnchor({
  db,
  clock,
  log,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
}): Promise<void> {
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
