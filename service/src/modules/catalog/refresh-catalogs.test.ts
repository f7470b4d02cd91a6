import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { createAgenticProvider } from "../../adapters/service-provider/agentic/agentic-provider.ts";
import type { Biller } from "../../foundation/vocabulary.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";
import { loadCatalogs } from "./browse-catalog.ts";
import { catalogOf } from "./catalog.ts";

describe("loadCatalogs", () => {
  const harness = useHarness();

  /** A provider that does not respond. */
  function providerOf(provider: string, billed_by: Biller) {
    const facts = { provider, display_name: provider, base_url: "https://acme.invalid" };
    const client = { client_id: "purser", billed_by, clock: harness.app.clock };
    return createAgenticProvider({ ...facts, ...client });
  }

  /** Stores an entry of the provider. Returns it. */
  async function store(provider: string, billed_by: Biller) {
    const [fixed] = catalogOf(harness.app);
    const services = (fixed?.services ?? []).map((each) => ({
      ...each,
      service: each.service.replace(/^[^/]+/, provider),
      plans: each.plans.map((plan) => ({ ...plan, billed_by })),
    }));
    const entry = { ...fixed, provider, services };
    await insert(provider, entry);
    return entry;
  }

  async function insert(provider: string, entry: object): Promise<void> {
    await harness.app.db
      .insertInto("providerCatalogs")
      .values({ provider, entry: JSON.stringify(entry), readAt: harness.app.clock.now() })
      .execute();
  }

  async function load(...configured: readonly ServiceProvider[]) {
    const providers = new Map(configured.map((each) => [each.provider, each]));
    await loadCatalogs({ ...harness.app, providers });
    return catalogOf({ providers });
  }

  it("offers the other providers although a stored entry is invalid for this version", async () => {
    await insert("made-earlier", { provider: "made-earlier", services: "none" });
    const valid = await store("made-later", "vendor");

    const offered = await load(providerOf("made-earlier", "vendor"), providerOf("made-later", "vendor"));

    expect(offered).toEqual([{ ...valid, health: "degraded" }]);
  });

  it("offers a stored entry with the biller that is configured now", async () => {
    await store("made-billed", "vendor");

    const [offered] = await load(providerOf("made-billed", "purser"));

    const plans = offered?.services.flatMap((service) => service.plans) ?? [];
    expect(new Set(plans.map(({ billed_by }) => billed_by))).toEqual(new Set(["purser"]));
  });
});
