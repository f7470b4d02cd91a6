import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { openProviderCredentials } from "./provider-keys.ts";

describe("openProviderCredentials", () => {
  const harness = useHarness();

  it("returns the saved keys and records their use at most once per minute", async () => {
    const { tenantId, put, get } = await harness.seedTenant();
    const credentials = {
      api_key: "a",
      sponsorship_policy_id: "sp",
      chains: ["base", "eip155:10"],
    };
    await put("/developers/provider-keys/pimlico", { credentials, verify: "skip" });
    const owner = { tenantId, mode: "live", provider: "pimlico" } as const;
    const lastUsedAt = async () => (await get("/developers/provider-keys")).body.data[0].last_used_at;

    expect(await openProviderCredentials(harness.app, owner)).toEqual(credentials);
    const first = harness.clock.now().toISOString();
    expect(await lastUsedAt()).toBe(first);
    harness.clock.advanceSeconds(59);
    await openProviderCredentials(harness.app, owner);
    expect(await lastUsedAt()).toBe(first);
    harness.clock.advanceSeconds(1);
    await openProviderCredentials(harness.app, owner);
    expect(await lastUsedAt()).toBe(harness.clock.now().toISOString());
  });

  it("returns undefined for a mode or provider without keys", async () => {
    const { tenantId, put } = await harness.seedTenant();
    await put("/developers/provider-keys/helius", {
      credentials: { api_key: "a" },
      verify: "skip",
    });

    const open = (mode: "live" | "test", provider: "helius" | "bridge") =>
      openProviderCredentials(harness.app, { tenantId, mode, provider });

    expect(await open("live", "helius")).toEqual({ api_key: "a" });
    expect(await open("test", "helius")).toBeUndefined();
    expect(await open("live", "bridge")).toBeUndefined();
  });
});
