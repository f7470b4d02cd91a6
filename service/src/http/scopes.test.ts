import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { everyRoute, pathOf } from "../../test/every-route.ts";
import { useHarness } from "../../test/harness.ts";
import { newId } from "../foundation/ids.ts";
import { SCOPES } from "../foundation/vocabulary.ts";

/** The reads that every key may make (docs/rules/scopes.md). `/operations` requires the scope of the operation's type. */
const NO_SCOPE = [
  "/developers/me",
  "/limits",
  "/operations/{operation_id}",
  "/kill-switch",
  "/kill-switch/{kill_switch_id}",
];

/** Calls every route with keys that lack its scope or are bound. The document declares who can call it. */
describe("scopes of every route", () => {
  const harness = useHarness();
  type Key = Awaited<ReturnType<typeof harness.seedKey>>;
  const routes = everyRoute().filter(({ auth }) => auth === "signed" || auth === "tenant");

  type Route = (typeof routes)[number];

  /** Returns the routes whose answer differs from the expected one. */
  async function unexpected(
    keyOf: (route: Route) => Promise<Key>,
    isRefused: (route: Route) => boolean,
  ): Promise<string[]> {
    expect(routes.length).toBeGreaterThan(100);
    const found: string[] = [];
    for (const route of routes) {
      const key = await keyOf(route);
      const { status, body } = await key.sendRaw(route.method, pathOf(route), undefined);
      const wasRefused = status === 403 && body.code === "insufficient_scope";
      if (wasRefused !== isRefused(route)) found.push(`${route.method} ${route.path}: ${status} ${body?.code}`);
    }
    return found;
  }

  it("a read requires a read scope, and a change another one", () => {
    const READS = ["/policies/evaluate", "/backtest", "/delete-preview", "/test-signature"];
    const isRead = ({ method, path }: Route) => method === "GET" || READS.some((end) => path.endsWith(end));
    const wrong = routes.filter((route) => {
      if (route.scope === null) return route.method !== "GET" || !NO_SCOPE.includes(route.path);
      return isRead(route) !== route.scope.endsWith(":read");
    });

    expect(wrong).toEqual([]);
  });

  it("403: a key that has all scopes but the one that the route requires", async () => {
    const tenantId = await harness.seedDeveloper();
    const keys = new Map<string | null, Promise<Key>>();
    const without = (scope: string | null) => {
      const scopes = SCOPES.filter((one) => one !== scope);
      const key = keys.get(scope) ?? harness.seedKey(tenantId, { scopes, mode: "test" });
      keys.set(scope, key);
      return key;
    };

    expect(
      await unexpected(
        ({ scope }) => without(scope),
        ({ scope }) => scope !== null,
      ),
    ).toEqual([]);
  });

  it.each([
    ["agents", { agentIds: [randomUUID()] }],
    ["projects", { projectIds: [newId("proj")] }],
  ] as const)("403: a key that is bound to %s, on routes that such keys cannot call", async (bound, ids) => {
    const tenantId = await harness.seedDeveloper();
    const key = await harness.seedKey(tenantId, { scopes: SCOPES, mode: "test", ...ids });

    expect(
      await unexpected(
        async () => key,
        ({ boundKeys }) => !boundKeys.includes(bound),
      ),
    ).toEqual([]);
  });
});
