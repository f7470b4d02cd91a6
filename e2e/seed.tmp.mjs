import { readFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { Purser } from "@purser/sdk";
const { test } = JSON.parse(readFileSync("/tmp/demo/demo.json", "utf8"));
const c = new Purser({ baseUrl: "http://127.0.0.1:8080", apiKey: test.api_key, apiSecret: test.api_secret });
const p = await c.policies.create({ name: "10 USDC a day", rules: [
  { id: "day", type: "limit", ...{} } ] }).catch((e) => { console.log("policy", e.message); });
const agent = await c.agents.create({ name: "Research agent" });
const w = await c.wallets.create({ agent_id: agent.agent_id, network: "base-sepolia" });
await c.wallets.fund(w.wallet_id, { amount: "250.00" }).catch((e) => console.log("fund", e.message));
const a = c.withAgent(agent.agent_id);
for (const [amount, to] of [["12.50", "0x" + "a1".repeat(20)], ["3.20", "0x" + "b2".repeat(20)], ["80.00", "0x" + "c3".repeat(20)]])
  await a.payments.send({ agent_id: agent.agent_id, amount, to, purpose: "Search results" }).catch((e) => console.log("pay", e.message));
const proj = await c.projects.create({ name: "Storefront", monthly_cap: "200.00" });
const { url } = await c.projects.links.begin(proj.project_id, { provider: "acme-db" });
const form = await (await fetch(url)).text();
const once = /name="once" value="([^"]+)"/.exec(form)?.[1] ?? "";
await fetch(url, { method: "POST", body: new URLSearchParams({ once, token: "sandbox-ada" }) });
const s = await c.projects.services.add(proj.project_id, { service: "acme-db/database" }).catch((e) => console.log("svc", e.message));
await c.projects.variables.set?.(proj.project_id, "API_URL", { value: "x" }).catch((e) => console.log(e.message));
console.log(JSON.stringify({ agent: agent.agent_id, wallet: w.wallet_id, project: proj.project_id }));
