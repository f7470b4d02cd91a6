import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Locator, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { signIn, TEST_MAX_MS, useDashboard } from "./use-dashboard.ts";

const CLICKS_MAX = 40;

const dashboard = useDashboard();

describe.skipIf(dashboard.missing)("the first hour in the dashboard", { timeout: TEST_MAX_MS }, () => {
  it("leads from the login to an agent's first payment and a freeze, by what the screens say", async () => {
    const { page } = await dashboard.newSession();
    let clicks = 1;
    const click = async (target: Locator) => {
      clicks += 1;
      await target.click();
    };
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const step = (name: string) => click(page.getByRole("region", { name: "First steps" }).getByRole("link", { name }));
    const overview = () => click(page.getByRole("link", { name: "Overview" }));
    await page.goto(dashboard.at("/"));
    await signIn(page, dashboard.line().demo);

    await step("Create an agent");
    await click(button("Create agent"));
    await page.getByRole("dialog").getByLabel("Name").fill("Buyer");
    await click(button("Create the agent"));
    await page
      .getByRole("link", { name: "Buyer" })
      .or(page.getByRole("heading", { name: "Buyer" }))
      .first()
      .waitFor();

    await overview();
    await step("Give it a wallet");
    await click(button("Create wallet"));
    const wallet = page.getByRole("dialog", { name: "Create wallet" });
    await click(wallet.getByRole("combobox", { name: "Agent" }));
    await click(page.getByRole("option", { name: "Buyer" }));
    await click(wallet.getByRole("button", { name: "Create wallet" }));
    await click(button("Fund wallet"));
    await page.getByRole("dialog").getByLabel("Amount").fill("20.00");
    await click(button("Add test tokens"));
    await page.getByRole("cell", { name: "+20.00 USDC" }).waitFor();
    const walletUrl = page.url();

    await click(page.getByRole("link", { name: "API keys" }));
    await click(button("Create key"));
    await page.getByRole("dialog").getByLabel("Name").fill("first");
    await click(button("Create key pair"));
    const pair = page.getByRole("dialog", { name: "Your new key pair" });
    await pair.locator("code").first().waitFor();
    const [key = "", secret = ""] = await pair.locator("code").allInnerTexts();
    await click(pair.getByRole("button", { name: "I have stored it" }));

    await overview();
    await step("Make its first payment");
    const command = (await page.locator("pre").first().innerText())
      .replace(/svc_sk_test_YOUR_KEY/, key)
      .replace(/svc_ss_test_YOUR_SECRET/, secret);
    const { stdout } = await promisify(execFile)("bash", ["-c", command]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "confirmed", amount: "5.00" });

    await page.reload();
    await page.getByRole("row", { name: /5\.00 USDC/ }).waitFor();
    await page.goto(walletUrl);
    await click(button("Freeze wallet"));
    const freeze = page.getByRole("dialog", { name: "Freeze wallet" });
    const shown = await freeze.getByText(/^Type/).innerText();
    await freeze.getByLabel(/^Type/).fill(/Type (\S+)/.exec(shown)?.[1] ?? "");
    await click(freeze.getByRole("button", { name: "Freeze wallet" }));
    await button("Unfreeze wallet").waitFor();
    expect(JSON.parse((await promisify(execFile)("bash", ["-c", command])).stdout)).toMatchObject({
      code: "wallet_frozen",
    });
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
    console.info(`From the login to the freeze: ${clicks} clicks.`);
  });

  it("does once what the user tries again after a lost answer", async () => {
    const { page, context } = await dashboard.open("/agents");
    await page.getByRole("button", { name: "Create agent" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Only one");
    await context.route("**/api/v1/svc/agents", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.getByRole("button", { name: "Create the agent" }).click();
    await page.getByRole("alert").getByText("The server cannot be reached.").waitFor();
    await context.unroute("**/api/v1/svc/agents");
    await page.getByRole("button", { name: "Create the agent" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });

    const { data } = await dashboard.client().agents.list();
    expect(data.filter(({ name }) => name === "Only one")).toHaveLength(1);
  });

  it("keeps the session while the server is too busy to renew it", async () => {
    const { page } = await dashboard.open("/agents");
    await page.route("**/svc/wallets?*", (route) => route.fulfill({ status: 401, json: {} }), { times: 1 });
    await page.route("**/token/refresh", (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
    const refreshed = page.waitForResponse("**/token/refresh");
    await page.getByRole("link", { name: "Wallets", exact: true }).click();
    await refreshed;
    await page.getByText("No wallets yet").or(page.getByRole("row")).or(page.getByRole("dialog")).first().waitFor();
    expect(await page.getByText("Your session has ended").count()).toBe(0);
  });

  it("names its developer in each call, and starts anew when another one has signed in", async () => {
    const { page } = await dashboard.open("/agents");
    const named: unknown[] = [];
    const changed = { status: 409, json: { code: "account_changed", title: "Conflict" } };
    const answer = (route: Route) => {
      named.push(route.request().headers()["x-svc-developer"]);
      return route.fulfill(changed);
    };
    await page.route("**/svc/wallets?*", answer, { times: 1 });
    const reloaded = page.waitForEvent("load");
    await page.getByRole("link", { name: "Wallets", exact: true }).click();
    await reloaded;
    expect(named).toEqual([(await dashboard.client().developers.me()).developer_id]);
  });

  it("stores texts that look like scripts, and runs none of them", async () => {
    const attack = `<img src=x onerror="window.ran=1"><script>window.ran=1</script>{{7*7}}`;
    const client = dashboard.client();
    const { agent_id } = await client.agents.create({ name: attack, description: attack });
    const { project_id } = await client.projects.create({ name: attack, description: attack });
    const { wallet_id } = await client.wallets.create({ agent_id, network: "base" });
    await client.developers.keys.issue({ name: attack });
    const { page } = await dashboard.open("/agents");

    for (const path of [
      "",
      "/agents",
      `/agents/${agent_id}`,
      "/projects",
      `/projects/${project_id}?tab=activity`,
      "/wallets",
      `/wallets/${wallet_id}`,
      "/keys",
      "/audit",
    ]) {
      await page.goto(dashboard.at(`/dashboard/test${path}`));
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate("window.ran")).toBeUndefined();
    }
    await page.goto(dashboard.at("/dashboard/test/projects"));
    await page.getByText(attack).first().waitFor();
  });
});
