import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { adminActor } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import { countCall, deleteCallCounts, enforceCallLimit } from "../../call-limits/count-call.ts";
import { ADMIN_TOKENS } from "../../crypto/access-tokens.ts";
import { newSecretToken } from "../../crypto/secret-token.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import { matchTotp } from "../../crypto/totp.ts";
import type { Tx } from "../../db/database.ts";
import type { ClientInfo } from "../../foundation/client-info.ts";
import { AppError } from "../../foundation/errors.ts";
import { type AdminId, newId, OPERATOR_TENANT } from "../../foundation/ids.ts";
import { normalizeCode } from "../../foundation/text.ts";
import { Count, NamedObject, Text, Timestamp } from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { openVault, type TenantVault } from "../../vault/vault.ts";
import { withOperatorTransaction } from "./admins.ts";
import {
  type Admin,
  adminChallengeRows,
  adminRows,
  adminRowsByEmail,
  adminSessionRows,
  consumeAdminTotpStep,
  consumeAttempt,
  countAttempts,
  deleteOldChallenges,
  endAdminSession,
  isAdminSessionLive,
} from "./queries.ts";
import { totpContext } from "./sealed-columns.ts";

/** The result of an admin's first login step (docs/rules/credentials.md). */
export const AdminLoginChallengeResource = NamedObject("AdminLoginChallenge", {
  mfa_token: Text("The token to send to `POST /admin/login/totp`."),
  expires_in: Count("Lifetime of `mfa_token` in seconds."),
});

/** An admin's session (docs/rules/credentials.md). */
export const AdminSessionResource = NamedObject("AdminSession", {
  access_token: Type.String(),
  token_type: Type.Literal("Bearer"),
  expires_in: Count("Lifetime of the access token in seconds."),
});

/** The admin who is logged in (docs/rules/admins.md). */
export const AdminIdentityResource = NamedObject("AdminIdentity", {
  object: Type.Literal("admin"),
  admin_id: Type.String(),
  email: Type.String(),
  expires_at: { ...Timestamp, description: "When the session ends. It cannot be extended." },
});

export async function readAdminIdentity(
  { db }: Pick<App, "db">,
  { adminId, sessionId }: { readonly adminId: AdminId; readonly sessionId: string },
): Promise<Static<typeof AdminIdentityResource>> {
  const { email, expiresAt } = await withOperatorTransaction(db, async (tx) => ({
    ...(await adminRows.get(tx, { tenantId: OPERATOR_TENANT, adminId })),
    ...(await adminSessionRows.get(tx, { tenantId: OPERATOR_TENANT, sessionId })),
  }));
  return toWire(AdminIdentityResource, { adminId, email, expiresAt });
}

/** The lifetime of the token for the second login step. */
export const CHALLENGE_SECONDS = 300;
/**
 * How long challenges are stored. Wrong codes are counted from the stored challenges, so this must be longer than
 * `WRONG_CODES_WINDOW_MS`.
 */
const CHALLENGE_RETENTION_MS = 2 * 3_600_000;

export interface LogInAdmin {
  /** In lowercase. */
  readonly email: string;
  readonly password: string;
  readonly client: ClientInfo;
}

/**
 * The first step of an admin login: exchanges an email address and password for the token of the second step. Throws
 * the same `authentication_failed`, after the same amount of work, for an unknown address, a wrong password and a
 * disabled admin. Throws `rate_limited` after five incomplete logins for an address from one network within 15 minutes.
 */
export async function logInAdmin(
  app: Pick<App, "db" | "clock" | "settings" | "fastState" | "passwords">,
  { email, password, client }: LogInAdmin,
): Promise<{ readonly mfaToken: string }> {
  const logins = loginsKey({ email, network: client.network });
  enforceCallLimit(await countCall(app, logins, LOGINS), "too many admin logins");
  const found = await withOperatorTransaction(app.db, (tx) =>
    adminRowsByEmail.find(tx, { tenantId: OPERATOR_TENANT, email }),
  );
  const admin = found?.disabledAt === null ? found : undefined;
  const isRight =
    admin === undefined
      ? await app.passwords.verifyDecoy(password)
      : await app.passwords.verify(admin.passwordHash, password);
  if (admin === undefined || !isRight) {
    throw new AppError("authentication_failed", { internal: "unknown admin or wrong password" });
  }

  const at = app.clock.now();
  const { adminId } = admin;
  const { token: mfaToken, tokenHash } = newSecretToken();
  await withOperatorTransaction(app.db, async (tx) => {
    await deleteOldChallenges(tx, adminId, new Date(at.getTime() - CHALLENGE_RETENTION_MS));
    const expiresAt = new Date(at.getTime() + CHALLENGE_SECONDS * 1000);
    await adminChallengeRows.insert(tx, { tenantId: OPERATOR_TENANT, tokenHash, adminId, expiresAt, createdAt: at });
  });
  return { mfaToken };
}

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
 * A token allows five attempts, and each code is valid once.
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
  await deleteCallCounts(app, loginsKey({ email, network: client.network }));
  return { accessToken: await app.adminTokens.issue({ subject: adminId, sessionId }, at) };
}

async function checkCode(tx: Tx, vault: TenantVault, { tokenHash, code, at }: Challenge): Promise<Verdict> {
  const adminId = await consumeAttempt(tx, { tokenHash, at, attemptsMax: ATTEMPTS_MAX });
  if (adminId === undefined) return { kind: "unknown" };
  // The row lock serializes attempts that use different tokens. Without it, concurrent attempts could exceed the limit.
  const admin = await adminRows.lockAndGet(tx, { tenantId: OPERATOR_TENANT, adminId });
  const since = new Date(at.getTime() - WRONG_CODES_WINDOW_MS);
  const wrongCodes = await countAttempts(tx, adminId, since);
  if (wrongCodes > WRONG_CODES_MAX) return { kind: "limited", admin };

  const secret = vault.open(totpContext(adminId), admin.totpSecretSealed).toString("utf8");
  const step = matchTotp(secret, normalizeCode(code), at);
  const isRight = step !== undefined && (await consumeAdminTotpStep(tx, { adminId, step, at }));
  return { kind: isRight ? "right" : "wrong", admin };
}

interface OpenSession {
  readonly challenge: Challenge;
  readonly sessionId: string;
  readonly admin: Admin;
  readonly client: ClientInfo;
}

async function openSession(
  tx: Tx,
  { challenge: { tokenHash, at }, sessionId, admin: { adminId }, client }: OpenSession,
): Promise<void> {
  await adminChallengeRows.update(tx, { tenantId: OPERATOR_TENANT, tokenHash }, { usedAt: at });
  await adminSessionRows.insert(tx, {
    tenantId: OPERATOR_TENANT,
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

/**
 * Limit on logins that were started but not completed. They are counted per email address and network, so an attacker
 * cannot lock out an admin who logs in from another network.
 */
const LOGINS = { limit: 5, windowMs: 900_000 };

function loginsKey({ email, network }: { readonly email: string; readonly network: string }): string {
  return `admin-login:${sha256Hex(`${email} ${network}`)}`;
}

/** Ends the session that the access token belongs to. Does nothing if the token is invalid or expired. */
export async function logOutAdmin(
  app: Pick<App, "db" | "clock" | "adminTokens">,
  { token, client }: { readonly token: string; readonly client: ClientInfo },
): Promise<void> {
  const at = app.clock.now();
  const claims = await app.adminTokens.verify(token, at);
  if (claims === undefined) return;
  const { subject: adminId, sessionId } = claims;
  await withOperatorTransaction(app.db, async (tx) => {
    if (!(await endAdminSession(tx, { adminId, sessionId, at }))) return;
    await appendAuditEntry(tx, adminActor(adminId, client), {
      action: "admin.logged_out",
      subject: { type: "session", id: sessionId },
      facts: {},
      occurredAt: at,
    });
  });
}

export function isLiveAdminSession(
  { db, clock }: Pick<App, "db" | "clock">,
  session: { readonly adminId: AdminId; readonly sessionId: string },
): Promise<boolean> {
  const at = clock.now();
  return withOperatorTransaction(db, (tx) => isAdminSessionLive(tx, { ...session, at }));
}
