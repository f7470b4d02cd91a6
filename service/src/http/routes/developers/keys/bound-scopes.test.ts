import { randomUUID } from "node:crypto";
import type { FastifyContextConfig } from "fastify";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { AGENT_BOUND_SCOPES, PROJECT_BOUND_SCOPES, SCOPES, type Scope } from "../../../../foundation/vocabulary.ts";
import { buildServer } from "../../../server.ts";
import { allRoutes } from "../../manifest.ts";

const PROJECT_ID = "proj_01j00000000000000000000000";

describe("a key bound to agents or projects", () => {
  const harness = useHarness();

  /** Returns the scopes that have a route for which this is true, in the order of `SCOPES`. */
  async function scopesWhere(isReachable: (config: FastifyContextConfig) => boolean) {
    const found = new Set<Scope | null | undefined>();
    const server = await buildServer(harness.app, {
      routes: [
        (each) =>
          each.addHook("onRoute", ({ config }) => {
            if (config !== undefined && isReachable(config)) found.add(config.scope);
          }),
        ...allRoutes,
      ],
    });
    await server.close();
    return SCOPES.filter((scope) => found.has(scope));
  }

  it("has the scopes of the routes that it can call", async () => {
    const byAgent = await scopesWhere(({ agentBound }) => agentBound === "allowed");
    const byProject = await scopesWhere(({ projectBound }) => projectBound === "allowed");
    const byBoth = await scopesWhere(
      ({ agentBound, projectBound }) => agentBound === "allowed" && projectBound === "allowed",
    );

    expect([...AGENT_BOUND_SCOPES].sort()).toEqual([...byAgent].sort());
    expect([...PROJECT_BOUND_SCOPES].sort()).toEqual([...byProject].sort());
    expect(byBoth).toEqual(byAgent.filter((scope) => byProject.includes(scope)));
  });

  it("200: its scopes list only what it can use", async () => {
    const tenant = await harness.seedTenant();
    const scopes = ["payments:write", "keys:read", "projects:write", "fiat:write"] as const;
    const seed = async (bound: object) => (await harness.seedKey(tenant.tenantId, { scopes, ...bound })).keyId;
    const agent = await seed({ agentIds: [randomUUID()] });
    const project = await seed({ projectIds: [PROJECT_ID] });
    const both = await seed({ agentIds: [randomUUID()], projectIds: [PROJECT_ID] });
    const free = await seed({});

    const { data } = (await tenant.get("/developers/me/keys?limit=100")).body;

    const scopesOf = (id: string) => data.find(({ key_id }: { key_id: string }) => key_id === id).scopes;
    expect(scopesOf(agent)).toEqual(["payments:write", "fiat:write"]);
    expect(scopesOf(project)).toEqual(["projects:write"]);
    expect(scopesOf(both)).toEqual([]);
    expect(scopesOf(free)).toEqual(scopes);
  });

  it.each([
    ["a scope is missing", { scopes: ["env:read"] }, /does not have the scope keys:read/],
    ["the key is bound to agents", { agentIds: [randomUUID()] }, /is bound to agents.*cannot call/],
    ["the key is bound to projects", { projectIds: [PROJECT_ID] }, /is bound to projects.*cannot call/],
    [
      "both: the binding, because another scope would not help",
      { scopes: ["env:read"], agentIds: [randomUUID()] },
      /is bound to agents/,
    ],
  ] as const)("403: the detail says that %s", async (_name, seed, detail) => {
    const { tenantId } = await harness.seedTenant();
    const key = await harness.seedKey(tenantId, seed);

    expect(await key.get("/developers/me/keys")).toMatchObject({
      status: 403,
      body: { code: "insufficient_scope", detail: expect.stringMatching(detail) },
    });
  });
});
