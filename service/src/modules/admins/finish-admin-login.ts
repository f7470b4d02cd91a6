import type { App } from "../../app.ts";
import { adminActor } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import { ADMIN_TOKENS } from "../../crypto/access-tokens.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import { matchTotp } from "../../crypto/totp.ts";
import type { Tx } from "../../db/database.ts";
import type { ClientInfo } from "../../foundation/client-info.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId, OPERATOR_TENANT } from "../../foundation/ids.ts";
import { normalizeCode } from "../../foundation/text/pasted-text.ts";
import { openVault, type TenantVault } from "../../vault/open-vault.ts";
import { deleteLoginFailures } from "./login-limits.ts";
import { withOperatorTransaction } from "./operators.ts";
import {
  type Admin,
  consumeAttempt,
  consumeTotpStep,
  countAttempts,
  insertSession,
  lockAdmin,
  markChallengeUsed,
} from "./queries.ts";
import { totpContext } from "./totp-context.ts";

const ATTEMPTS_MAX = 5;
/**
 * Maximum number of wrong codes per admin and hour, across all challenges and networks. Without a limit, an attacker
 * who knows the password could guess a code: three of the million possible codes are valid at any time.
 */
const WRONG_CODES_MAX = 20;
const WRONG_CODES_WINDOW_MS = 3_600_000;
const RETRY_AFTER_SECONDS = 600;

export interface FinishAdminLogin {
  readonly mfaToken: string;
  /** The six-digit TOTP code. */
  readonly code: string;
  readonly client: ClientInfo;
}

interface Challenge {
  readonly tokenHash: string;
  readonly code: string;
  readonly at: Date;
}

type Verdict = { readonly kind: "right" | "wrong" | "limited"; readonly admin: Admin } | { readonly kind: "unknown" };

/**
 * The second step of an admin login: exchanges the token from the first step and a TOTP code for a ten-minute session.
 * A token allows five attempts, and each code is valid once. Throws `authentication_failed` if the token or code is
 * invalid, and `rate_limited` after 20 wrong codes within an hour.
 */
export async function finishAdminLogin(
  app: Pick<App, "db" | "clock" | "fastState" | "keyEncryptionKey" | "vaults" | "adminTokens">,
  { mfaToken, code, client }: FinishAdminLogin,
): Promise<{ readonly accessToken: string }> {
  const at = app.clock.now();
  const sessionId = newId("ses");
  const challenge = { tokenHash: sha256Hex(mfaToken), code, at };
  const vault = await openVault(app, OPERATOR_TENANT);
  // For a wrong code, the transaction returns a verdict. If it threw an error, the attempt count would be rolled back.
  const verdict = await withOperatorTransaction(app.db, async (tx) => {
    const found = await checkCode(tx, vault, challenge);
    if (found.kind === "right") {
      await openSession(tx, { challenge, sessionId, admin: found.admin, client });
    } else if (found.kind === "wrong") {
      await recordWrongCode(tx, { admin: found.admin, client, at });
    }
    return found;
  });

  if (verdict.kind === "limited") {
    const internal = `${verdict.admin.adminId}: too many wrong codes`;
    throw new AppError("rate_limited", { retryAfterSeconds: RETRY_AFTER_SECONDS, internal });
  }
  if (verdict.kind !== "right") {
    throw new AppError("authentication_failed", { internal: `admin TOTP code: ${verdict.kind}` });
  }
  const { adminId, email } = verdict.admin;
  await deleteLoginFailures(app, { email, network: client.network });
  return { accessToken: await app.adminTokens.issue({ subject: adminId, sessionId }, at) };
}

async function checkCode(tx: Tx, vault: TenantVault, { tokenHash, code, at }: Challenge): Promise<Verdict> {
  const adminId = await consumeAttempt(tx, { tokenHash, at, attemptsMax: ATTEMPTS_MAX });
  if (adminId === undefined) return { kind: "unknown" };
  // The row lock serializes attempts that use different tokens. Without it, concurrent attempts could exceed the limit.
  const admin = await lockAdmin(tx, adminId);
  const since = new Date(at.getTime() - WRONG_CODES_WINDOW_MS);
  const wrongCodes = await countAttempts(tx, { adminId, since });
  if (wrongCodes > WRONG_CODES_MAX) return { kind: "limited", admin };

  const secret = vault.open(totpContext(adminId), admin.totpSecretSealed).toString("utf8");
  const step = matchTotp(secret, normalizeCode(code), at);
  const isRight = step !== undefined && (await consumeTotpStep(tx, { adminId, step, at }));
  return { kind: isRight ? "right" : "wrong", admin };
}

async function openSession(
  tx: Tx,
  {
    challenge: { tokenHash, at },
    sessionId,
    admin: { adminId },
    client,
  }: {
    readonly challenge: Challenge;
    readonly sessionId: string;
    readonly admin: Admin;
    readonly client: ClientInfo;
  },
): Promise<void> {
  await markChallengeUsed(tx, tokenHash, at);
  await insertSession(tx, {
    sessionId,
    adminId,
    network: client.network,
    userAgent: client.userAgent,
    createdAt: at,
    expiresAt: new Date(at.getTime() + ADMIN_TOKENS.lifetimeSeconds * 1000),
  });
  await appendAuditEntry(tx, adminActor(adminId, client), {
    action: "admin.logged_in",
    subject: { type: "session", id: sessionId },
    facts: {},
    occurredAt: at,
  });
}

/**
 * Records a wrong code in the audit log. The caller has already sent the correct password, so a wrong code may mean
 * that the password was stolen.
 */
async function recordWrongCode(
  tx: Tx,
  { admin, client, at }: { readonly admin: Admin; readonly client: ClientInfo; readonly at: Date },
): Promise<void> {
  await appendAuditEntry(tx, adminActor(admin.adminId, client), {
    action: "admin.second_factor_failed",
    subject: { type: "admin", id: admin.adminId },
    facts: {},
    occurredAt: at,
  });
}
