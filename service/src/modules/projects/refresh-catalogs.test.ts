import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { createAgenticProvider } from "../../adapters/service-provider/agentic-provider.ts";
import { catalog, catalogOf } from "./catalog.ts";
import { loadCatalogs } from "./refresh-catalogs.ts";

describe("loadCatalogs", () => {
  const harness = useHarness();

  it("offers the other providers although a stored entry is invalid for this version", async () => {
    const { app } = harness;
    const names = ["made-earlier", "made-later"];
    const providers = new Map(
      names.map((provider) => {
        const facts = { provider, display_name: provider, base_url: "https://acme.invalid" };
        const client = { client_id: "purser", billed_by: "vendor" as const, clock: app.clock };
        return [provider, createAgenticProvider({ ...facts, ...client })];
      }),
    );
    const [fixed] = catalog.providers;
    const services = (fixed?.services ?? []).map((each) => ({
      ...each,
      service: each.service.replace(/^[^/]+/, "made-later"),
    }));
    const valid = { ...fixed, provider: "made-later", services };
    const entries = [{ provider: "made-earlier", services: "none" }, valid];
    for (const [index, entry] of entries.entries()) {
      const values = { provider: names[index] ?? "", entry: JSON.stringify(entry) };
      await app.db
        .insertInto("providerCatalogs")
        .values({ ...values, readAt: app.clock.now() })
        .execute();
    }

    await loadCatalogs({ ...app, providers });

    const offered = catalogOf({ ...app, providers }).providers.filter(({ provider }) =>
      names.includes(provider),
    );
    expect(offered).toEqual([{ ...valid, health: "degraded" }]);
  });
});
