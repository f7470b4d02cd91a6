import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { bridgeSimulator } from "./bridge-simulator.ts";

type TestVendor = Awaited<ReturnType<typeof startTestVendor>>;
let vendor: TestVendor;
/** Without the description at hand, as the sandbox has to do as a rule. */
let alone: TestVendor;
beforeAll(async () => {
  vendor = await startTestVendor(bridgeSimulator());
  alone = await startTestVendor(bridgeSimulator(), { contract: null });
});
afterAll(async () => {
  await vendor.close();
  await alone.close();
});

async function get(query: string, headers: Record<string, string>, to = vendor) {
  const answer = await fetch(`${to.url}/v0/customers${query}`, { headers });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}
const ACME = { "api-key": "sandbox-acme" };

describe("Bridge's customers", () => {
  it("are none, as yet", async () => {
    for (const query of ["", "?limit=1", "?limit=100&email=a@b.c"]) {
      expect(await get(query, ACME)).toEqual({ status: 200, body: { count: 0, data: [] } });
    }
  });

  it.each([{}, { "api-key": "sandbox-refused" }, { authorization: "Bearer sandbox-acme" }])(
    "are not shown to %j",
    async (headers) => {
      expect(await get("?limit=1", headers)).toMatchObject({
        status: 401,
        body: { code: "invalid_credentials", source: { location: "header", key: "Api-Key" } },
      });
    },
  );

  it.each(["?limit=0", "?limit=101", "?limit=one", "?limits=1"])(
    "are not shown by %s, with a description or without one",
    async (query) => {
      for (const to of [vendor, alone]) {
        expect(await get(query, ACME, to)).toMatchObject({
          status: 400,
          body: { code: "invalid_parameters" },
        });
      }
    },
  );
});
