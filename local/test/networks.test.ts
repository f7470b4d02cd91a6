import { afterAll, describe, expect, it } from "vitest";
import { until } from "../../e2e/src/until.ts";
import { clientOf, start, untilNothingRuns, useLocalProfile } from "./local-profile.ts";

const GUARD = new URL("refuse-development-packages.mjs", import.meta.url);

describe("the local networks", () => {
  const { newDataDir } = useLocalProfile(afterAll);

  it("work without development packages: USDC that is minted is the balance of a live wallet; they end with npm start", async () => {
    const dataDir = await newDataDir();
    const { line, signal, ended } = await start(dataDir, { nodeOptions: `--import=${GUARD.href}` });
    const client = clientOf(line, "live");
    const created = await client.post("/wallets/create", { agent_id: crypto.randomUUID(), network: "base-sepolia" });
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
    const page = await fetch(`${line.sandbox_url}/networks/base-sepolia/address/${address}`);
    expect(await page.text()).toContain("25.00 USDC");
    signal("SIGTERM");
    expect(await ended).toBe(0);
    await untilNothingRuns(dataDir);
  });
});
