import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { bridgeSimulator } from "./bridge-simulator.ts";

type TestVendor = Awaited<ReturnType<typeof startTestVendor>>;
let vendor: TestVendor;
/** A simulator without Bridge's OpenAPI description, which is not available on every machine. */
let withoutContract: TestVendor;
beforeAll(async () => {
  vendor = await startTestVendor(bridgeSimulator());
  withoutContract = await startTestVendor(bridgeSimulator(), { contract: null });
});
afterAll(async () => {
  await vendor.close();
  await withoutContract.close();
});

async function get(query: string, headers: Record<string, string>, to = vendor) {
  const response = await fetch(`${to.url}/v0/customers${query}`, { headers });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const ACME = { "api-key": "sandbox-acme" };

describe("Bridge simulator: listCustomers", () => {
  it("200: the list is empty", async () => {
    for (const query of ["", "?limit=1", "?limit=100&email=a@b.c"]) {
      expect(await get(query, ACME)).toEqual({ status: 200, body: { count: 0, data: [] } });
    }
  });

  it.each([{}, { "api-key": "sandbox-refused" }, { authorization: "Bearer sandbox-acme" }])(
    "401: headers %j",
    async (headers) => {
      expect(await get("?limit=1", headers)).toMatchObject({
        status: 401,
        body: { code: "invalid_credentials", source: { location: "header", key: "Api-Key" } },
      });
    },
  );

  it.each(["?limit=0", "?limit=101", "?limit=one", "?limits=1"])("400: query %s", async (query) => {
    for (const to of [vendor, withoutContract]) {
      expect(await get(query, ACME, to)).toMatchObject({
        status: 400,
        body: { code: "invalid_parameters" },
      });
    }
  });
});
