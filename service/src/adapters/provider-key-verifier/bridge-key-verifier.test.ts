import { bridgeSimulator } from "@purser/simulators/bridge/bridge-simulator.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { createBridgeKeyVerifier } from "./bridge-key-verifier.ts";

let vendor: Awaited<ReturnType<typeof startTestVendor>>;
beforeAll(async () => {
  vendor = await startTestVendor(bridgeSimulator());
});
afterAll(() => vendor.close());

describe("createBridgeKeyVerifier", () => {
  const api_key = "sandbox-acme";
  const verifier = () => createBridgeKeyVerifier({ apiUrl: { live: vendor.url, test: vendor.url } });

  it("verified: the environment matches the mode", async () => {
    const production = { api_key, environment: "production" };
    const sandbox = { api_key, environment: "sandbox" };
    expect(await verifier().verify(production, "live")).toMatchObject({ status: "verified" });
    expect(await verifier().verify(sandbox, "test")).toMatchObject({ status: "verified" });
  });

  it("failed without a call: the other mode's environment", async () => {
    const before = vendor.requests.list().length;
    expect(await verifier().verify({ api_key, environment: "production" }, "test")).toEqual({
      status: "failed",
      detail: "environment must be sandbox for keys in test mode.",
    });
    expect(await verifier().verify({ api_key, environment: "sandbox" }, "live")).toEqual({
      status: "failed",
      detail: "environment must be production for keys in live mode.",
    });
    expect(vendor.requests.list()).toHaveLength(before);
  });
});
