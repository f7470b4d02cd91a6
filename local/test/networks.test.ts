import { Purser } from "@purser/sdk";
import { afterAll, describe, expect, it } from "vitest";
import { until } from "../../e2e/src/until.ts";
import { clientOf, start, untilNothingRuns, useLocalProfile } from "./local-profile.ts";

const GUARD = new URL("refuse-development-packages.mjs", import.meta.url);

describe("the local networks", () => {
  const { newDataDir } = useLocalProfile(afterAll);

  it("work without development packages: USDC that is minted is the balance of a live wallet, which pays; they end with npm start", async () => {
    const dataDir = await newDataDir();
    const { line, signal, ended } = await start(dataDir, { nodeOptions: `--import=${GUARD.href}` });
    const client = clientOf(line, "live");
    const policy = { name: "pay", rules: [{ id: "all", effect: "allow", operation: "payment" }] };
    const { policy_id } = Object((await client.post("/policies", policy)).body);
    const { agent_id } = Object((await client.post("/agents", { name: "payer", policy_id })).body);
    const created = await client.post("/wallets/create", { agent_id, network: "base-sepolia" });
    const { wallet_id, address } = created.body as { readonly wallet_id: string; readonly address: string };

    const minted = await fetch(`${line.networks_url}/base-sepolia/mint`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ address, amount: "25.00" }),
    });

    expect(minted.status).toBe(200);
    const { body } = await client.get(`/wallets/${wallet_id}/balance?refresh=true`);
    expect(body).toMatchObject({ source: "chain", balances: [{ token: "USDC", total: "25.00" }, {}, {}, {}] });
    await until("the deposit is credited", async () => {
      const found = await client.get(`/wallets/${wallet_id}`);
      return JSON.stringify(found.body).includes('"available":"25.00"') ? true : undefined;
    });
    const order = { agent_id, amount: "5.00", to: "0x8ba1f109551bD432803012645Ac136ddd64DBA72" };
    const { api_key: apiKey, api_secret: apiSecret } = line.demo.live;
    const sent = await new Purser({ baseUrl: line.base_url, apiKey, apiSecret }).payments.send(order);
    expect(sent).toMatchObject({ status: "queued" });
    await until("the payment is confirmed", async () => {
      const found = await client.get(`/payments/${sent.payment_id}`);
      return Object(found.body).status === "confirmed" ? true : undefined;
    });
    const page = await fetch(`${line.sandbox_url}/networks/base-sepolia/address/${address}`);
    expect(await page.text()).toContain("20.00 USDC");
    signal("SIGTERM");
    expect(await ended).toBe(0);
    await untilNothingRuns(dataDir);
  }, 120_000);
});
