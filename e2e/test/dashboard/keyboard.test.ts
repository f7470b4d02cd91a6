import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { TEST_MAX_MS, useDashboard } from "./use-dashboard.ts";

const dashboard = useDashboard();
/** More than any screen has controls. */
const TABS_MAX = 150;

describe.skipIf(dashboard.missing)("the dashboard without a mouse", { timeout: TEST_MAX_MS }, () => {
  it("makes an agent and its policy, approves and refunds a payment, freezes and unfreezes the wallet", async () => {
    const { page } = await dashboard.newSession();
    await page.goto(dashboard.at("/dashboard/test/agents"));
    await type(page, field(page, "Email address"), dashboard.line().demo.email);
    await type(page, field(page, "Password"), dashboard.line().demo.password);
    await page.keyboard.press("Enter");

    await press(page, button(page, "Create agent"));
    await type(page, field(page, "Name"), "Keys only");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Keys only", level: 1 }).waitFor();
    const agentId = new URL(page.url()).pathname.split("/").at(-1) ?? "";

    await openScreen(page, "Policies");
    await press(page, button(page, "Create policy"));
    await type(page, field(page, "Name"), "Ten a day");
    await choose(page, "Agents", "Keys only");
    await type(page, field(page, "USDC a day"), "10.00");
    await press(page, button(page, "Create the policy"));
    await page.getByRole("heading", { name: "Ten a day", level: 1 }).waitFor();
    await type(page, field(page, "Ask a person above (USD)"), "4.00");
    await press(page, button(page, "Save as version 2"));
    await page.getByText("Unsaved changes").waitFor({ state: "hidden" });

    const purser = dashboard.client();
    const { wallet_id, address } = await purser.wallets.create({ agent_id: agentId, network: "base" });
    await purser.wallets.fund(wallet_id, { amount: "100.00" });
    const shop = await purser.agents.create({ name: "Shop" });
    const { wallet_id: to } = await purser.wallets.create({ agent_id: shop.agent_id, network: "base" });
    const { payment_id } = await purser.payments.send({ agent_id: agentId, amount: "4.50", to });
    const status = async () => (await purser.payments.get(payment_id)).status;
    expect(await status()).toBe("requires_approval");

    await openScreen(page, "Approvals");
    await press(page, page.getByRole("row", { name: /Pay 4.50 USDC/ }).getByRole("link"));
    await press(page, button(page, "Approve"));
    await press(page, button(page, "Approve 4.50 USDC"));
    await page.getByText("The request is confirmed.").waitFor();
    expect(await status()).toBe("confirmed");

    await openScreen(page, "Payments");
    await press(
      page,
      page.getByRole("row", { name: /4\.50 USDC.*Keys only/ }).getByRole("link", { name: "4.50 USDC" }),
    );
    await press(page, button(page, "Refund payment"));
    await press(page, page.getByRole("dialog").getByRole("button", { name: "Refund payment" }));
    await page.getByRole("region", { name: "Timeline" }).getByText("Refunded").waitFor();
    expect(await status()).toBe("refunded");

    await openScreen(page, "Wallets");
    await press(
      page,
      page
        .getByRole("row", { name: /Keys only/ })
        .getByRole("link")
        .first(),
    );
    await press(page, button(page, "Freeze on the chain"));
    await type(page, page.getByRole("dialog").getByLabel(/^Type/), address.slice(-6));
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "The wallet is frozen" }).waitFor();
    await page.keyboard.press("Escape");
    await press(page, button(page, "Unfreeze wallet"));
    await press(page, page.getByRole("dialog").getByRole("button", { name: "Unfreeze wallet" }));
    await button(page, "Freeze wallet").waitFor();
    expect(await purser.wallets.get(wallet_id)).toMatchObject({ status: "active" });
  });

  it("reaches every control of the screens in the navigation with Tab", async () => {
    const { page } = await dashboard.open("");
    const links = page.getByRole("navigation", { name: "Screens" }).getByRole("link");
    await links.first().waitFor();
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      await page.goto(dashboard.at(path));
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
      expect(await unreachable(page), path).toEqual([]);
    }
  });
});

const field = (page: Page, name: string): Locator => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });

/** Moves the focus to a control with Tab. */
async function focus(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const focused = target.and(page.locator(":focus-visible"));
  for (let tabs = 0; (await focused.count()) === 0; tabs += 1) {
    if (tabs === TABS_MAX) throw new Error(`Tab does not reach ${target}.`);
    await page.keyboard.press("Tab");
  }
}

async function press(page: Page, target: Locator): Promise<void> {
  await focus(page, target);
  await page.keyboard.press("Enter");
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await focus(page, target);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await focus(page, page.getByRole("combobox", { name: label }));
  await page.keyboard.type(option);
  await page.getByRole("option", { name: option }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

async function openScreen(page: Page, name: string): Promise<void> {
  await press(page, page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name, exact: true }));
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

/** Marks what a person can click. Arrow keys reach the other tabs and radio buttons of a group. */
const MARK_CONTROLS = `for (const one of document.querySelectorAll("body *")) {
  const isControl = one.matches("a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary");
  const isClickable = getComputedStyle(one).cursor === "pointer" && !one.closest("a[href], button, label, summary, input") && !one.querySelector("label");
  const isOfGroup = one.matches("[role=tab][tabindex='-1'], [type=radio]");
  if ((isControl || isClickable) && !isOfGroup && one.checkVisibility()) one.dataset.unreached = "";
}`;

/** Returns the controls of the page that Tab does not reach. */
async function unreachable(page: Page): Promise<string[]> {
  await page.evaluate(MARK_CONTROLS);
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    await page.keyboard.press("Tab");
    const isAtEnd = await page.evaluate<boolean>(
      "delete document.activeElement.dataset.unreached, document.activeElement === document.body",
    );
    if (isAtEnd) break;
  }
  return page.locator("[data-unreached]").evaluateAll((all) => all.map(({ outerHTML }) => outerHTML.slice(0, 200)));
}
