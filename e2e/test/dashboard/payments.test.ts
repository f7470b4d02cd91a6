import { readFile } from "node:fs/promises";
import { type Payment, type Purser, verifyPaymentReceipt, verifyRevocation } from "@purser/sdk";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { expectAccessible, TEST_MAX_MS, useDashboard } from "./use-dashboard.ts";

const dashboard = useDashboard();
const OUTSIDE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";

interface Scene {
  readonly purser: Purser;
  readonly buyer: string;
  readonly shop: string;
  readonly shopWallet: string;
}

describe.skipIf(dashboard.missing)("payments, wallets and the kill switch", { timeout: TEST_MAX_MS }, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await arrange(dashboard.client());
  }, TEST_MAX_MS);

  it("finds a payment by its reference, shows its verified receipt, and refunds a part of it", async () => {
    const paid = await pay(scene, { to: scene.shopWallet, reference: "order-7", purpose: "Seven apples" });
    await pay(scene, { to: OUTSIDE, reference: "order-8" });
    const { page } = await dashboard.open("/payments");
    await page.getByRole("row", { name: /order-8/ }).waitFor();

    await page.getByLabel("Reference").fill("order-7");
    await page.getByLabel("Reference").press("Enter");
    await page.getByRole("row", { name: /order-8/ }).waitFor({ state: "hidden" });
    expect(new URL(page.url()).search).toBe("?reference=order-7");
    await page.reload();
    const row = page.getByRole("row", { name: /5\.00 USDC.*Confirmed.*buyer.*Seven apples/ });
    await row.getByRole("link", { name: "5.00 USDC" }).click();

    await page.getByRole("heading", { name: "Payment of 5.00 USDC" }).waitFor();
    await page.getByText("Valid receipt", { exact: true }).waitFor();
    const saved = await download(page, "Download the receipt");
    await verifyPaymentReceipt(JSON.parse(saved) as Payment, await keys());
    await expectAccessible(page);

    await page.getByRole("button", { name: "Refund payment" }).click();
    const dialog = page.getByRole("dialog", { name: "Refund payment" });
    await dialog.getByLabel("Amount").fill("abc");
    await dialog.getByRole("button", { name: "Refund payment" }).click();
    await dialog.getByText("Correct what is marked above.").waitFor();
    await dialog.getByLabel("Amount").fill("5.01");
    await dialog.getByRole("button", { name: "Refund payment" }).click();
    await dialog.getByText("must be at most 5.00").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Refund payment" }).click();
    expect(await dialog.getByLabel("Amount").inputValue()).toBe("5.00");
    await dialog.getByLabel("Amount").fill("1.25");
    await dialog.getByLabel("Reason").fill("One apple was bad");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Refund payment" }).click();

    await page.getByText("Partially refunded", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Timeline" }).getByText("Refunded").waitFor();
    const { status, refunded_amount } = await scene.purser.payments.get(paid.payment_id);
    expect({ status, refunded_amount }).toEqual({ status: "partially_refunded", refunded_amount: "1.25" });
  });

  it("captures, voids and cancels what waits", async () => {
    const held = { to: OUTSIDE, execution: "authorize_only" } as const;
    const [captured, voided] = [await pay(scene, held), await pay(scene, held)];
    const { page } = await dashboard.open(`/payments/${captured.payment_id}`);
    await page.getByText("5.00 USDC are held").waitFor();
    await page.getByRole("button", { name: "Capture payment" }).click();
    await page.getByLabel("Amount").fill("4.50");
    await page.getByRole("dialog").getByRole("button", { name: "Capture payment" }).click();
    await page.getByText("Valid receipt", { exact: true }).waitFor();
    expect(await scene.purser.payments.get(captured.payment_id)).toMatchObject({ paid_amount: "4.50" });

    await page.goto(dashboard.at(`/dashboard/test/payments/${voided.payment_id}`));
    await page.getByRole("button", { name: "Void payment" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Void payment" }).click();
    await page.getByText("Voided", { exact: true }).first().waitFor();

    const asked = await pay(scene, { to: OUTSIDE, amount: "150.00" });
    await page.goto(dashboard.at(`/dashboard/test/payments/${asked.payment_id}`));
    await page.getByText("Waits for a person").waitFor();
    await page.getByRole("button", { name: "Cancel payment" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel payment" }).click();
    await page.getByText("Canceled", { exact: true }).first().waitFor();
  });

  it("lists payments and their CSV file accessibly, and says when no payment matches", async () => {
    const { page } = await dashboard.open("/payments?status=confirmed");
    await page.getByRole("row", { name: /order-8/ }).waitFor();
    await expectAccessible(page);
    expect(await download(page, "CSV")).toContain(`order-8`);

    await page.getByLabel("Created to").fill("2001-02-03");
    await page.getByText("Nothing matches the filters.").waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await page.getByRole("row", { name: /order-8/ }).waitFor();
  });

  it("lists the requests to pay that were refused, with the reason", async () => {
    await expect(pay(scene, { to: OUTSIDE, amount: "99999.00" })).rejects.toThrow(/insufficient_funds|policy_denied/);
    const { page } = await dashboard.open("/payments");
    await page.getByRole("tab", { name: "Refused" }).click();
    await page.getByRole("row", { name: /99,?999\.00 USDC.*buyer/ }).waitFor();
    await expectAccessible(page);
  });

  it("creates a wallet, funds it, and names it", async () => {
    const { page } = await dashboard.open("/wallets");
    await page.getByRole("button", { name: "Create wallet" }).click();
    const dialog = page.getByRole("dialog", { name: "Create wallet" });
    await choose(dialog, "Agent", "shop");
    await choose(dialog, "Network", "Polygon");
    await dialog.getByRole("button", { name: "Create wallet" }).click();

    await page.getByText("Nothing has happened yet").waitFor();
    await page.getByRole("button", { name: "Fund wallet" }).click();
    await page.getByLabel("Amount").fill("75.00");
    await page.getByRole("button", { name: "Add test tokens" }).click();
    await page.getByRole("cell", { name: "+75.00 USDC" }).waitFor();
    await page.getByRole("row", { name: "USDC 75.00 0.00 75.00 75.00" }).waitFor();
    expect(await download(page.getByRole("region", { name: "Activity" }), "CSV")).toContain("deposit,75.00,USDC");

    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Name").fill("till");
    await page.getByLabel("Metadata").fill('{"team": "growth"}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "till" }).waitFor();
    await page.getByText("team: growth").waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "← Wallets" }).click();
    await page.getByRole("row", { name: /till.*shop.*Polygon.*75\.00 USDC.*Active/ }).waitFor();
    await expectAccessible(page);
  });

  it("freezes a wallet on the chain after its address is typed, and unfreezes it", async () => {
    const { address } = await scene.purser.wallets.get(scene.shopWallet);
    const { page } = await dashboard.open(`/wallets/${scene.shopWallet}`);
    await page.getByRole("button", { name: "Freeze on the chain" }).click();
    const dialog = page.getByRole("dialog", { name: "Freeze on the chain" });
    const freeze = dialog.getByRole("button", { name: "Freeze on the chain" });
    await dialog.getByLabel("Note").fill("The laptop is gone");
    await expectAccessible(page);
    expect(await freeze.isDisabled()).toBe(true);
    await dialog.getByLabel(/^Type/).fill(address.slice(-6));
    await freeze.click();

    const report = page.getByRole("dialog", { name: "The wallet is frozen" });
    await report.getByText("Valid proof", { exact: true }).waitFor();
    await report.getByRole("button", { name: "Close" }).click();
    const layers = page.getByRole("region", { name: "Freeze" });
    await layers.getByText("Frozen", { exact: true }).first().waitFor();
    await layers.getByText("The laptop is gone").waitFor();
    await layers.getByText("Simulated", { exact: true }).waitFor();
    await expect(pay(scene, { to: scene.shopWallet })).rejects.toThrow("wallet_frozen");

    await page.getByRole("button", { name: "Unfreeze wallet" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unfreeze wallet" }).click();
    await page.getByRole("button", { name: "Freeze wallet", exact: true }).waitFor();
    expect(await pay(scene, { to: scene.shopWallet })).toMatchObject({ status: "confirmed" });
  });

  it("stops an agent, shows what was stopped, and saves the proof", async () => {
    const waiting = await pay(scene, { to: OUTSIDE, amount: "150.00" });
    const { page } = await dashboard.open("/kill-switch");
    await page.getByText("No kill switch has been triggered").waitFor();
    expect(await page.getByRole("button", { name: "Stop the agent" }).isDisabled()).toBe(true);
    await choose(page, "Agent", "buyer");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Stop buyer" }).click();
    const dialog = page.getByRole("dialog", { name: "Stop buyer" });
    await dialog.getByLabel("Reason").fill("Its host was compromised");
    await dialog.getByLabel("Type buyer to confirm").fill("buyer");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Stop buyer" }).click();

    await page.getByText("The agent is stopped").waitFor();
    await page.getByRole("row", { name: /Agent buyer Stopped/ }).waitFor();
    await page.getByText("Valid proof", { exact: true }).waitFor();
    const proof = JSON.parse(await download(page, "Download the proof"));
    await verifyRevocation(proof, await keys());
    await expectAccessible(page);
    expect(await scene.purser.agents.get(scene.buyer)).toMatchObject({ status: "suspended" });
    expect(await scene.purser.payments.get(waiting.payment_id)).toMatchObject({ status: "canceled" });

    await page.getByRole("button", { name: "Run again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run again" }).click();
    await expect.poll(() => page.locator("dt", { hasText: "Runs" }).locator("+ dd").innerText()).toBe("2");
    await page.getByRole("link", { name: "← Kill switch" }).click();
    await page.getByRole("row", { name: /Its host was compromised buyer Completed/ }).waitFor();
  });
});

/** An agent that pays, and one that is paid. More than 100 USDC need an approval. */
async function arrange(purser: Purser): Promise<Scene> {
  const { policy_id } = await purser.policies.create({
    name: "pay",
    rules: [
      { id: "large", effect: "require_approval", operation: "payment", when: { amount_usd: { gt: "100" } } },
      { id: "all", effect: "allow", operation: "payment" },
    ],
  });
  const [buyer, shop] = [
    await purser.agents.create({ name: "buyer", policy_id }),
    await purser.agents.create({ name: "shop", policy_id }),
  ];
  const wallet = await purser.wallets.create({ agent_id: buyer.agent_id, network: "base" });
  await purser.wallets.fund(wallet.wallet_id, { amount: "1000.00" });
  const { wallet_id } = await purser.wallets.create({ agent_id: shop.agent_id, network: "base" });
  return { purser, buyer: buyer.agent_id, shop: shop.agent_id, shopWallet: wallet_id };
}

async function pay(
  { purser, buyer }: Scene,
  order: Omit<Parameters<Purser["payments"]["send"]>[0], "agent_id" | "amount"> & { readonly amount?: string },
): Promise<Payment> {
  const sent = await purser.payments.send({ agent_id: buyer, amount: "5.00", ...order });
  if (sent.object !== "payment") throw new Error("The payment was only simulated.");
  return sent;
}

async function choose(scope: Scope, label: string, option: string): Promise<void> {
  await scope.getByRole("combobox", { name: label }).click();
  const shown = pageOf(scope).getByRole("option", { name: option, exact: true });
  await shown.click();
  await shown.waitFor({ state: "hidden" });
}

type Scope = Page | ReturnType<Page["locator"]>;

function pageOf(scope: Scope): Page {
  return "page" in scope ? scope.page() : scope;
}

/** Clicks a button, and returns the content of the file that it saves. */
async function download(scope: Scope, button: string): Promise<string> {
  const saving = pageOf(scope).waitForEvent("download");
  await scope.getByRole("button", { name: button }).click();
  return readFile(await (await saving).path(), "utf8");
}

async function keys(): Promise<Parameters<typeof verifyRevocation>[1]> {
  return (await fetch(dashboard.at("/.well-known/jwks.json"))).json() as Promise<never>;
}
