import type { App } from "../../../app.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import { newId, type TenantId } from "../../../foundation/ids.ts";
import { type Developer, type DeveloperProfile, getDeveloperProfile } from "../queries.ts";
import { newSecretToken } from "../secret-token.ts";
import { actorFor, type Visitor } from "../visitor.ts";
import { insertRefreshToken, insertSession } from "./queries.ts";

/** The absolute end of a session, however often it is refreshed. */
const SESSION_DAYS = 30;
const DAY_MS = 86_400_000;

/** What a client gets of a session. Both tokens leave here once; of the refresh token only the hash is kept. */
export interface SessionGrant {
  readonly developer: DeveloperProfile;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: Date;
}

/** Begins a session of a developer who has shown who they are. Throws `authentication_failed` for an account that is shut. */
export async function openSession(
  app: Pick<App, "db" | "clock" | "accessTokens">,
  { tenantId, visitor }: { readonly tenantId: TenantId; readonly visitor: Visitor },
): Promise<SessionGrant> {
  const at = app.clock.now();
  const sessionId = newId("ses");
  const expiresAt = new Date(at.getTime() + SESSION_DAYS * DAY_MS);
  const { token: refreshToken, tokenHash } = newSecretToken();
  const developer = await withTransaction(app.db, tenantId, async (tx) => {
    const found = await getDeveloperProfile(tx, tenantId);
    refuseShut(found);
    await insertSession(tx, {
      tenantId,
      sessionId,
      createdAt: at,
      lastUsedAt: at,
      expiresAt,
      network: visitor.network,
      userAgent: visitor.userAgent,
    });
    await insertRefreshToken(tx, { tokenHash, tenantId, sessionId, issuedAt: at });
    await appendAuditEntry(tx, actorFor(visitor, tenantId), {
      action: "developer.logged_in",
      subject: { type: "session", id: sessionId },
      facts: {},
      occurredAt: at,
    });
    return found;
  });
  const accessToken = await app.accessTokens.issue({ subject: tenantId, sessionId }, at);
  return { developer, accessToken, refreshToken, expiresAt };
}

/** An account that is shut looks to the outside like one that is not there. */
export function refuseShut({ tenantId, status }: Developer): void {
  if (status !== "suspended" && status !== "closed") return;
  throw new AppError("authentication_failed", { internal: `${tenantId} is ${status}` });
}
