import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountsOf } from "../../test/accounts.ts";
import { postAgent } from "../../test/agents/seed-agents.ts";
import { seedApproval } from "../../test/approvals/seed-approval.ts";
import { run } from "../../test/database.ts";
import { everyRoute, type ListedRoute, pathOf } from "../../test/every-route.ts";
import { seedConversion } from "../../test/fiat/seed-conversion.ts";
import { type ApiResponse, PREFIX, useHarness } from "../../test/harness.ts";
import { seedPayment } from "../../test/payments/seed-payment.ts";
import { seedWallet } from "../../test/wallets/seed-wallet.ts";
import { SCOPES } from "../foundation/vocabulary.ts";

/** Tables that the test does not compare. A failed call can leave idempotency records, signatures and data keys. */
const IGNORED_TABLES = new Set(["idempotency_records", "request_signatures", "tenant_data_keys", "data_key_wrappings"]);

const REFUSE = `
  create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'audit refused'; end $$;
  create trigger refuse_audit before insert on audit_entries for each statement execute function refuse_audit()`;

interface Call {
  readonly body?: object;
  /** Path parameters that override the ids of the seeded objects. */
  readonly params?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const PAYER = "5d0c3f7a-8e1b-4b0e-9a53-0b6f2f1f7c22";
/** The id of a payment that was paid. */
const PAID: Record<string, string> = {};
const SUSPENDED_AGENT = "0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10";

const NEW_AGENT = "5a1de5c8-51a8-4b0a-8f1d-0a6d1b9f2c33";

/** One call for each route that writes an audit entry. */
const CALLS: Readonly<Record<string, Call>> = {
  "POST /projects": { body: { name: "Another" } },
  "PATCH /projects/{project_id}": { body: { monthly_cap: "7.00" } },
  "DELETE /projects/{project_id}": {},
  "GET /projects/{project_id}/env": {},
  "PUT /projects/{project_id}/variables/{name}": { body: { value: "other" } },
  "DELETE /projects/{project_id}/variables/{name}": {},
  "POST /projects/{project_id}/link": { body: { provider: "neon" } },
  "DELETE /projects/{project_id}/links/{link_id}": {},
  "POST /policies": { body: { name: "another", rules: [] } },
  "PATCH /policies/{policy_id}": { body: { name: "changed" } },
  "DELETE /policies/{policy_id}": {},
  "POST /policies/{policy_id}/rollback": { body: { version: 1 } },
  "POST /developers/me/keys": { body: { name: "another" } },
  "POST /developers/me/keys/{key_id}/rotate": {},
  "DELETE /developers/me/keys/{key_id}": {},
  "PUT /developers/provider-keys/{provider}": {
    body: { credentials: { api_key: "k" }, verify: "skip" },
    params: { provider: "pimlico" },
  },
  "DELETE /developers/provider-keys/{provider}": { params: { provider: "helius" } },
  "POST /developers/dashboard/kyb": {
    body: { legal_name: "Ada Engines Ltd", registration_number: "12345678", jurisdiction: "GB" },
  },
  "POST /agents": { body: { name: "another" } },
  "PATCH /agents/{agent_id}": { body: { name: "other" } },
  "POST /agents/{agent_id}/suspend": {},
  "POST /agents/{agent_id}/resume": { params: { agent_id: SUSPENDED_AGENT } },
  "POST /agents/{agent_id}/revoke": {},
  "POST /agents/{agent_id}/keys": { body: { name: "another" } },
  "DELETE /agents/{agent_id}": {},
  "PATCH /wallets/{wallet_id}": { body: { name: "changed" } },
  // The wallet is frozen for outgoing payments, so a full freeze is stricter.
  "POST /wallets/{wallet_id}/freeze": { body: { reason: "compliance" } },
  "POST /wallets/{wallet_id}/freeze-on-chain": { body: { reason: "compliance" } },
  "POST /wallets/{wallet_id}/unfreeze": {},
  "POST /wallets/create": { body: { agent_id: NEW_AGENT, network: "base" } },
  "POST /kill-switch": { body: { scope: "agent", id: SUSPENDED_AGENT, reason: "test" } },
  "POST /kill-switch/{kill_switch_id}/reconcile": {},
  "POST /payments/send": {
    body: { agent_id: SUSPENDED_AGENT, amount: "1.00", to: `0x${"1".repeat(40)}` },
    headers: { "x-agent-id": SUSPENDED_AGENT },
  },
  // No node of its network answers, so the refusal of a paid one is what is audited.
  "POST /payments/{payment_id}/capture": { params: PAID, headers: { "x-agent-id": PAYER } },
  "POST /payments/{payment_id}/void": { headers: { "x-agent-id": PAYER } },
  "POST /payments/{payment_id}/refund": {
    params: PAID,
    headers: { "x-agent-id": PAYER },
  },
  "POST /payments/{payment_id}/cancel": {},
  "DELETE /fiat/accounts/{account_id}": {},
  "POST /fiat/conversions/{conversion_id}/cancel": {},
  "POST /approvals/{approval_id}/approve": {},
  "POST /approvals/{approval_id}/deny": {},
  "POST /webhooks": { body: { url: "https://93.184.216.34/", event_types: ["*"] } },
  "PATCH /webhooks/{webhook_id}": { body: { enabled: false } },
  "POST /webhooks/{webhook_id}/rotate-secret": {},
  "POST /webhooks/{webhook_id}/replay": { body: { since: "2026-01-01T00:00:00.000Z" } },
  "DELETE /webhooks/{webhook_id}": {},
  "GET /audit/export": {},
  "PUT /developers/dashboard/me": { body: { company_name: "Other" } },
  "POST /developers/register": {},
  "POST /developers/rotate-key": {},
  "DELETE /developers/dashboard/sessions/{session_id}": {},
  "DELETE /developers/dashboard/identities/{provider}": { params: { provider: "github" } },
};

/** Developer routes with a method other than GET that this test does not call, each with the reason. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  "POST /wallets/{wallet_id}/fund": "needs test mode",
  "POST /developers/me/keys/{key_id}/test-signature": "changes nothing",
  "POST /projects/{project_id}/delete-preview": "changes nothing",
  "POST /projects/{project_id}/env/compare": "changes nothing, and its own test checks it",
  "POST /webhooks/{webhook_id}/test": "changes nothing",
  "POST /payments/simulate": "changes nothing",
  "POST /policies/evaluate": "changes nothing",
  "POST /policies/{policy_id}/backtest": "changes nothing",
  "POST /developers/oauth/device/approve": "needs a waiting device",
  "POST /developers/dashboard/mfa/totp": "needs a recent login",
  "POST /developers/dashboard/mfa/totp/confirm": "needs a pending secret",
  "POST /developers/dashboard/mfa/totp/disable": "needs a second factor",
  "POST /projects/{project_id}/billing/payment-methods": "needs vendors",
  "POST /projects/{project_id}/services": "needs vendors",
  "POST /projects/{project_id}/services/{service_id}/rotate": "needs vendors",
  "POST /projects/{project_id}/services/{service_id}/upgrade": "needs vendors",
  "DELETE /projects/{project_id}/services/{service_id}": "needs vendors",
  "POST /fiat/link-account": "needs vendors",
  "POST /fiat/verify-account": "needs vendors",
  "POST /fiat/on-ramp": "needs vendors",
  "POST /fiat/off-ramp": "needs vendors",
  "POST /fiat/conversions/{conversion_id}/execute": "needs vendors",
  "POST /projects/{project_id}/services/{service_id}/deep-link": "needs vendors",
};

describe("a change whose audit entry cannot be written", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);
  const ids: Record<string, string> = {};
  let signed: Awaited<ReturnType<typeof harness.seedTenant>>;
  let authorization: string;
  let email: string;

  const superuser = (statement: string) => run(harness.database.superuserUrl, statement);

  function call({ method, path, auth }: ListedRoute, { body, params, headers = {} }: Call): Promise<ApiResponse> {
    const filled = pathOf({ path }, { ...ids, ...params });
    const payload = body && JSON.stringify(body);
    if (auth !== "dashboard") return signed.sendRaw(method, filled, payload, { headers });
    return harness.send({
      method,
      url: PREFIX + filled,
      headers: { authorization, ...(body && { "content-type": "application/json" }) },
      ...(payload && { payload }),
    });
  }

  async function dumpRows(): Promise<string[]> {
    const tables = (await accounts.everyRow()).split("\n# ");
    return tables.filter((table) => !IGNORED_TABLES.has(table.split("\n")[0] ?? ""));
  }

  beforeAll(async () => {
    signed = await harness.seedTenant({ scopes: SCOPES });
    const project = (await signed.post("/projects", { name: "First" })).body.project_id;
    await signed.put(`/projects/${project}/variables/TOKEN`, { value: "first" });
    const link = await signed.post(`/projects/${project}/link`, { provider: "neon" });
    const policy = await signed.post("/policies", { name: "first", rules: [] });
    const key = await signed.post("/developers/me/keys", { name: "first" });
    const helius = { credentials: { api_key: "k" }, verify: "skip" };
    await signed.put("/developers/provider-keys/helius", helius);
    const agent = await postAgent(signed);
    await postAgent(signed, { agent_id: SUSPENDED_AGENT });
    const killed = await postAgent(signed);
    const killSwitch = await signed.post("/kill-switch", {
      ...{ scope: "agent", id: killed.agent_id, reason: "test" },
    });
    const frozen = await signed.post("/wallets/create", {
      ...{ agent_id: SUSPENDED_AGENT, network: "base" },
    });
    await signed.post(`/wallets/${frozen.body.wallet_id}/freeze`, {
      ...{ reason: "anomaly", mode: "outgoing_only" },
    });
    await signed.post(`/agents/${SUSPENDED_AGENT}/suspend`);
    const approval = await seedApproval(harness.app, signed.tenantId);
    await postAgent(signed, { agent_id: PAYER });
    const place = { tenantId: signed.tenantId, mode: "live" } as const;
    const newWallet = async (network: "base" | "polygon") => {
      const wallet = { ...place, agentId: PAYER, network, baseUnits: 100_000_000n };
      return { agentId: PAYER, ...(await seedWallet(harness.app, wallet)) };
    };
    const [payer, payee] = [await newWallet("base"), await newWallet("polygon")];
    const payment = await seedPayment(harness.app, { ...place, payer, payee: null });
    const paid = { ...place, payer, payee, status: "confirmed" } as const;
    PAID["payment_id"] = await seedPayment(harness.app, paid);
    const webhook = await signed.post("/webhooks", { url: "https://93.184.216.34/", event_types: ["*"] });
    const fiat = await seedConversion(harness.app, { ...place, walletId: payer.walletId });
    const account = await accounts.seedAccount();
    authorization = account.as.headers.authorization;
    email = account.email;
    await superuser(
      `insert into developer_identities values ('${account.developerId}', 'github', '1', '${email}', now(), now())`,
    );
    const sessions = await accounts.call("GET", "/dashboard/sessions", undefined, account.as);
    const session = sessions.body.data[0].session_id;
    Object.assign(ids, {
      project_id: project,
      link_id: link.body.link_id,
      policy_id: policy.body.policy_id,
      key_id: key.body.key_id,
      agent_id: agent.agent_id,
      wallet_id: frozen.body.wallet_id,
      session_id: session,
      approval_id: approval,
      kill_switch_id: killSwitch.body.kill_switch_id,
      payment_id: payment,
      account_id: fiat.accountId,
      conversion_id: fiat.conversionId,
      webhook_id: webhook.body.webhook_id,
      name: "TOKEN",
    });
    expect(Object.values(ids).map((id) => typeof id)).toEqual(Array(14).fill("string"));
    await harness.deliverMails();
    await superuser(REFUSE);
  });

  afterAll(() => superuser("drop function refuse_audit cascade"));

  async function expectNoChange(send: () => Promise<ApiResponse>): Promise<void> {
    const before = await dumpRows();

    const { status } = await send();

    // A 500 shows that the call reached the audit write and was not rejected earlier.
    expect(status).toBe(500);
    expect(await dumpRows()).toEqual(before);
  }

  it("CALLS and NOT_CALLED contain every developer route whose method is not GET", () => {
    const changing = everyRoute()
      .filter(({ method, auth }) => method !== "GET" && !["public", "admin", "vendor"].includes(auth))
      .map(({ method, path }) => `${method} ${path}`);
    const known = [...Object.keys(CALLS), ...Object.keys(NOT_CALLED)];

    expect(changing.length).toBeGreaterThan(20);
    expect(changing.filter((route) => !known.includes(route))).toEqual([]);
  });

  it.each(Object.entries(CALLS))("500, nothing changed: %s", async (name, params) => {
    const route = everyRoute().find(({ method, path }) => `${method} ${path}` === name);
    if (route === undefined) throw new Error(`${name} is not a route`);

    await expectNoChange(() => call(route, params));
  });

  it("500, nothing changed: signup and login", async () => {
    await expectNoChange(() => accounts.signUp());
    await expectNoChange(() => accounts.logIn(email));
  });
});
