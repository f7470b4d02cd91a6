import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { App } from "../app.ts";
import { withTransaction } from "../db/transaction.ts";
import type { TenantId } from "../foundation/ids.ts";
import { redact } from "../foundation/redact.ts";
import { currentEmailFacts } from "../modules/approvals/approval-emails.ts";
import { getDeveloper } from "../modules/developers/queries.ts";
import { renderEmail } from "../outbox/emails.ts";
import { EMAIL_TEMPLATES, type EmailTemplate, outboxEmailContext } from "../outbox/enqueue.ts";
import { claimDueEmail, listTenantsWithDueEmails, type OutboxMessage, outboxMessageRows } from "../outbox/queries.ts";
import { RecipientRejectedError } from "../ports/mailer.ts";
import { openVault } from "../vault/vault.ts";

const TENANTS_MAX = 100;
const TENANTS_CONCURRENT_MAX = 4;
const MAILS_MAX = 5;
/**
 * The time after which an email is sent again if the process crashes while sending it. It is longer than sending an
 * email can take.
 */
const MAIL_LEASE_MS = 120_000;
/** The maximum age at which an email without a link is still sent. */
const MAIL_WITHOUT_LINK_MAX_AGE_MS = 3 * 24 * 3_600_000;
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 3_600_000;

const mailPayload = Compile(
  Type.Object({
    template: Type.Enum([...EMAIL_TEMPLATES]),
    to: Type.String(),
    facts: Type.Optional(Type.Record(Type.String(), Type.String())),
    expires_at: Type.Optional(Type.String()),
  }),
);

type Access = Pick<App, "db" | "clock" | "log" | "mailer" | "settings" | "keyEncryptionKey" | "vaults">;

/**
 * Sends the outbox's due emails. Retries each email with increasing delays until it is sent, it expires or its recipient
 * is permanently rejected. An email may be sent more than once, always with the same Message-ID. Any number of processes
 * can run this at the same time.
 *
 * @returns the number of sent emails
 */
export async function relayDueMessages(app: Access): Promise<number> {
  const at = app.clock.now();
  const waiting = await listTenantsWithDueEmails(app.db, at, TENANTS_MAX);
  let relayed = 0;
  const work = async () => {
    for (let tenantId = waiting.shift(); tenantId !== undefined; tenantId = waiting.shift()) {
      relayed += await relayTenant(app, tenantId);
    }
  };
  await Promise.all(Array.from({ length: TENANTS_CONCURRENT_MAX }, work));
  return relayed;
}

/**
 * Sends one tenant's emails and returns the number sent. Logs errors instead of throwing them, so that one tenant's
 * error does not affect other tenants.
 */
async function relayTenant(app: Access, tenantId: TenantId): Promise<number> {
  try {
    return await relayMails(app, tenantId);
  } catch (error) {
    app.log.error({ tenantId, reason: describe(error) }, "could not deliver outbox messages");
    return 0;
  }
}

type MailOutcome = "sent" | "dropped" | "postponed";

/**
 * Sends the tenant's due emails and returns the number sent. Stops when an email is postponed, because the mail server
 * may be slow or unavailable, and further attempts would delay other tenants' emails.
 */
async function relayMails(app: Access, tenantId: TenantId): Promise<number> {
  let sent = 0;
  for (let tried = 0; tried < MAILS_MAX; tried += 1) {
    const at = app.clock.now();
    const nextDueAt = new Date(at.getTime() + MAIL_LEASE_MS);
    const message = await withTransaction(app.db, tenantId, (tx) => claimDueEmail(tx, { tenantId, at, nextDueAt }));
    if (message === undefined) break;
    const outcome = await relayMail(app, message);
    if (outcome === "sent") sent += 1;
    if (outcome === "postponed") break;
  }
  return sent;
}

async function relayMail(app: Access, message: OutboxMessage): Promise<MailOutcome> {
  const { tenantId, messageId, attempts } = message;
  const discard = () =>
    withTransaction(app.db, tenantId, (tx) => outboxMessageRows.remove(tx, { tenantId, messageId }));
  if (expiryOf(message) <= app.clock.now()) {
    app.log.warn({ tenantId, messageId, attempts, reason: "expired" }, "email discarded, not retrying");
    await discard();
    return "dropped";
  }
  try {
    if (!(await sendMail(app, message))) {
      await discard();
      return "dropped";
    }
  } catch (error) {
    const reason = describe(error);
    if (error instanceof RecipientRejectedError) {
      app.log.warn({ tenantId, messageId, attempts, reason }, "email discarded, not retrying");
      await discard();
      return "dropped";
    }
    const delayMs = Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (attempts - 1));
    const dueAt = new Date(app.clock.now().getTime() + delayMs);
    app.log.warn({ tenantId, messageId, attempts, reason }, "could not send email, retrying later");
    await withTransaction(app.db, tenantId, (tx) =>
      outboxMessageRows.update(tx, message, { dueAt, lastError: reason }),
    );
    return "postponed";
  }
  await discard();
  return "sent";
}

/** Returns the time after which the email is no longer sent. An email with an unreadable payload expires too. */
function expiryOf({ payload, createdAt }: OutboxMessage): Date {
  const { expires_at } = mailPayload.Check(payload) ? payload : {};
  return new Date(expires_at ?? createdAt.getTime() + MAIL_WITHOUT_LINK_MAX_AGE_MS);
}

/** The emails that a developer can switch off, and the preference. All others protect the account and are always sent. */
const PREFERENCES: Partial<Readonly<Record<EmailTemplate, string>>> = {
  approval_requested: "approvals",
  approvals_waiting: "approvals",
  cap_reached: "caps",
};

/** Returns false, and sends nothing, if what the email is about has ended, or if the developer does not want it. */
async function sendMail(app: Access, message: OutboxMessage): Promise<boolean> {
  const { to, ...email } = mailPayload.Decode(message.payload);
  const { template } = email;
  if (!(await isWanted(app, message.tenantId, template))) return false;
  const facts = await currentEmailFacts(app, message.tenantId, email);
  if (facts === undefined) return false;
  const token = await openToken(app, message);
  const content = renderEmail(template, { publicUrl: app.settings.publicUrl, to, token, facts });
  await app.mailer.send({ id: message.messageId, to, ...content });
  return true;
}

async function isWanted({ db }: Access, tenantId: TenantId, template: EmailTemplate): Promise<boolean> {
  const preference = PREFERENCES[template];
  if (preference === undefined) return true;
  return (await getDeveloper(db, tenantId)).notificationPreferences[preference] !== false;
}

async function openToken(app: Access, { tenantId, messageId, sealed }: OutboxMessage): Promise<string> {
  if (sealed === null) return "";
  const vault = await openVault(app, tenantId);
  return vault.open(outboxEmailContext(messageId), sealed).toString("utf8");
}

/**
 * Returns the error's name and code. The message is omitted, because a mail server's message may contain the recipient.
 */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return redact(`${error.name} ${code}`.trim().slice(0, 200)) ?? "unknown";
}
