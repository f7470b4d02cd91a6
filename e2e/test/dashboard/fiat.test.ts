import { describe, expect, it } from "vitest";
import { expectAccessible, logInAtBank, TEST_MAX_MS, useDashboard } from "./use-dashboard.ts";

const dashboard = useDashboard();

describe.skipIf(dashboard.missing)("dollars in the dashboard", { timeout: TEST_MAX_MS }, () => {
  it("links a bank account, converts in both directions, cancels, and removes the account", async () => {
    const purser = dashboard.client();
    const { agent_id } = await purser.agents.create({ name: "treasurer" });
    const { wallet_id } = await purser.wallets.create({ agent_id, network: "base" });
    await purser.wallets.fund(wallet_id, { amount: "500.00" });
    const { page } = await dashboard.open("/fiat");

    await page.getByText("No bank account yet").waitFor();
    await page.getByRole("link", { name: "Link a bank account" }).click();
    await page.getByRole("button", { name: "Continue to the bank" }).click();
    await page.frameLocator("iframe[title='Plaid Link']").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "← Fiat" }).click();
    await logInAtBank(page);
    await expectAccessible(page);
    await page.getByLabel("Legal name").fill("Charles Babbage");
    await page.getByRole("button", { name: "Link the account" }).click();
    await page.getByText(/Legal name: .*owner/).waitFor();
    await page.getByRole("link", { name: "← Fiat" }).click();
    await logInAtBank(page);
    await page.getByRole("button", { name: "Link the account" }).click();
    await page.getByText("The account can be used now.").waitFor();
    await page.getByRole("link", { name: "Go to the bank accounts" }).click();
    const account = page.getByRole("row", { name: /First Platypus Bank ••\d{4}.*Verified/ });
    const mask = /••(\d{4})/.exec(await account.innerText())?.[1] ?? "";

    // Dollars to USDC. The quote counts down.
    await page.getByRole("link", { name: "Convert to USDC" }).click();
    await page.getByRole("textbox", { name: "Amount" }).fill("100");
    await page.getByRole("button", { name: "Get a quote" }).click();
    const quote = page.getByRole("region", { name: "Quote" });
    expect(await quote.innerText()).toMatch(/100\.00 USD[\s\S]*0\.15 USD[\s\S]*99\.85 USDC/);
    await quote.getByText(/Valid for 2\d s/).waitFor();
    await expectAccessible(page);
    // The check takes long on a busy machine, and the quote may have expired.
    await page.reload();
    await page.getByRole("textbox", { name: "Amount" }).fill("100");
    await page.getByRole("button", { name: "Get a quote" }).click();
    await quote.getByRole("button", { name: "Convert now" }).click();
    await page.getByText("Now send the dollars").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel the conversion" }).click();
    await page.getByRole("button", { name: "Cancel it" }).click();
    await page.getByRole("region", { name: "Timeline" }).getByText("Canceled", { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Cancel the conversion" }).count()).toBe(0);

    // USDC to dollars, up to the payout.
    await page.getByRole("link", { name: "← Fiat" }).click();
    await page.getByRole("link", { name: "Convert to dollars" }).click();
    await page.getByRole("combobox", { name: "The amount is" }).click();
    await page.getByRole("option", { name: "What arrives, in USD" }).click();
    await page.getByRole("textbox", { name: "Amount" }).fill("40");
    await page.getByRole("button", { name: "Get a quote" }).click();
    await page.getByRole("region", { name: "Quote" }).getByText("40.00 USD", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Convert now" }).click();
    await page.getByRole("region", { name: "Timeline" }).getByText("Completed", { exact: true }).waitFor();
    const balance = await purser.wallets.balance(wallet_id, { refresh: true });
    expect(balance.balances.find(({ token }) => token === "USDC")?.available).toBe("459.93");

    await page.getByRole("link", { name: "← Fiat" }).click();
    await page.getByRole("row", { name: /USDC to dollars.*Completed/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Canceled" }).click();
    await expect.poll(() => page.getByRole("row", { name: /USDC to dollars/ }).count()).toBe(0);
    expect(page.url()).toContain("status=canceled");
    await page.reload();
    await page.getByRole("row", { name: /Dollars to USDC.*Canceled/ }).waitFor();

    await account.getByRole("button", { name: "Remove" }).click();
    await page.getByLabel(`Type ${mask} to confirm`).fill(mask);
    await page.getByRole("button", { name: "Remove the account" }).click();
    await page.getByText("No bank account yet").waitFor();
  });
});
