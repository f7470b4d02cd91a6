import { pimlicoSimulator } from "@purser/simulators/pimlico/pimlico-simulator.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { startServer } from "../../../test/vendors/misbehaving-vendor.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import type { ProviderCredentials } from "../../ports/provider-key-verifier.ts";
import { createPimlicoKeyVerifier } from "./pimlico-key-verifier.ts";

let vendor: Awaited<ReturnType<typeof startTestVendor>>;
beforeAll(async () => {
  vendor = await startTestVendor(pimlicoSimulator());
});
afterAll(() => vendor.close());

const api_key = "sandbox-acme";

function verify(credentials: ProviderCredentials, mode: Mode = "live", url = vendor.url) {
  return createPimlicoKeyVerifier({ apiUrl: { live: url, test: url } }).verify(credentials, mode);
}

/** Verifies the credentials, and returns the bundler calls in sorted order. */
async function callsFor(credentials: ProviderCredentials, mode?: Mode): Promise<string[]> {
  const before = vendor.requests.list().length;
  expect(await verify(credentials, mode)).toEqual({ status: "verified", detail: null });
  return vendor.requests
    .list()
    .slice(before)
    .map(({ path, body }) => `${path} ${JSON.parse(JSON.stringify(body)).method}`)
    .toSorted();
}

const both = (chainId: number) => [`/v2/${chainId}/rpc eth_chainId`, `/v2/${chainId}/rpc eth_supportedEntryPoints`];

describe("createPimlicoKeyVerifier", () => {
  it("checks Base in live mode, and Base Sepolia in test mode", async () => {
    expect(await callsFor({ api_key }, "live")).toEqual(both(8_453));
    expect(await callsFor({ api_key }, "test")).toEqual(both(84_532));
    expect(await callsFor({ api_key, chains: [] }, "live")).toEqual(both(8_453));
  });

  it("checks each given chain once, by name or CAIP-2 id", async () => {
    const chains = ["optimism", "eip155:10", "ethereum-sepolia", "optimism"];
    expect(await callsFor({ api_key, chains })).toEqual([...both(10), ...both(11_155_111)]);
    expect(await callsFor({ api_key, chains: "polygon" })).toEqual(both(137));
  });

  it.each(["solana", "8453", "eip155:08453", "constructor", "../1", "base "])(
    "failed without a call: the chain %j",
    async (chain) => {
      const before = vendor.requests.list().length;
      const { status, detail } = await verify({ api_key, chains: ["base", chain] });
      expect(status).toBe("failed");
      expect(detail).toContain("chains contains an unsupported chain. Supported: ethereum, base,");
      expect(vendor.requests.list()).toHaveLength(before);
    },
  );

  it("failed: one chain's bundler does not support the EntryPoint", async () => {
    expect(await verify({ api_key: "sandbox-old", chains: ["base"] })).toEqual({
      status: "failed",
      detail: "Pimlico's bundler for base does not support EntryPoint 0.8.",
    });
  });

  it("failed: a bundler returns a different chain id", async () => {
    const url = await startServer(async (request, response) => {
      const body = (await request.toArray()).join("");
      const original = await fetch(`${vendor.url}/v2/10/rpc?apikey=${api_key}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      response.end(await original.text());
    });
    expect(await verify({ api_key, chains: ["base"] }, "live", url)).toEqual({
      status: "failed",
      detail: "Pimlico's bundler for base reports a different chain.",
    });
    expect(await verify({ api_key, chains: ["optimism"] }, "live", url)).toMatchObject({
      status: "verified",
    });
  });
});
