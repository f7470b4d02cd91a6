import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { heliusSimulator } from "../helius/helius-simulator.ts";
import { pimlicoSimulator } from "../pimlico/pimlico-simulator.ts";

let pimlico: Awaited<ReturnType<typeof startTestVendor>>;
let helius: Awaited<ReturnType<typeof startTestVendor>>;
beforeAll(async () => {
  pimlico = await startTestVendor(pimlicoSimulator());
  helius = await startTestVendor(heliusSimulator());
});
afterAll(async () => {
  await pimlico.close();
  await helius.close();
});

const call = (method: string, more: object = {}) => ({ jsonrpc: "2.0", id: 7, method, ...more });

async function post(url: string, body: unknown) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const bundler = (chain: string, key = "sandbox-acme") => `${pimlico.url}/v2/${chain}/rpc?apikey=${key}`;
const node = (key = "sandbox-acme") => `${helius.url}/?api-key=${key}`;
const errorResponse = (status: number, code: number) => ({
  status,
  body: { jsonrpc: "2.0", id: null, error: { code, message: expect.any(String) } },
});

describe("JSON-RPC simulators", () => {
  it("200: the response contains the call's ID", async () => {
    expect(await post(node(), call("getHealth"))).toEqual({
      status: 200,
      body: { jsonrpc: "2.0", id: 7, result: "ok" },
    });
    expect(await post(node(), call("getHealth", { id: "a", params: [] }))).toMatchObject({
      body: { id: "a" },
    });
  });

  it("200 with error -32601: unknown method", async () => {
    for (const [url, method] of [
      [node(), "sendTransaction"],
      [bundler("base"), "eth_nothing"],
      [bundler("base"), "constructor"],
    ] as const) {
      expect(await post(url, call(method))).toEqual({
        status: 200,
        body: {
          jsonrpc: "2.0",
          id: 7,
          error: { code: -32601, message: `the method ${method} does not exist` },
        },
      });
    }
  });

  it.each(["sandbox-refused", "sandbox-refused-2", "sandbox-", "acme", ""])("401: key %j", async (key) => {
    expect(await post(node(key), call("getHealth"))).toEqual(errorResponse(401, -32401));
    expect(await post(bundler("base", key), call("eth_chainId"))).toEqual(errorResponse(401, -32401));
  });

  it.each([
    ["a batch", [call("getHealth")]],
    ["a notification without an id", { jsonrpc: "2.0", method: "getHealth" }],
    ["a different version", call("getHealth", { jsonrpc: "1.0" })],
    ["named parameters", call("getHealth", { params: {} })],
    ["an unknown field", call("getHealth", { meta: 1 })],
  ])("400: %s", async (_what, body) => {
    expect(await post(node(), body)).toEqual(errorResponse(400, -32600));
    expect(await post(bundler("base"), body)).toEqual(errorResponse(400, -32600));
  });

  it("400: unknown query parameter", async () => {
    expect(await post(`${node()}&x=1`, call("getHealth"))).toEqual(errorResponse(400, -32600));
  });
});

describe("the Pimlico simulator", () => {
  it.each([
    ["base", "0x2105"],
    ["8453", "0x2105"],
    ["base-sepolia", "0x14a34"],
    ["sepolia", "0xaa36a7"],
  ])("has a bundler for the chain %s", async (chain, result) => {
    expect((await post(bundler(chain), call("eth_chainId"))).body).toMatchObject({ result });
  });

  it("404: unknown chain", async () => {
    for (const chain of ["7", "constructor", "base-goerli", "08453"]) {
      expect(await post(bundler(chain), call("eth_chainId"))).toEqual(errorResponse(404, -32601));
    }
  });

  it("lists EntryPoint 0.8 first, and only older ones for the key sandbox-old", async () => {
    const newest = "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108";
    const ask = async (key: string) => (await post(bundler("base", key), call("eth_supportedEntryPoints"))).body.result;
    expect((await ask("sandbox-acme"))[0]).toBe(newest);
    const older = await ask("sandbox-old-1");
    expect(older).toHaveLength(2);
    expect(older).not.toContain(newest);
  });
});
