import { readFile } from "node:fs/promises";
import { Purser } from "@purser/sdk";
import { totpCode } from "@purser/service/crypto/totp.ts";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createTestUsers, PASSWORD } from "../browser/test-users.ts";
import { enterCard, logInAtBank, signIn, useDashboard, WIDE } from "./use-dashboard.ts";

const WALK_MAX_MS = 400_000;
const INVOICE_MAX_MS = 150_000;
const PAYEE = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";

const dashboard = useDashboard();
const users = createTestUsers(dashboard.line);

describe.skipIf(dashboard.missing)("a company's first day in the dashboard", { timeout: WALK_MAX_MS }, () => {
  it("goes from the sign-up over services, agents and dollars to a kill switch and a verified business", async () => {
    const { page } = await dashboard.newSession();
    await page.setViewportSize(WIDE);
    const email = await signUp(page);
    const purser = await createKey(page);
    const projectUrl = await createProject(page);
    await addServices(page);
    await compareEnvironment(page);
    await rotateAndUpgrade(page);
    const agent = await createAgent(page);
    await payByAgent(page, purser, agent);
    await freezeAndUnfreeze(page);
    await convertDollars(page);
    await verifyAudit(page);
    await deleteProject(page, projectUrl);
    await killAgent(page, agent);
    await askForVerification(page);
    await verifyBusiness(email);
    await seeInvoice(page);
  });
});

const button = (scope: Page | Locator, name: string | RegExp) => scope.getByRole("button", { name, exact: true });
const dialog = (page: Page, name?: string) => page.getByRole("dialog", name === undefined ? {} : { name });

async function open(page: Page, screen: string): Promise<void> {
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: screen }).click();
  await page.getByRole("heading", { name: screen, level: 1 }).waitFor();
}

async function choose(
  page: Page,
  scope: Page | Locator,
  label: string | RegExp,
  option: string | RegExp,
): Promise<void> {
  await scope.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).click();
}

async function signUp(page: Page): Promise<string> {
  const email = users.newEmail();
  await page.goto(dashboard.at("/"));
  await page.getByRole("link", { name: "Sign up" }).click();
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await button(page, "Sign up").click();
  await page.getByRole("heading", { name: "Check your mail" }).waitFor();
  await page.goto(await users.emailedUrl(email, "Verify your email address"));
  await button(page, "Verify my email address").click();
  await page.getByRole("heading", { name: "Your email address is verified" }).waitFor();
  await signIn(page, { email, password: PASSWORD });
  return email;
}

/** Creates a key pair, and copies it from the dialog that shows it once. Returns a client that signs with it. */
async function createKey(page: Page): Promise<Purser> {
  await open(page, "API keys");
  await button(page, "Create key").first().click();
  await dialog(page).getByLabel("Name").fill("laptop");
  await button(page, "Create key pair").click();
  const shown = dialog(page, "Your new key pair");
  await shown.locator("code").first().waitFor();
  const [key = "", secret = ""] = await shown.locator("code").allInnerTexts();
  await button(shown, "I have stored it").click();
  await shown.waitFor({ state: "hidden" });
  expect(await page.content()).not.toContain(secret);
  return new Purser({ baseUrl: dashboard.line().base_url, apiKey: key, apiSecret: secret });
}

/** Creates a project with a card, which is entered in the payment processor's frame, and links to two providers. */
async function createProject(page: Page): Promise<string> {
  await open(page, "Projects");
  await button(page, "Create project").first().click();
  await page.getByLabel("Name").fill("Shop");
  await page.getByLabel("Monthly cap in US dollars").fill("80.00");
  await button(page, "Create the project").click();
  await page.getByRole("heading", { name: "Shop" }).waitFor();
  const url = page.url();

  await page.getByRole("tab", { name: "Links" }).click();
  await button(page, "Link a provider").first().click();
  await page.getByRole("combobox", { name: "Provider" }).fill("Supabase");
  await page.getByRole("option", { name: "Supabase" }).click();
  await button(page, "Link Supabase").click();
  await button(page, "Allow").click();
  await page.getByText("supabase is linked").waitFor();
  await button(page, "Link a provider").first().click();
  await page.getByRole("combobox", { name: "Provider" }).fill("Acme DB");
  await page.getByRole("option", { name: "Acme DB" }).click();
  await button(page, "Link Acme DB").click();
  await page.getByLabel("Token").fill("sandbox-ada");
  await button(page, "Link Acme DB").click();
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByText("acme-db is linked").waitFor();

  await page.getByRole("tab", { name: "Billing" }).click();
  await button(page, "Add a card").click();
  await enterCard(page, "4242424242424242");
  await button(dialog(page), "Add a card").click();
  await page.getByText("Visa ending in 4242").waitFor();
  return url;
}

/** Adds a service that its provider bills, and one that Purser bills. */
async function addServices(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Services" }).click();
  for (const [plan, name] of [
    [/standard/, "primary-db"],
    [/billed 12\.34/, "billed-db"],
  ] as const) {
    await button(page, "Add service").first().click();
    await page.getByLabel("Search the catalog").fill("acme db");
    await button(page, "Choose acme-db/postgres").click();
    await page.getByRole("radio", { name: plan }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await button(page, "Add acme-db/postgres").click();
    await page.getByRole("region", { name }).getByText("Active", { exact: true }).waitFor();
  }
}

async function compareEnvironment(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Environment" }).click();
  await button(page, "Compare a .env file").click();
  await page.getByLabel("Your .env file").fill("ONLY_MINE=1\n");
  await button(page, "Compare").click();
  await page
    .getByRole("row", { name: /DATABASE_URL Missing in your file/ })
    .first()
    .waitFor();
}

async function rotateAndUpgrade(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Services" }).click();
  const service = page.getByRole("region", { name: "primary-db" });
  await button(service, "Rotate").click();
  await button(page, "Rotate the credentials").click();
  await service.getByText(/^Version 2/).waitFor();
  await button(service, "Change plan").click();
  await page.getByRole("radio", { name: /prorated/ }).click();
  await button(page, "Change the plan").click();
  await service.getByText("prorated, 31.00 USD per month").waitFor();
}

/** Creates an agent with a wallet, and a policy: 10 USDC a day, and a person decides above 4. */
async function createAgent(page: Page): Promise<string> {
  await open(page, "Agents");
  await button(page, "Create agent").first().click();
  await dialog(page).getByLabel("Name").fill("Buyer");
  await button(page, "Create the agent").click();
  await page.getByRole("heading", { name: "Buyer", level: 1 }).waitFor();
  const agent = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  await open(page, "Policies");
  await button(page, "Create policy").first().click();
  await page.getByRole("textbox", { name: "USDC a day" }).fill("10.00");
  await choose(page, page, "Agents", "Buyer");
  await page.getByRole("textbox", { name: "Name" }).fill("Ten a day");
  await button(page, "Create the policy").click();
  await page.getByRole("heading", { name: "Ten a day", level: 1 }).waitFor();
  await page.getByLabel("Ask a person above (USD)").fill("4.00");
  await button(page, "Save as version 2").click();
  await page.getByText("Unsaved changes").waitFor({ state: "hidden" });

  await open(page, "Wallets");
  await button(page, "Create wallet").first().click();
  await choose(page, dialog(page, "Create wallet"), "Agent", "Buyer");
  await button(dialog(page, "Create wallet"), "Create wallet").click();
  await button(page, "Fund wallet").click();
  await dialog(page).getByLabel("Amount").fill("200.00");
  await button(page, "Add test tokens").click();
  await page.getByRole("cell", { name: "+200.00 USDC" }).waitFor();
  return agent;
}

/** One payment is refused, one waits and is approved, and one to another agent of the account is refunded. */
async function payByAgent(page: Page, purser: Purser, agent: string): Promise<void> {
  const pay = (amount: string, to: string) => purser.payments.send({ agent_id: agent, amount, to, purpose: "Weather" });
  await expect(pay("11.00", PAYEE)).rejects.toThrow("policy_denied");
  expect(await pay("4.50", PAYEE)).toMatchObject({ status: "requires_approval" });
  await open(page, "Approvals");
  await page
    .getByRole("row", { name: /Pay 4.50 USDC/ })
    .getByRole("link")
    .click();
  await button(page, "Approve").click();
  await button(page, "Approve 4.50 USDC").click();
  await page.getByText("The request is confirmed.").waitFor();

  const seller = await purser.agents.create({ name: "Seller" });
  const till = await purser.wallets.create({ agent_id: seller.agent_id, network: "base" });
  await pay("2.00", till.wallet_id);
  await open(page, "Payments");
  await page.getByRole("link", { name: "2.00 USDC" }).click();
  await button(page, "Refund payment").click();
  await button(dialog(page), "Refund payment").click();
  await page.getByText("Refunded", { exact: true }).first().waitFor();
}

async function freezeAndUnfreeze(page: Page): Promise<void> {
  await open(page, "Wallets");
  await page.getByRole("row", { name: /Buyer/ }).getByRole("link").first().click();
  await button(page, "Freeze wallet").click();
  const freeze = dialog(page, "Freeze wallet");
  const typed = /Type (\S+)/.exec(await freeze.getByText(/^Type/).innerText())?.[1] ?? "";
  await freeze.getByLabel(/^Type/).fill(typed);
  await button(freeze, "Freeze wallet").click();
  await button(page, "Unfreeze wallet").click();
  await button(dialog(page), "Unfreeze wallet").click();
  await button(page, "Freeze wallet").waitFor();
}

/** Links a bank account, and converts in both directions. Ends with the dollars of the on-ramp under way. */
async function convertDollars(page: Page): Promise<void> {
  await open(page, "Fiat");
  await logInAtBank(page);
  await button(page, "Link the account").click();
  await page.getByText("The account can be used now.").waitFor();
  for (const [direction, last] of [
    ["Convert to dollars", "Completed"],
    ["Convert to USDC", "Awaiting funds"],
  ] as const) {
    await open(page, "Fiat");
    await page.getByRole("link", { name: direction }).click();
    await choose(page, page, /the wallet/, /: 1\d\d\.\d\d USDC/);
    await page.getByRole("textbox", { name: "Amount" }).fill("40");
    await button(page, "Get a quote").click();
    await button(page, "Convert now").click();
    await page.getByRole("region", { name: "Timeline" }).getByText(last, { exact: true }).waitFor();
  }
}

async function verifyAudit(page: Page): Promise<void> {
  await open(page, "Audit trail");
  await button(page, "Verify audit chain").click();
  await page.getByText("The chain is valid").waitFor();
}

async function deleteProject(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("tab", { name: "Settings" }).click();
  await button(page, "Delete project").click();
  await page.getByLabel("Type Shop to confirm").fill("Shop");
  await button(page, "Delete the project").click();
  await page.waitForURL(/\/projects$/);
}

/** The last month of a deleted project is invoiced within a minute or two. */
async function seeInvoice(page: Page): Promise<void> {
  await open(page, "Projects");
  const seen = async () => {
    await page.reload();
    await page.getByText("No projects yet").waitFor();
    const paid = page.getByRole("row", { name: /Shop.*Paid.*12\.34 USD/ });
    return paid.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(seen, { timeout: INVOICE_MAX_MS }).toBe(true);
}

async function killAgent(page: Page, agent: string): Promise<void> {
  await open(page, "Kill switch");
  await choose(page, page, "Agent", "Buyer");
  await button(page, "Stop Buyer").click();
  await dialog(page).getByLabel("Reason").fill("Its host was stolen");
  await dialog(page).getByLabel("Type Buyer to confirm").fill("Buyer");
  await button(dialog(page), "Stop Buyer").click();
  await page.getByText("The agent is stopped").waitFor();
  const saving = page.waitForEvent("download");
  await button(page, "Download the proof").click();
  expect(await readFile(await (await saving).path(), "utf8")).toContain(agent);
}

async function askForVerification(page: Page): Promise<void> {
  await open(page, "Settings");
  await page.getByRole("link", { name: "Verify your business" }).click();
  await page.getByLabel("Legal name").fill("Ada Engines Ltd");
  await page.getByLabel("Registration number").fill("12345678");
  await page.getByRole("combobox", { name: "Country of the register" }).fill("united k");
  await page.getByRole("option", { name: "United Kingdom" }).click();
  await button(page, "Send for verification").click();
  await page.getByText("Pending", { exact: true }).waitFor();
}

/** An admin signs in, finds the business in the queue, and marks it verified. */
async function verifyBusiness(email: string): Promise<void> {
  const { page } = await dashboard.newSession();
  const { admin } = dashboard.line();
  await page.setViewportSize(WIDE);
  await page.goto(dashboard.at("/admin/kyb"));
  await page.getByLabel("Email address").fill(admin.email);
  await page.getByRole("textbox", { name: "Password" }).fill(admin.password);
  await button(page, "Sign in").click();
  await page.getByLabel("Code").fill(totpCode(admin.totp_secret, new Date()));
  await button(page, "Continue").click();
  await page.getByRole("link", { name: email }).click();
  await button(page, "Mark verified").click();
  await dialog(page).getByLabel("Reference").fill("case 1");
  await button(dialog(page), "Mark verified").click();
  await page.getByRole("row", { name: /Verified.*In effect.*case 1/ }).waitFor();
}
