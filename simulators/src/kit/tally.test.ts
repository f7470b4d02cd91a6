import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EXAMPLE_DESCRIPTION, exampleVendor } from "../../test/example-vendor.ts";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { compileContract } from "../contracts/compile-contract.ts";
import { VENDOR_TALLY_FILE } from "./tally.ts";

describe("tally", () => {
  const runsFile = process.env[VENDOR_TALLY_FILE];
  let dir: string;
  let file: string;
  let vendor: Awaited<ReturnType<typeof startTestVendor>>;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "purser-tally-"));
    file = join(dir, "requests");
    process.env[VENDOR_TALLY_FILE] = file;
    const contract = await compileContract(EXAMPLE_DESCRIPTION, { prefix: "/v1", bodies: "json" });
    vendor = await startTestVendor(exampleVendor(), { contract });
  });
  beforeEach(() => writeFile(file, ""));
  afterAll(async () => {
    if (runsFile === undefined) delete process.env[VENDOR_TALLY_FILE];
    else process.env[VENDOR_TALLY_FILE] = runsFile;
    await vendor.close();
    await rm(dir, { recursive: true });
  });

  const send = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${vendor.url}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: "Bearer teapot-key",
        "user-agent": "purser/1.0 (test)",
        ...headers,
      },
      body,
    });
  const tallied = async () =>
    (await readFile(file, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));

  it("counts each adapter request once, with its problems", async () => {
    await send("/v1/loose", '{"name":"x"}');
    await send("/v1/loose", '{"cont":1}');
    await send("/v1/loose", "{");
    await send("/v1/cups", "{}");
    expect(await tallied()).toEqual([
      { vendor: "teapot", mark: "valid", detail: "POST /v1/loose []" },
      { vendor: "teapot", mark: "invalid", detail: expect.stringContaining('"cont"') },
      { vendor: "teapot", mark: "invalid", detail: expect.stringContaining("must be JSON") },
      { vendor: "teapot", mark: "invalid", detail: expect.stringContaining("not described") },
    ]);
  });

  it("counts a response that violates the vendor's OpenAPI description", async () => {
    await send("/v1/loose", '{"name":7}');
    expect(await tallied()).toEqual([
      expect.objectContaining({ mark: "valid" }),
      { vendor: "teapot", mark: "bad-answer", detail: expect.stringContaining("must be string") },
    ]);
  });

  it("counts a request with wrong credentials and one with a forced outcome", async () => {
    await send("/v1/loose", '{"name":"x"}', { authorization: "Bearer other" });
    vendor.outcomes.force({ operation: "loosePot", outcome: "refused" });
    await send("/v1/loose", '{"name":"x"}');
    expect(await tallied()).toEqual([
      expect.objectContaining({ mark: "valid" }),
      expect.objectContaining({ mark: "valid" }),
    ]);
  });

  it("ignores requests that a test sends directly", async () => {
    await send("/v1/loose", '{"cont":1}', { "user-agent": "node" });
    expect(await readFile(file, "utf8")).toBe("");
  });
});
