import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, startMisbehavingVendor, unreachableUrl } from "../../../test/vendors/misbehaving-vendor.ts";
import { startTestSandbox, type TestSandbox } from "../../../test/vendors/sandbox.ts";
import { createPimlicoBundlers } from "./pimlico-bundler.ts";

const API_KEY = "sandbox-contract";
const OPERATION = JSON.stringify({
  ...{ sender: `0x${"11".repeat(20)}`, nonce: "0x0", callData: "0x", signature: "0x", callGasLimit: "0x1" },
  ...{ verificationGasLimit: "0x1", preVerificationGas: "0x1", maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1" },
});
const HASH = `0x${"AB".repeat(32)}`;

describe("pimlico bundler", () => {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox("http://127.0.0.1:1");
  });
  afterAll(() => sandbox.close());

  const open = (apiUrl: string, apiKey = API_KEY) =>
    createPimlicoBundlers({ apiUrl, timeoutMs: 1_500 })({ network: "base", apiKey });
  const answeringWith = async (body: object) =>
    open(await startMisbehavingVendor(answering({ "POST /v2/8453/rpc": { jsonrpc: "2.0", id: 1, ...body } })));

  it("has no price of gas and no estimate where the bundler answers with an error", async () => {
    const bundler = await answeringWith({ error: { code: -32601, message: "no such method" } });
    expect(await bundler.readGasPrice()).toBeNull();
    expect(await bundler.estimatePreVerificationGas(OPERATION)).toBeNull();
  });

  it("reads the standard price and the estimate", async () => {
    const price = { maxFeePerGas: "0x10", maxPriorityFeePerGas: "0x2" };
    const bundler = await answeringWith({ result: { slow: price, standard: price, fast: price } });
    expect(await bundler.readGasPrice()).toEqual({ maxFeePerGas: 16n, maxPriorityFeePerGas: 2n });
    expect(await open(sandbox.pimlico.url).estimatePreVerificationGas(OPERATION)).toBeGreaterThan(21_000n);
  });

  it("returns the hash of what was sent, and throws with the bundler's reason if it is refused", async () => {
    expect(await (await answeringWith({ result: HASH })).sendOperation(OPERATION)).toBe(HASH.toLowerCase());
    const refused = await answeringWith({ error: { code: -32507, message: `AA24 signature error ${API_KEY}` } });
    await expect(refused.sendOperation(OPERATION)).rejects.toMatchObject({
      ...{ failure: "unknown", vendorCode: "-32507", vendorMessage: "AA24 signature error [redacted]" },
    });
  });

  it.each([
    ["a wrong key", async () => open(sandbox.pimlico.url, "sandbox-refused"), "unauthorized"],
    ["no server", async () => open(await unreachableUrl()), "unavailable"],
    ["another shape", () => answeringWith({ result: { standard: { maxFeePerGas: "much" } } }), "unknown"],
    ["silence", async () => open(await startMisbehavingVendor(() => {})), "unknown"],
  ])("throws: %s", async (_what, start, failure) => {
    const bundler = await start();
    await expect(bundler.readGasPrice()).rejects.toMatchObject({ vendor: "pimlico", failure });
  });
});
