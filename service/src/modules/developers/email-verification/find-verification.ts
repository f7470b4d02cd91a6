import type { App } from "../../../app.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { findVerificationToken } from "./queries.ts";

/** What an emailed verification token can still do. */
export interface Verification {
  readonly email: string;
  /** When the address was verified, with this token or another one. Null if the token can still verify it. */
  readonly verifiedAt: Date | null;
}

/** Reads what the token can do, and changes nothing. Returns undefined if the token is unknown or expired. */
export async function findVerification(
  { db, clock }: Pick<App, "db" | "clock">,
  token: string,
): Promise<Verification | undefined> {
  const found = await findVerificationToken(db, sha256Hex(token));
  if (found === undefined) return undefined;
  const { email, emailVerifiedAt: verifiedAt, usedAt, expiresAt } = found;
  const isUsable = usedAt === null && expiresAt > clock.now();
  return verifiedAt === null && !isUsable ? undefined : { email, verifiedAt };
}
