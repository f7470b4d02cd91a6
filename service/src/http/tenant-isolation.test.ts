import { describe, expect, it } from "vitest";
import { postAgent } from "../../test/agents/seed-agents.ts";
import { seedApproval } from "../../test/approvals/seed-approval.ts";
import { run } from "../../test/database.ts";
import { allowWaitingForEvents, untilEventsAreReadable } from "../../test/events/until-readable.ts";
import { everyRoute, type ListedRoute, pathOf } from "../../test/every-route.ts";
import { seedConversion } from "../../test/fiat/seed-conversion.ts";
import { useHarness } from "../../test/harness.ts";
import { seedPayment } from "../../test/payments/seed-payment.ts";
import { dumpDatabase, seedLink, seedOperation, seedService } from "../../test/project-seeds.ts";
import { SCOPES } from "../foundation/vocabulary.ts";

allowWaitingForEvents();

/** Valid bodies, so that validation does not reject the request before the object is looked up. */
const BODIES: Readonly<Record<string, object>> = {
  "POST /projects/{project_id}/link": { provider: "neon" },
  "POST /projects/{project_id}/services": { service: "neon/postgres" },
  "POST /projects/{project_id}/services/{service_id}/upgrade": { plan: "launch" },
  "POST /projects/{project_id}/billing/payment-methods": { payment_method_id: "pm_card_visa" },
  "PATCH /projects/{project_id}": { name: "Taken over" },
  "PUT /projects/{project_id}/variables/{name}": { value: "taken over" },
  "POST /wallets/{wallet_id}/freeze": { reason: "compliance" },
  "POST /wallets/{wallet_id}/freeze-on-chain": { reason: "compliance" },
  "POST /agents/{agent_id}/keys": { name: "taken over" },
  "PATCH /agents/{agent_id}": { name: "Taken over" },
  "PATCH /policies/{policy_id}": { name: "taken over" },
  "PATCH /wallets/{wallet_id}": { name: "taken-over" },
  "POST /policies/{policy_id}/rollback": { version: 1 },
  "POST /policies/{policy_id}/backtest": { agent_id: "0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10" },
  "POST /webhooks/{webhook_id}/replay": { since: "2026-01-01T00:00:00.000Z" },
  "POST /developers/me/keys/{key_id}/test-signature": {
    method: "GET",
    path: "/api/v1/svc/projects",
    timestamp: "1785000000",
  },
};

/** Routes that do not answer 404 for an absent object. Their own tests cover the objects of others. */
const NOT_404 = [
  // An empty list for any agent that is not the account's.
  "GET /wallets/agent/{agent_id}",
  // 403 for every call with a live key, and for a live wallet of the account.
  "POST /wallets/{wallet_id}/fund",
];

/** Query parameters that a route requires. */
const QUERIES: Readonly<Record<string, string>> = {
  "GET /agents/{agent_id}/kya-token": "?audience=https://shop.example",
};

/** Ids that no object can have. */
const MALFORMED: Readonly<Record<string, string>> = Object.fromEntries(
  everyRoute().flatMap(({ path }) => [...path.matchAll(/\{(\w+_id)\}/g)].map(([, name = ""]) => [name, "x"])),
);

function urlOf({ method, path }: ListedRoute, ids: Readonly<Record<string, string>>): string {
  return pathOf({ path }, ids) + (QUERIES[`${method} ${path}`] ?? "");
}

/** Calls every route that has an id in its path, with the ids of objects of another tenant or mode. */
describe("objects of another tenant or mode", () => {
  const harness = useHarness();

  /** Creates one object of each kind that a path can identify. */
  async function seedObjects(mode: "live" | "test") {
    const owner = await harness.seedTenant({ mode });
    const { body } = await owner.post("/projects", { name: "Own" });
    const place = { tenantId: owner.tenantId, projectId: body.project_id as string };
    await owner.put(`/projects/${place.projectId}/variables/SECRET`, { value: "own" });
    const linkId = await seedLink(harness.app, { ...place, mode });
    const serviceId = await seedService(harness.app, { ...place, mode, linkId });
    const operationId = await seedOperation(harness.app, { ...place, mode, serviceId });
    const approvalId = await seedApproval(harness.app, owner.tenantId, { mode });
    const policy = await owner.post("/policies", { name: "Own", rules: [] });
    const { keyId } = await harness.seedKey(owner.tenantId, { mode });
    const { agent_id: agentId } = await postAgent(owner);
    const wallet = await owner.post("/wallets/create", { agent_id: agentId, network: "base" });
    const killSwitch = await owner.post("/kill-switch", {
      ...{ scope: "agent", id: (await postAgent(owner)).agent_id, reason: "test" },
    });
    const payer = {
      agentId: agentId as string,
      walletId: wallet.body.wallet_id,
      address: wallet.body.address,
    };
    const waiting = { status: "requires_approval", payee: null } as const;
    const payment = { tenantId: owner.tenantId, mode, payer, ...waiting };
    const walletOf = { tenantId: owner.tenantId, mode, walletId: wallet.body.wallet_id };
    const { accountId, conversionId } = await seedConversion(harness.app, walletOf);
    const webhook = await owner.post("/webhooks", { url: "https://93.184.216.34/", event_types: ["*"] });
    await untilEventsAreReadable(harness.app);
    const events = await owner.get("/events?limit=1");
    const ids = {
      event_id: events.body.data[0].id,
      webhook_id: webhook.body.webhook_id,
      account_id: accountId,
      conversion_id: conversionId,
      payment_id: await seedPayment(harness.app, payment),
      project_id: place.projectId,
      link_id: linkId,
      service_id: serviceId,
      operation_id: operationId,
      approval_id: approvalId,
      policy_id: policy.body.policy_id,
      key_id: keyId,
      agent_id: agentId,
      wallet_id: wallet.body.wallet_id,
      kill_switch_id: killSwitch.body.kill_switch_id,
      name: "SECRET",
    };
    return { owner, ids };
  }

  const routesWithIds = () =>
    everyRoute().filter(
      ({ path, auth }) => (auth === "tenant" || auth === "signed") && /\{(?!provider)\w+\}/.test(path),
    );

  it.each(["another tenant", "another mode", "another project"] as const)(
    "404, nothing changed: the object belongs to %s; the body equals that of an absent object, and of a malformed id",
    async (owned) => {
      const { owner, ids } = await seedObjects("live");
      const isInProject = owned === "another project";
      const own = isInProject ? { project_id: (await owner.post("/projects", { name: "Two" })).body.project_id } : {};
      const caller = await {
        "another tenant": () => harness.seedTenant({ scopes: SCOPES }),
        "another mode": () => harness.seedKey(owner.tenantId, { mode: "test", scopes: SCOPES }),
        "another project": async () => owner,
      }[owned]();
      const send = async (route: ListedRoute, pathIds: Readonly<Record<string, string>>) => {
        const { method, path } = route;
        const body = BODIES[`${method} ${path}`];
        const sent = body === undefined ? undefined : JSON.stringify(body);
        const headers = path.startsWith("/payments/") ? { "x-agent-id": ids.agent_id } : {};
        const { status, text } = await caller.sendRaw(method, urlOf(route, { ...pathIds, ...own }), sent, { headers });
        return `${status} ${text.replace(/"request_id":"\w+"/, "")}`;
      };
      const checked = routesWithIds().filter(
        ({ method, path }) =>
          !NOT_404.includes(`${method} ${path}`) && (!isInProject || /\{project_id\}.*_id\}/.test(path)),
      );
      const before = await dumpDatabase(harness.database.superuserUrl);
      const differing: string[] = [];

      for (const route of checked) {
        const foreign = await send(route, ids);
        const others = [await send(route, {}), await send(route, MALFORMED)];
        const isExpected = /^404 .*"code":"\w+_not_found"/.test(foreign) && others.every((one) => one === foreign);
        if (!isExpected) differing.push(`${route.method} ${route.path}: ${[foreign, ...others].join("; ")}`);
      }

      // Routes that move money remember the signature of a refused request.
      await run(harness.database.superuserUrl, "delete from request_signatures");

      expect(differing).toEqual([]);
      expect(await dumpDatabase(harness.database.superuserUrl)).toEqual(before);
      expect(checked.length).toBeGreaterThan(isInProject ? 5 : 20);
    },
  );

  it("200: the owner reads the same paths", async () => {
    const { owner, ids } = await seedObjects("live");
    const readable = routesWithIds().filter(({ method }) => method === "GET");

    for (const route of readable) {
      const { status } = await owner.get(urlOf(route, ids));
      expect([route.path, status]).toEqual([route.path, 200]);
    }
  });
});
