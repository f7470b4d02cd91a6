import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf, PASSWORD } from "../../../../../test/accounts.ts";
import { type ApprovalSeed, approvalPathOf, seedApproval } from "../../../../../test/approvals/seed-approval.ts";
import { newBrowser } from "../../../../../test/browser.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { seedPayer } from "../../../../../test/payments/pay.ts";
import { seedAgent } from "../../../../../test/services.ts";
import type { TenantId } from "../../../../foundation/ids.ts";

describe("/approve/{token}", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const { query } = accounts;

  /** A payment that waits for an approval, and the path of its page. */
  async function arrangePayment() {
    const payer = await seedPayer(harness, {
      rules: [
        { id: "allow", effect: "allow", operation: "payment" },
        { id: "ask", effect: "require_approval", operation: "payment" },
        { id: "day", effect: "limit", budget: { max: "8.00", period: "rolling_24h" } },
      ],
    });
    const { tenant, agentId } = payer;
    await tenant.post("/projects", { name: "shop", agent_ids: [agentId], monthly_cap: "50.00" });
    expect((await payer.pay()).status).toBe(202);
    return { payer, page: () => approvalPathOf(harness, tenant.tenantId) };
  }

  async function arrange(seed: ApprovalSeed = {}) {
    const tenantId = await harness.seedDeveloper();
    const approvalId = await seedApproval(harness.app, tenantId, seed);
    const path = await approvalPathOf(harness, tenantId);
    const read = async () =>
      (await query("select status, votes from approvals where approval_id = $1", [approvalId]))[0];
    return { tenantId, approvalId, path, read, browser: newBrowser(harness) };
  }

  it("200: shows what is requested, by which agent and until when, and decides nothing", async () => {
    const tenantId = await harness.seedDeveloper();
    const agentId = await seedAgent(harness.app, { tenantId });
    await seedApproval(harness.app, tenantId, { agentId, mode: "live" });
    const path = await approvalPathOf(harness, tenantId);

    const { status, text, headers } = await newBrowser(harness).open(path);

    expect(status).toBe(200);
    for (const part of [
      "Add neon/postgres",
      "20.00 USD",
      "<bdi>neon</bdi>",
      `<bdi>buyer</bdi>, <code>${agentId}</code>`,
      "the tests need a database",
      "Launch plan, a month",
      "new payee",
      "2026-11-21 11:00:00 UTC",
    ]) {
      expect(text).toContain(part);
    }
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
    const head = await harness.send({ method: "HEAD", url: path });
    expect(head.status).toBe(200);
    const [row] = await query("select status from approvals where tenant_id = $1", [tenantId]);
    expect(row).toEqual({ status: "pending" });
  });

  it("200: shows the rule that asks, and what is left before and after", async () => {
    const { payer, page } = await arrangePayment();

    const { status, text, headers } = await newBrowser(harness).open(await page());

    expect(status).toBe(200);
    for (const part of [
      "The rule ask of the policy",
      "USDC of the wallet: 1000.00, then 995.00",
      "The project&#39;s monthly cap: 50.00, then 45.00",
      "The agent&#39;s budget for a day: 8.00, then 3.00",
    ]) {
      expect(text).toContain(part);
    }
    expect(await payer.balance()).toMatchObject({ total: 1_000_000_000n });
    const [, script = ""] = /<script>(.*)<\/script>/s.exec(text) ?? [];
    expect(headers["content-security-policy"]).toContain(`script-src 'sha256-${hash("sha256", script, "base64")}'`);
    expect(text.indexOf("<script>")).toBeGreaterThan(text.lastIndexOf("<time"));
    await query("update projects set deleted_at = now() where tenant_id = $1", [payer.tenant.tenantId]);
    const without = await newBrowser(harness).open(await page());
    expect([without.status, without.text.includes("monthly cap")]).toEqual([200, false]);
  });

  it.each([
    ["is made", null, "The request is <strong>confirmed</strong>."],
    [
      "fails, with the reason",
      "update ledger_accounts set posted = 1 where subject_id = $1 and asset = 'usdc'",
      "pproved, but not carried out</h1>\n<p>The request is <strong>failed</strong>: <bdi>",
    ],
  ])("200: says that the approved payment %s", async (_case, change, part) => {
    const { payer, page } = await arrangePayment();
    const browser = newBrowser(harness);
    const form = await browser.open(await page());
    if (change !== null) await query(change, [payer.walletId]);

    const decided = await browser.submit(form, { decision: "approved" });
    const again = await browser.open(await page());

    for (const { text } of [decided, again]) expect(text).toContain(part);
    expect(decided.text).not.toContain("continues");
  });

  it("approve_page_url: the developer decides after logging in, and no one else", async () => {
    const account = await accounts.seedAccount();
    const tenantId = account.developerId as TenantId;
    const approvalId = await seedApproval(harness.app, tenantId);
    const logIn = async ({ email }: { readonly email: string }) => {
      const browser = newBrowser(harness, { from: accounts.newAddress() });
      const credentials = JSON.stringify({ email, password: PASSWORD });
      await browser.sendRaw("/api/v1/svc/developers/login", credentials, { "content-type": "application/json" });
      return browser;
    };
    const url = `/approve/${approvalId}`;
    for (const browser of [newBrowser(harness), await logIn(await accounts.seedAccount())]) {
      const { status, text } = await browser.open(url);
      expect([status, text.includes("<h1>Log in first</h1>")]).toEqual([403, true]);
      expect(text).not.toContain("neon");
    }

    const browser = await logIn(account);
    const decided = await browser.submit(await browser.open(url), { decision: "denied" });

    expect(decided.text).toContain("<h1>Denied</h1>");
    const [row] = await query("select votes from approvals where approval_id = $1", [approvalId]);
    expect(row.votes).toMatchObject([{ decision: "denied", via: "dashboard" }]);
  });

  it("escapes what agents wrote", async () => {
    const { browser, path } = await arrange({
      summary: { title: "<script>1</script>", payee: "<i>", reason: `"><img>`, riskFlags: ["<u>"] },
    });

    const { text } = await browser.open(path);

    expect(text).not.toMatch(/<script>1|<img|<i>|<u>/);
  });

  it.each([
    ["approved", "Approved"],
    ["denied", "Denied"],
  ])("200: %s, without a session, as the developer who got the email", async (decision, title) => {
    const { browser, path, read, tenantId } = await arrange();

    const { status, text, headers } = await browser.submit(await browser.open(path), { decision });

    expect([status, headers["referrer-policy"]]).toEqual([200, "no-referrer"]);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(await read()).toMatchObject({
      status: decision,
      votes: [{ decision, by: { type: "developer", id: tenantId }, via: "email_link" }],
    });
  });

  it("409: opened or submitted again, in this browser or another", async () => {
    const { browser, path, read } = await arrange();
    const other = newBrowser(harness);
    const [form, otherForm] = [await browser.open(path), await other.open(path)];
    await browser.submit(form, { decision: "approved" });

    const answers = [
      await browser.open(path),
      await browser.submit(form, { decision: "denied" }),
      await other.open(path),
      await other.submit(otherForm, { decision: "denied" }),
    ];

    for (const { status, text } of answers) {
      expect(status).toBe(409);
      expect(text).toContain("<h1>Already approved</h1>");
    }
    expect(await read()).toMatchObject({ status: "approved", votes: [{ decision: "approved" }] });
  });

  it("409: expired, from the second of expires_at", async () => {
    const { browser, path, read } = await arrange({ seconds: 60 });
    harness.clock.advanceSeconds(59);
    const form = await browser.open(path);
    expect(form.status).toBe(200);

    harness.clock.advanceSeconds(1);
    const answers = [await browser.submit(form, { decision: "approved" }), await browser.open(path)];

    for (const { status, text } of answers) {
      expect(status).toBe(409);
      expect(text).toContain("<h1>This request has expired</h1>");
    }
    expect(await read()).toMatchObject({ votes: [] });
  });

  it("422: without the form's own hidden field, which shows the form again", async () => {
    const { browser, path, read } = await arrange();
    const form = await browser.open(path);

    const answers = [
      await browser.send(path, { once: "x", decision: "approved" }),
      await newBrowser(harness).submit(form, { decision: "approved" }),
    ];

    for (const { status, text } of answers) {
      expect(status).toBe(422);
      expect(text).toContain("Send it again");
    }
    expect(await read()).toMatchObject({ status: "pending" });
  });

  it("403: submitted by a page of another site", async () => {
    const { browser, path, read } = await arrange();
    const form = await browser.open(path);

    const answer = await browser.submit(
      form,
      { decision: "approved" },
      { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    );

    expect([answer.status, (await read()).status]).toEqual([403, "pending"]);
  });

  it("422: an unknown token", async () => {
    const { browser, path } = await arrange();
    const form = await browser.open(path);
    const unknown = `/approve/${"x".repeat(43)}`;
    const { once = "" } = { once: /name="once" value="([^"]*)"/.exec(form.text)?.[1] };

    const answers = [await browser.open(unknown), await browser.send(unknown, { once, decision: "approved" })];

    for (const { status, text } of answers) {
      expect(status).toBe(422);
      expect(text).toContain("<h1>This link does not work</h1>");
    }
  });

  it("422: another decision", async () => {
    const { browser, path, read } = await arrange();

    const answer = await browser.submit(await browser.open(path), { decision: "expired" });

    expect([answer.status, (await read()).status]).toEqual([422, "pending"]);
  });
});
