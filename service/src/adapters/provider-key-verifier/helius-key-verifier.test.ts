import { heliusSimulator } from "@purser/simulators/helius/helius-simulator.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { startServer } from "../../../test/vendors/misbehaving-vendor.ts";
import { createHeliusKeyVerifier } from "./helius-key-verifier.ts";

let vendor: Awaited<ReturnType<typeof startTestVendor>>;
beforeAll(async () => {
  vendor = await startTestVendor(heliusSimulator());
});
afterAll(() => vendor.close());

describe("createHeliusKeyVerifier", () => {
  const unreachableUrl = "http://127.0.0.1:9";
  const verifier = () => createHeliusKeyVerifier({ apiUrl: { live: vendor.url, test: unreachableUrl } });

  it("unreachable: the node is behind", async () => {
    expect(await verifier().verify({ api_key: "sandbox-behind" }, "live")).toEqual({
      status: "unreachable",
      detail: "Helius did not return a usable response.",
    });
  });

  it("unreachable: the node does not return `ok`", async () => {
    const bodies = [{ result: "behind" }, { result: null }, { result: "ok", id: 2 }, {}];
    for (const body of bodies) {
      const url = await startServer((_request, response) => {
        response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }));
      });
      const verifier = createHeliusKeyVerifier({ apiUrl: { live: url, test: url } });
      expect(await verifier.verify({ api_key: "sandbox-acme" }, "live")).toMatchObject({
        status: "unreachable",
      });
    }
  });

  it("calls the given rpc_url if it is a Helius URL", async () => {
    const api_key = "sandbox-acme";
    const given = { api_key, rpc_url: vendor.url };
    expect(await verifier().verify({ api_key }, "test")).toMatchObject({ status: "unreachable" });
    expect(await verifier().verify(given, "test")).toMatchObject({ status: "verified" });
    const foreign = { api_key, rpc_url: `${vendor.url}/?api-key=x` };
    expect(await verifier().verify(foreign, "test")).toEqual({
      status: "failed",
      detail: "rpc_url is not a Helius URL.",
    });
  });
});
