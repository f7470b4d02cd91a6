import { randomUUID } from "node:crypto";
import { PermissionDeniedError } from "@purser/sdk";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible, TEST_MAX_MS, useDashboard } from "./use-dashboard.ts";

const dashboard = useDashboard();
const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";

/** Opens another screen by its entry in the navigation. */
async function openSection(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

/** Creates an agent with a funded wallet, and a policy that asks a person above an amount. */
async function seedAgent(name: string) {
  const purser = dashboard.client();
  const { agent_id } = await purser.agents.create({ name, description: "Buys data." });
  const { wallet_id } = await purser.wallets.create({ agent_id, network: "base" });
  await purser.wallets.fund(wallet_id, { amount: "100.00" });
  const policy = await purser.policies.create({
    name: `Policy of ${name}`,
    applies_to: { agent_ids: [agent_id] },
    approvals: { threshold_usd: "5.00" },
    rules: [
      {
        id: "daily_max",
        effect: "limit",
        operation: "payment",
        budget: { max: "20.00", period: "rolling_24h" },
      },
      { id: "allow_usdc", effect: "allow", operation: "payment", when: { token: { in: ["USDC"] } } },
    ],
  });
  const pay = (amount: string) => purser.payments.send({ agent_id, amount, to: PAYEE, purpose: "Weather data" });
  return { purser, agentId: agent_id, policyId: policy.policy_id, pay };
}

describe.skipIf(dashboard.missing)("agents in the dashboard", { timeout: TEST_MAX_MS }, () => {
  it("gives an agent a policy of 10 USDC a day, and a person approves a payment in the inbox", async () => {
    const { page } = await dashboard.open("/agents");
    await page.getByRole("button", { name: "Create agent" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Buyer");
    await page.getByRole("button", { name: "Create the agent" }).click();
    await page.getByRole("heading", { name: "Buyer", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Starter policy" }).first().waitFor();
    const agentId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

    await openSection(page, "Policies");
    await page.getByRole("button", { name: "Create policy" }).click();
    await page.getByRole("textbox", { name: "USDC a day" }).fill("10.00");
    await page.getByRole("combobox", { name: "Agents" }).click();
    await page.getByRole("option", { name: "Buyer" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Ten a day");
    await page.getByRole("button", { name: "Create the policy" }).click();
    await page.getByRole("heading", { name: "Ten a day", level: 1 }).waitFor();
    await page.getByLabel("Ask a person above (USD)").fill("4.00");
    await page.getByRole("button", { name: "Save as version 2" }).click();
    await page.getByText("Unsaved changes").waitFor({ state: "hidden" });

    const purser = dashboard.client();
    const { wallet_id } = await purser.wallets.create({ agent_id: agentId, network: "base" });
    await purser.wallets.fund(wallet_id, { amount: "100.00" });
    const pay = (amount: string) => purser.payments.send({ agent_id: agentId, amount, to: PAYEE, purpose: "Weather" });
    await expect(pay("11.00")).rejects.toBeInstanceOf(PermissionDeniedError);
    const waiting = await pay("4.50");
    expect(waiting.status).toBe("requires_approval");

    await openSection(page, "Approvals");
    const row = page.getByRole("row", { name: /Pay 4.50 USDC/ });
    expect(await row.innerText()).toMatch(/Buyer\s+Threshold, New payee\s+Pending/);
    await row.getByRole("link").click();
    await page.getByText("10.00 USD → 5.50 USD").waitFor();
    await page.getByText("100.00 USDC → 95.50 USDC").waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByLabel("Reason").fill("We need it");
    await page.getByRole("button", { name: "Approve 4.50 USDC" }).click();
    await page.getByText("The request is confirmed.").waitFor();
    await page.getByText(/Approved by the account's owner, in the dashboard.*We need it/).waitFor();
    expect((await purser.payments.get(waiting.payment_id)).status).toBe("confirmed");

    await page.getByRole("link", { name: "Buyer" }).click();
    await page.getByText("5.50 USD left").waitFor();
    await page.getByRole("row", { name: /4.50 USDC.*Confirmed.*Weather/ }).waitFor();
  });

  it("says who decided an approval meanwhile, and why an approved payment failed", async () => {
    const { purser, pay } = await seedAgent("Racer");
    const [first, second] = [await pay("6.00"), await pay("7.00")];
    const path = `/approvals/${first.approval?.approval_id}`;
    const { page, context } = await dashboard.open(path);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("dialog").getByLabel("Reason").waitFor();
    // This page does not learn of the other decision before it sends its own.
    const pending = await (await page.waitForResponse(`**/svc${path}`)).json();
    await page.route(`**/svc${path}`, (route) => route.fulfill({ json: pending }));
    const other = await context.request.post(dashboard.at(`/api/v1/svc${path}/approve`), {
      headers: { origin: dashboard.at(""), "x-svc-mode": "test", "idempotency-key": randomUUID() },
      data: { note: "Faster" },
    });
    expect(other.status()).toBe(200);
    await page.getByRole("button", { name: "Deny 6.00 USDC" }).click();
    await page.unroute(`**/svc${path}`);
    const vote = page.getByText(/Approved by the account's owner, in the dashboard.*Faster/);
    await vote.or(page.getByRole("dialog").getByRole("alert")).first().waitFor();
    expect(await page.getByRole("dialog").getByRole("alert").count()).toBe(0);
    await page.getByText("The request is confirmed.").waitFor();

    await pay("4.99");
    await pay("4.99");
    await openSection(page, "Approvals");
    await page
      .getByRole("row", { name: /Pay 7.00 USDC/ })
      .getByRole("link")
      .click();
    await page.getByText("exceeded by 2.98 USD").waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("button", { name: "Approve 7.00 USDC" }).click();
    await page.getByText("Approved, but not carried out").waitFor();
    await page.getByText(/The request is denied: /).waitFor();
    expect((await purser.payments.get(second.payment_id)).status).toBe("denied");
  });

  it("edits a policy as a form and as JSON, tries it, and rolls it back", async () => {
    const { policyId, pay } = await seedAgent("Reader");
    await pay("1.00");
    const { page } = await dashboard.open(`/policies/${policyId}`);
    const json = page.getByLabel("JSON");
    const rule = page.getByRole("region", { name: "Rule daily_max" });
    await rule.getByLabel("At most").fill("a lot");
    expect(await json.inputValue()).toContain('"max": "a lot"');
    await page.getByRole("button", { name: "Save as version 2" }).click();
    await page.getByText("/rules/0/budget/max").waitFor();
    expect(await rule.getByLabel("At most").getAttribute("aria-invalid")).toBe("true");
    await expectAccessible(page);
    await json.fill((await json.inputValue()).replace("a lot", "0.50"));
    expect(await rule.getByLabel("At most").inputValue()).toBe("0.50");
    expect(await page.getByRole("region", { name: "Changed lines" }).innerText()).toBe(
      '-         "max": "20.00",\n+         "max": "0.50",',
    );

    await page.getByRole("tab", { name: "Dry run" }).click();
    // The browser asks whether to leave, and this one answers no.
    await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Wallets" }).click();
    await page.getByRole("button", { name: "Evaluate" }).click();
    await page.getByText("Refused: the rule daily_max decides").waitFor();
    await page.getByText("0.00 of 0.50 used, 0.50 left").waitFor();
    await expectAccessible(page);
    await page.getByRole("tab", { name: "Back-test" }).click();
    await page.getByRole("combobox", { name: "Agent" }).click();
    await page.getByRole("option", { name: "Reader" }).click();
    await page.getByRole("button", { name: "Replay 30 days" }).click();
    await page.getByText("refuses 1, asks for 0 (1.00 USD)").waitFor();
    await page.locator(".recharts-surface").first().waitFor();
    await expectAccessible(page);

    await page.getByRole("tab", { name: "Rules" }).click();
    await page.getByRole("button", { name: "Save as version 2" }).click();
    await page.getByText("Unsaved changes").waitFor({ state: "hidden" });
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByRole("row", { name: /2 Changed rules/ }).waitFor();
    await page.getByRole("button", { name: "Roll back" }).click();
    await page.getByRole("button", { name: "Make version 3" }).click();
    await page.getByRole("row", { name: /3 Rolled back to version 1.*Current/ }).waitFor();
    expect(await page.getByRole("region", { name: "Changed lines" }).innerText()).toMatch(
      /-.*"0.50"[\s\S]*\+.*"20.00"/,
    );
  });

  it("gives an agent a key, edits it, and revokes it for good", async () => {
    const { agentId, pay } = await seedAgent("Finch");
    const { approval } = await pay("9.00");
    const { page } = await dashboard.open(`/agents/${agentId}`);
    await page.getByText("20.00 USD left").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("worker");
    await page.getByRole("button", { name: "Create key pair" }).click();
    const secret = await page.getByRole("dialog").locator("code").last().innerText();
    expect(secret).toMatch(/^svc_ss_test_/);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("row", { name: /worker.*Active.*Never/ }).waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Metadata").fill('{"team": "research", "floor": "3"}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("definition").filter({ hasText: "research" }).waitFor();
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("button", { name: "Suspend the agent" }).click();
    await page.getByText("Suspended: it and its descendants").waitFor();
    await page.getByRole("button", { name: "Revoke" }).click();
    expect(await page.getByRole("button", { name: "Revoke the agent" }).isDisabled()).toBe(true);
    await page.getByLabel("Type Finch to confirm").fill("Finch");
    await page.getByRole("button", { name: "Revoke the agent" }).click();
    await page.getByText("Revoked for good").waitFor();
    await page.getByRole("row", { name: /worker.*Revoked/ }).waitFor();

    await openSection(page, "Agents");
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Revoked" }).click();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    expect(page.url()).toContain("status=revoked");
    await expectAccessible(page);
    await openSection(page, "Policies");
    await page.getByRole("row", { name: /Policy of Finch.*Finch/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create policy" }).click();
    await page.getByRole("textbox", { name: "USDC a day" }).waitFor();
    // Its text is pale while it appears.
    const opacity = "getComputedStyle(document.querySelector('.mantine-Modal-content')).opacity";
    await expect.poll(() => page.evaluate(opacity)).toBe("1");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await openSection(page, "Approvals");
    await page.getByRole("row", { name: /Pay 9.00 USDC/ }).waitFor();
    await expectAccessible(page);
    await page.goto(dashboard.at(`/dashboard/test/approvals/${approval?.approval_id}`));
    await page.getByText("Why you are asked").waitFor();
    await expectAccessible(page);
  });
});
