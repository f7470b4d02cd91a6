import { turnkeySimulator } from "@purser/simulators/turnkey/turnkey-simulator.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { startServer } from "../../../test/vendors/misbehaving-vendor.ts";
import type { ProviderCredentials } from "../../ports/provider-key-verifier.ts";
import { createTurnkeyKeyVerifier } from "./turnkey-key-verifier.ts";

const CURVES_ORDER = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";

let vendor: Awaited<ReturnType<typeof startTestVendor>>;
let parent: Record<string, string>;
let child: Record<string, string>;
beforeAll(async () => {
  vendor = await startTestVendor(turnkeySimulator());
  const keys = await vendor.context.objects.list<{ credentials: Record<string, string> }>("api_key");
  [parent = {}, child = {}] = keys.map(({ data }) => data.credentials);
});
afterAll(() => vendor.close());

const verify = (credentials: ProviderCredentials, url = vendor.url) =>
  createTurnkeyKeyVerifier({ apiUrl: { live: url, test: url } }).verify(credentials, "live");

describe("createTurnkeyKeyVerifier", () => {
  it("verified: hexadecimal digits in either case", async () => {
    const upper = (field: string) => String(parent[field]).toUpperCase();
    const credentials = {
      ...parent,
      api_public_key: upper("api_public_key"),
      api_private_key: upper("api_private_key"),
    };
    expect(await verify(credentials)).toMatchObject({ status: "verified" });
  });

  it("failed: the keys belong to another organization", async () => {
    expect(await verify(child)).toMatchObject({ status: "verified" });
    const withParentId = { ...child, organization_id: String(parent["organization_id"]) };
    expect(await verify(withParentId)).toEqual({
      status: "failed",
      detail: "These keys belong to a different organization than organization_id.",
    });
    const withUnrelatedId = { ...parent, organization_id: "00000000-0000-4000-8000-000000000000" };
    expect(await verify(withUnrelatedId)).toMatchObject({
      status: "failed",
      detail: "Turnkey rejected these keys.",
    });
  });

  it("failed: the response contains a different organization", async () => {
    const url = await startServer((_request, response) => {
      const otherUser = { organizationId: "x", organizationName: "x", userId: "x", username: "x" };
      response.end(JSON.stringify(otherUser));
    });
    expect(await verify(parent, url)).toMatchObject({
      status: "failed",
      detail: expect.stringContaining("a different organization"),
    });
  });

  it("failed without a call: the public key does not match the private key", async () => {
    const before = vendor.requests.list().length;
    const flipped = String(parent["api_public_key"]).replace(/^0[23]/, (sign) => (sign === "02" ? "03" : "02"));
    for (const api_public_key of [String(child["api_public_key"]), flipped, "04ab"]) {
      expect(await verify({ ...parent, api_public_key })).toEqual({
        status: "failed",
        detail: "api_public_key does not match api_private_key.",
      });
    }
    expect(vendor.requests.list()).toHaveLength(before);
  });

  it.each([
    ["not hexadecimal", "z".repeat(64)],
    ["too short", "ab".repeat(31)],
    ["too long", "ab".repeat(33)],
    ["zero", "00".repeat(32)],
    ["the order of the curve", CURVES_ORDER],
    ["with a 0x prefix", `0x${"ab".repeat(31)}`],
  ])("failed: the private key is %s", async (_what, api_private_key) => {
    expect(await verify({ ...parent, api_private_key })).toEqual({
      status: "failed",
      detail: "api_private_key is not a P-256 private key in hexadecimal.",
    });
  });

  it("calls the given base_url if it is a Turnkey URL", async () => {
    const unreachableUrl = "http://127.0.0.1:9";
    const elsewhere = createTurnkeyKeyVerifier({
      apiUrl: { live: unreachableUrl, test: vendor.url },
    });
    const given = { ...parent, base_url: `${vendor.url}/` };
    expect(await elsewhere.verify(parent, "live")).toMatchObject({ status: "unreachable" });
    expect(await elsewhere.verify(given, "live")).toMatchObject({ status: "verified" });
    for (const base_url of ["https://api.turnkey.com.evil.test", [vendor.url], ""]) {
      expect(await elsewhere.verify({ ...parent, base_url }, "live")).toEqual({
        status: "failed",
        detail: "base_url is not a Turnkey URL.",
      });
    }
  });
});
