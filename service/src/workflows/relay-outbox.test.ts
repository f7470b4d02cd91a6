import { describe, expect, it } from "vitest";
import { accountsOf } from "../../test/accounts.ts";
import { useHarness } from "../../test/harness.ts";
import type { Actor } from "../audit/append.ts";
import { withTransaction } from "../db/transaction.ts";
import { newId, type TenantId } from "../foundation/ids.ts";
import { enqueueEvent, enqueueMail, outboxMailContext } from "../outbox/enqueue.ts";
import { lockDueEvents } from "../outbox/queries.ts";
import type { Mail } from "../ports/mailer.ts";
import { openVault } from "../vault/open-vault.ts";
import { relayDueMessages } from "./relay-outbox.ts";

describe("the outbox relay", () => {
  let failures = 0;
  const attempts: Mail[] = [];
  const harness = useHarness({
    replace: () => ({
      mailer: {
        send: async (mail) => {
          attempts.push(mail);
          if (failures === 0) return;
          failures -= 1;
          throw Object.assign(new Error(`550 ${mail.to} is not here`), { code: "EENVELOPE" });
        },
      },
    }),
  });
  const { query } = accountsOf(harness);

  function actorOf(tenantId: TenantId): Actor {
    const actor = { type: "developer", id: tenantId, key_id: null, ip: null } as const;
    return { tenantId, mode: "live", actor, requestId: "req_1" };
  }

  async function leaveEvent(tenantId: TenantId, subjectId: string, step: number) {
    await withTransaction(harness.app.db, tenantId, (tx) =>
      enqueueEvent(tx, actorOf(tenantId), {
        type: "project.created",
        subject: { type: "project", id: subjectId },
        data: { step },
        occurredAt: harness.clock.now(),
      }),
    );
  }

  async function leaveMail(tenantId: TenantId, token = "the-token-of-the-link"): Promise<string> {
    const messageId = newId("mail");
    const vault = await openVault(harness.app, tenantId);
    await withTransaction(harness.app.db, tenantId, (tx) =>
      enqueueMail(
        tx,
        { tenantId, mode: "live" },
        {
          messageId,
          template: "verify_email",
          to: "ada+<b>@example.com",
          sealedToken: vault.seal(outboxMailContext(messageId), token),
          createdAt: harness.clock.now(),
        },
      ),
    );
    return messageId;
  }

  const eventsOf = (tenantId: TenantId) =>
    query("select * from events where tenant_id = $1 order by subject_id, sequence", [tenantId]);
  const messagesOf = (tenantId: TenantId) =>
    query("select * from outbox_messages where tenant_id = $1", [tenantId]);

  it("appends events once, in their order, numbered by subject, whoever relays at the same time", async () => {
    const tenantId = newId("dev");
    for (let step = 1; step <= 130; step += 1) {
      await leaveEvent(tenantId, step % 2 === 0 ? "proj_even" : "proj_odd", step);
    }

    await Promise.all(Array.from({ length: 4 }, () => relayDueMessages(harness.app)));

    const events = await eventsOf(tenantId);
    const even = events.filter(({ subject_id }) => subject_id === "proj_even");
    expect(events).toHaveLength(130);
    expect(even.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 65 }, (_, n) => n + 1),
    );
    expect(even.map(({ data }) => data.step)).toEqual(
      Array.from({ length: 65 }, (_, n) => 2 * (n + 1)),
    );
    expect(events[0]).toMatchObject({
      type: "project.created",
      mode: "live",
      request_id: "req_1",
      actor: { id: tenantId },
    });
    expect(await messagesOf(tenantId)).toEqual([]);
  });

  /** Waits, with a bound, until some statement of this database waits for another's lock. */
  async function untilSomebodyWaits(): Promise<string> {
    for (let turn = 0; turn < 500; turn += 1) {
      const waiting = await query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      if (waiting.length > 0) return "waits";
    }
    return "nobody waits";
  }

  it("passes no later event on while another relay holds an earlier one", async () => {
    const tenantId = newId("dev");
    await leaveEvent(tenantId, "proj_one", 1);
    await leaveEvent(tenantId, "proj_one", 2);
    let relay = Promise.resolve(0);

    const meanwhile = await withTransaction(harness.app.db, tenantId, async (tx) => {
      await lockDueEvents(tx, { tenantId, at: harness.clock.now(), limit: 1 });
      relay = relayDueMessages(harness.app);
      return Promise.race([relay.then(() => "went on"), untilSomebodyWaits()]);
    });

    expect(meanwhile).toBe("waits");
    expect(await relay).toBe(2);
    expect((await eventsOf(tenantId)).map(({ data }) => data.step)).toEqual([1, 2]);
  });

  it("sends a mail with its link, and forgets it", async () => {
    const tenantId = newId("dev");
    const messageId = await leaveMail(tenantId);

    expect(await relayDueMessages(harness.app)).toBe(1);

    const link =
      "http://purser.test/api/v1/svc/developers/verify-email?token=the-token-of-the-link";
    const mail = attempts.find(({ id }) => id === messageId);
    expect(mail).toMatchObject({ to: "ada+<b>@example.com" });
    expect(mail?.text).toContain(link);
    expect(mail?.text).toMatch(/If it was not you/);
    expect(mail?.html).toContain(`href="${link}"`);
    expect(mail?.html).toContain("ada+&lt;b&gt;@example.com");
    expect(mail?.html).not.toContain("<b>");
    expect(await messagesOf(tenantId)).toEqual([]);
  });

  it("tries a mail again, later each time, under the same id, and keeps no word of the server's", async () => {
    const tenantId = newId("dev");
    const messageId = await leaveMail(tenantId);
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

  it("sends a mail once when two relays come for it at once", async () => {
    const tenantId = newId("dev");
    const messageId = await leaveMail(tenantId);

    await Promise.all(Array.from({ length: 4 }, () => relayDueMessages(harness.app)));

    expect(attempts.filter(({ id }) => id === messageId)).toHaveLength(1);
  });

  it("serves the other tenants when one's mail does not open", async () => {
    const [broken, sound] = [newId("dev"), newId("dev")];
    const brokenId = await leaveMail(broken);
    const soundId = await leaveMail(sound);
    await query("update outbox_messages set sealed = '\\x00' where message_id = $1", [brokenId]);

    await relayDueMessages(harness.app);

    expect(attempts.some(({ id }) => id === soundId)).toBe(true);
    expect(attempts.some(({ id }) => id === brokenId)).toBe(false);
    expect(await messagesOf(broken)).toMatchObject([{ last_error: "EnvelopeError" }]);
  });
});
