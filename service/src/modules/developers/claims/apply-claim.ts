import type { Tx } from "../../../db/database.ts";
import { EMPTY_PROFILE } from "../empty-profile.ts";
import { supersedePending } from "../kyb/queries.ts";
import { type Developer, putPasswordHash, updateDeveloper } from "../queries.ts";
import { deleteSecondFactor, endChallenges } from "../second-factor/queries.ts";
import { endSessions } from "../sessions/queries.ts";
import type { Claim } from "./queries.ts";

/**
 * Sets the account's password and profile to those of the claim, and ends its sessions. The password is changed first:
 * a concurrent login locks the password row, so its session is committed before the sessions are ended.
 *
 * @returns the number of sessions ended
 */
export async function applyClaim(
  tx: Tx,
  claim: Omit<Claim, "claimNumber" | "createdAt">,
  {
    at,
    reason,
    change,
  }: {
    readonly at: Date;
    /** Why the sessions end. */
    readonly reason: string;
    readonly change?: Partial<Pick<Developer, "status" | "emailVerifiedAt">>;
  },
): Promise<number> {
  const { tenantId, passwordHash, name, companyName, country, acceptedTermsVersion } = claim;
  await putPasswordHash(tx, { tenantId, hash: passwordHash, updatedAt: at });
  // Accounts from before second factors required a verified address may have one.
  await deleteSecondFactor(tx, tenantId);
  await endChallenges(tx, tenantId, at);
  const sessions = await endSessions(tx, { tenantId, at, reason });
  await supersedePending(tx, { tenantId, at });
  const profile = { ...EMPTY_PROFILE, name, companyName, country, acceptedTermsVersion };
  await updateDeveloper(tx, tenantId, { ...profile, ...change, updatedAt: at });
  return sessions;
}
