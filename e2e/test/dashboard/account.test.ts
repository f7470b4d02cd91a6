import { describe, expect, it } from "vitest";
import { createTestUsers, PASSWORD } from "../browser/test-users.ts";
import { expectAccessible, signIn, TEST_MAX_MS, useDashboard } from "./use-dashboard.ts";

const dashboard = useDashboard();
const users = createTestUsers(dashboard.line);

describe.skipIf(dashboard.missing)("an account in the dashboard", { timeout: TEST_MAX_MS }, () => {
  it("signs up, verifies the address by the mail's link, signs in, and sees the first steps", async () => {
    const { page } = await dashboard.newSession();
    const email = users.newEmail();
    await page.goto(dashboard.at("/"));
    await page.getByRole("link", { name: "Sign up" }).click();
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("Email address").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill("password1234");
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByText(/common/).waitFor();
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign up" }).click();
    await page.getByRole("heading", { name: "Check your mail" }).waitFor();

    const link = await users.emailedUrl(email, "Verify your email address");
    await page.goto(link);
    await page.getByRole("button", { name: "Verify my email address" }).click();
    await page.getByRole("heading", { name: "Your email address is verified" }).waitFor();
    expect(page.url()).toBe(dashboard.at("/login"));
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();

    await page.getByText("1 of 8 done").waitFor();
    await page.goto(link);
    await page.getByRole("heading", { name: "This address is already verified" }).waitFor();
  });

  it("keeps what was typed when the session ends in the middle of a form", async () => {
    const { page, context } = await dashboard.open("/keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").fill("typed before");
    await context.clearCookies();
    await page.getByRole("button", { name: "Create key pair" }).click();

    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.locator("input[name=password]:focus").waitFor();
    await page.keyboard.type(dashboard.line().demo.password);
    await dialog.getByRole("button", { name: "Sign in" }).click();

    await page.getByRole("dialog", { name: "Your new key pair" }).waitFor();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("row", { name: /typed before/ }).waitFor();
  });

  it("keeps the page of a program that asks for a key when the session ends", async () => {
    const { page, context } = await dashboard.open("");
    const begun = await fetch(dashboard.at("/api/v1/svc/developers/oauth/device"), {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ client_name: "a program" }),
    });
    const { user_code } = (await begun.json()) as { readonly user_code: string };
    await page.goto(dashboard.at(`/device?user_code=${user_code}`));
    await page.getByText("a program").waitFor();
    await context.clearCookies();
    await page.getByRole("button", { name: "Deny" }).click();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    await dialog.getByRole("textbox", { name: "Password" }).fill(dashboard.line().demo.password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Denied" }).waitFor();
  });

  it("leads from an error in live mode to the screen in live mode", async () => {
    const { page, context } = await dashboard.open("/fiat/link", "live");
    const next_action = { type: "complete_kyb", actor: "human", url: dashboard.at("/dashboard/settings/kyb") };
    const refuse = { status: 403, json: { code: "kyb_required", title: "KYB required", next_action } };
    await context.route("**/fiat/link-account", (route) => route.fulfill(refuse));
    await page.getByRole("button", { name: "Continue to the bank" }).click();
    await page.getByRole("link", { name: "Complete kyb" }).click();
    await page.waitForURL(dashboard.at("/dashboard/live/settings/kyb"));
  });

  it("says that the server is away, and reads everything again when it is back", async () => {
    const { page, context } = await dashboard.open("/keys");
    await page.getByRole("row", { name: /demo test/ }).waitFor();
    const isApi = /\/(api|healthz)/;
    await context.route(isApi, (route) => route.abort());
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("The server cannot be reached.").first().waitFor();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("row", { name: /demo test/ }).waitFor();

    await context.unroute(isApi);
    await page.getByText("The server cannot be reached.").waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { name: "Project caps this month" }).waitFor();
  });

  it("shows test mode in one tab and live mode in another", async () => {
    const { page, context } = await dashboard.open("/keys");
    const live = await context.newPage();
    await live.goto(dashboard.at("/dashboard/live/keys"));

    await live.getByRole("row", { name: /demo live/ }).waitFor();
    await live.getByText("Everything here is real money.").waitFor();
    await page.reload();
    await page.getByRole("row", { name: /demo test/ }).waitFor();
    await page.getByText("No real money moves here.").waitFor();
    await page.getByText("Live", { exact: true }).click();
    await page.getByRole("row", { name: /demo live/ }).waitFor();
    expect(page.url()).toBe(dashboard.at("/dashboard/live/keys"));
    await page.goBack();
    await page.getByRole("row", { name: /demo test/ }).waitFor();
  });

  it("opens every screen by keyboard", async () => {
    const { page } = await dashboard.open("");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.locator("input[placeholder='A screen, an object or its id']:focus").waitFor();
    await page.keyboard.type("API k");
    await page.getByRole("dialog").getByText("Overview").waitFor({ state: "hidden" });
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /demo test/ }).waitFor();
    const focused = () => page.evaluate<string>("document.activeElement?.textContent ?? ''");
    for (let tabs = 0; tabs < 60 && (await focused()) !== "Create key"; tabs += 1) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Create a test key" }).waitFor();
    await page.keyboard.type("by keyboard");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Your new key pair" }).waitFor();
    for (let tabs = 0; tabs < 20 && (await focused()) !== "I have stored it"; tabs += 1)
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /by keyboard/ }).waitFor();
  });

  it("leads from a deep link through the login to the page, and to a page that says that it does not exist", async () => {
    const { page } = await dashboard.newSession();
    await page.goto(dashboard.at("/dashboard/live/nowhere"));
    await page.waitForURL(/\/login\?next=/);
    await signIn(page, dashboard.line().demo);
    await page.getByRole("heading", { name: "This page does not exist" }).waitFor();
    expect(page.url()).toBe(dashboard.at("/dashboard/live/nowhere"));
    await page.goto(dashboard.at("/login?next=https://evil.example/dashboard"));
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(page.url()).toBe(dashboard.at("/dashboard/test"));
  });

  it("is accessible before and after the login", async () => {
    const { page } = await dashboard.newSession();
    for (const path of ["/login", "/signup", "/login/forgot", "/login/reset?token=x", "/login/code"]) {
      await page.goto(dashboard.at(path));
      await page.getByRole("heading", { level: 1 }).waitFor();
      await expectAccessible(page);
    }
    await page.goto(dashboard.at("/login"));
    await signIn(page, dashboard.line().demo);
    await page.getByRole("heading", { name: "Balances" }).waitFor();
    await expectAccessible(page);
  });
});
