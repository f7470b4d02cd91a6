import { describe, expect, it } from "vitest";
import { accountsOf } from "../../test/accounts.ts";
import { useHarness } from "../../test/harness.ts";
import { withTransaction } from "../db/transaction.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import { enqueueEmail, outboxEmailContext } from "../outbox/enqueue.ts";
import { type Email, RecipientRejectedError } from "../ports/mailer.ts";
import { openVault } from "../vault/vault.ts";
import { relayDueMessages } from "./relay-outbox.ts";

describe("relayDueMessages", () => {
  let failures = 0;
  const refused = new Set<string>();
  const deferred = new Set<string>();
  const attempts: Email[] = [];
  const harness = useHarness({
    replace: () => ({
      mailer: {
        send: async (mail) => {
          attempts.push(mail);
          if (refused.has(mail.id)) throw new RecipientRejectedError();
          if (deferred.has(mail.id)) throw new Error("450 not now");
          if (failures === 0) return;
          failures -= 1;
          throw Object.assign(new Error(`450 ${mail.to} is not here`), { code: "EENVELOPE" });
        },
      },
    }),
  });
  const { query } = accountsOf(harness);

  const attemptsOf = (messageId: string) => attempts.filter(({ id }) => id === messageId).length;

  async function enqueueTestMail(tenantId: TenantId, expiresAt?: Date): Promise<string> {
    const token = "the-token-of-the-link";
    const messageId = newId("mail");
    const vault = await openVault(harness.app, tenantId);
    await withTransaction(harness.app.db, tenantId, (tx) =>
      enqueueEmail(
        tx,
        { tenantId, mode: "live" },
        {
          messageId,
          template: "verify_email",
          to: "ada+<b>@example.com",
          sealedToken: vault.seal(outboxEmailContext(messageId), token),
          createdAt: harness.clock.now(),
          ...(expiresAt && { expiresAt }),
        },
      ),
    );
    return messageId;
  }

  const messagesOf = (tenantId: TenantId) => query("select * from outbox_messages where tenant_id = $1", [tenantId]);

  it("sends an email with its link and deletes the message", async () => {
    const tenantId = newId("dev");
    const messageId = await enqueueTestMail(tenantId);

    expect(await relayDueMessages(harness.app)).toBe(1);

    const link = "http://purser.test/api/v1/svc/developers/verify-email?token=the-token-of-the-link";
    const mail = attempts.find(({ id }) => id === messageId);
    expect(mail).toMatchObject({ to: "ada+<b>@example.com" });
    expect(mail?.text).toContain(link);
    expect(mail?.text).toMatch(/If it was not you/);
    expect(mail?.html).toContain(`href="${link}"`);
    expect(mail?.html).toContain("ada+&lt;b&gt;@example.com");
    expect(mail?.html).not.toContain("<b>");
    expect(await messagesOf(tenantId)).toEqual([]);
  });

  it("retries an email with increasing delays and the same ID, and does not store the mail server's text", async () => {
    const tenantId = newId("dev");
    const messageId = await enqueueTestMail(tenantId);
    const sendings = () => attempts.filter(({ id }) => id === messageId).length;
    failures = 2;

    await relayDueMessages(harness.app);
    await relayDueMessages(harness.app);
    expect(sendings()).toBe(1);
    const [postponed] = await messagesOf(tenantId);
    expect(postponed).toMatchObject({ attempts: 1, last_error: "Error EENVELOPE" });

    harness.clock.advanceSeconds(1);
    await relayDueMessages(harness.app);
    expect(sendings()).toBe(2);
    harness.clock.advanceSeconds(1);
    await relayDueMessages(harness.app);
    expect(sendings()).toBe(2);
    harness.clock.advanceSeconds(1);
    await relayDueMessages(harness.app);

    expect(sendings()).toBe(3);
    expect(await messagesOf(tenantId)).toEqual([]);
    expect(harness.logLines.join("")).not.toContain("is not here");
  });

  it("drops an email whose recipient is rejected permanently, and logs it without the address", async () => {
    const tenantId = newId("dev");
    const messageId = await enqueueTestMail(tenantId);
    refused.add(messageId);

    await relayDueMessages(harness.app);

    expect(attemptsOf(messageId)).toBe(1);
    expect(await messagesOf(tenantId)).toEqual([]);
    const logged = harness.logLines.filter((line) => line.includes(messageId));
    expect(logged).toEqual([expect.stringContaining("RecipientRejectedError")]);
    expect(logged.join("")).not.toMatch(/ada|the-token/);
  });

  it.each([
    ["its link has expired", 3_600],
    ["it has no link and is three days old", undefined],
  ])("drops an email when %s, and not a second earlier", async (_case, linkSeconds) => {
    const tenantId = newId("dev");
    const lifeSeconds = linkSeconds ?? 3 * 24 * 3_600;
    const at = harness.clock.now().getTime();
    const messageId = await enqueueTestMail(
      tenantId,
      linkSeconds === undefined ? undefined : new Date(at + linkSeconds * 1_000),
    );
    failures = 1;
    await relayDueMessages(harness.app);
    harness.clock.advanceSeconds(lifeSeconds - 1);
    failures = 1;
    await relayDueMessages(harness.app);
    expect(attemptsOf(messageId)).toBe(2);

    harness.clock.advanceSeconds(2);
    await relayDueMessages(harness.app);

    expect(attemptsOf(messageId)).toBe(2);
    expect(await messagesOf(tenantId)).toEqual([]);
    expect(harness.logLines.at(-1)).toContain('"reason":"expired"');
  });

  it("tries only one failing email per tenant and run, and sends due emails in order", async () => {
    const [failing, waiting] = [newId("dev"), newId("dev")];
    for (let count = 0; count < 8; count += 1) deferred.add(await enqueueTestMail(failing));
    harness.clock.advanceSeconds(1);
    const second = await enqueueTestMail(waiting);
    harness.clock.advanceSeconds(1);
    const third = await enqueueTestMail(waiting);
    const before = attempts.length;

    await relayDueMessages(harness.app);

    const tried = attempts.slice(before).map(({ id }) => id);
    expect(tried.filter((id) => deferred.has(id))).toHaveLength(1);
    expect(tried.filter((id) => !deferred.has(id))).toEqual([second, third]);
    expect(await messagesOf(failing)).toHaveLength(8);
  });

  it("sends an email once with concurrent relays", async () => {
    const tenantId = newId("dev");
    const messageId = await enqueueTestMail(tenantId);

    await Promise.all(Array.from({ length: 4 }, () => relayDueMessages(harness.app)));

    expect(attempts.filter(({ id }) => id === messageId)).toHaveLength(1);
  });

  it("serves other tenants if one tenant's email cannot be decrypted", async () => {
    const [broken, intact] = [newId("dev"), newId("dev")];
    const brokenId = await enqueueTestMail(broken);
    const intactId = await enqueueTestMail(intact);
    await query("update outbox_messages set sealed = '\\x00' where message_id = $1", [brokenId]);

    await relayDueMessages(harness.app);

    expect(attempts.some(({ id }) => id === intactId)).toBe(true);
    expect(attempts.some(({ id }) => id === brokenId)).toBe(false);
    expect(await messagesOf(broken)).toMatchObject([{ last_error: "EnvelopeError" }]);
  });
});
