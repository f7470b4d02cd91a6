import type { Tx } from "../../../db/database.ts";
import { EMPTY_PROFILE } from "../confirm-ownership.ts";
import { resetKyb } from "../kyb/queries.ts";
import { type Developer, developerRows, passwordRows } from "../queries.ts";
import { deleteSecondFactor, endChallenges } from "../second-factor/queries.ts";
import { endSessions } from "../sessions/queries.ts";
import type { Claim } from "./queries.ts";

interface ApplyClaim {
  readonly at: Date;
  /** The reason stored with the ended sessions. */
  readonly reason: string;
  readonly change?: Partial<Pick<Developer, "status" | "emailVerifiedAt">>;
}

/**
 * Sets the account's password and profile to those of a signup claim, and ends the account's sessions.
 *
 * The password is changed before the sessions are ended (`lockPasswordHash`).
 *
 * @returns the number of sessions that were ended
 */
export async function applyClaim(
  tx: Tx,
  claim: Omit<Claim, "claimNumber" | "createdAt">,
  { at, reason, change }: ApplyClaim,
): Promise<number> {
  const { tenantId, passwordHash, name, companyName, country, acceptedTermsVersion } = claim;
  await passwordRows.put(tx, { tenantId, hash: passwordHash, updatedAt: at });
  // The account may have a second factor that was set up before a verified address was required. Another person may
  // have set it up, so it is deleted.
  await deleteSecondFactor(tx, tenantId);
  await endChallenges(tx, tenantId, at);
  const sessions = await endSessions(tx, { tenantId, at, reason });
  await resetKyb(tx, tenantId, at);
  const profile = { ...EMPTY_PROFILE, name, companyName, country, acceptedTermsVersion };
  await developerRows.updateAndGet(tx, { tenantId }, { ...profile, ...change, updatedAt: at });
  return sessions;
}
