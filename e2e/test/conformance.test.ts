import { describe, expect, it } from "vitest";
import { readExamples, wrongExamples } from "../src/conformance/examples.ts";
import { operations } from "../src/conformance/operations.ts";
import { runConformance } from "../src/conformance/run-conformance.ts";

/** The developer operations of the first version of the API. */
const DEVELOPER_OPERATIONS = [
  "GET /developers/dashboard/me",
  "PUT /developers/dashboard/me",
  "POST /developers/login",
  "POST /developers/logout",
  "GET /developers/me",
  "GET /developers/me/keys",
  "POST /developers/me/keys",
  "DELETE /developers/me/keys/{key_id}",
  "POST /developers/me/keys/{key_id}/rotate",
  "POST /developers/oauth/github",
  "POST /developers/oauth/github/state",
  "POST /developers/oauth/google",
  "GET /developers/provider-keys",
  "PUT /developers/provider-keys/{provider}",
  "DELETE /developers/provider-keys/{provider}",
  "GET /developers/provider-keys/audit/verify",
  "POST /developers/register",
  "POST /developers/resend-verification",
  "POST /developers/rotate-key",
  "POST /developers/signup",
  "POST /developers/token/refresh",
  "GET /developers/verify-email",
  "POST /developers/verify-kyb",
];

describe("npm run conformance", () => {
  it("calls each of the 23 developer operations", () => {
    const names: readonly string[] = operations.map(({ name }) => name);

    expect(DEVELOPER_OPERATIONS).toHaveLength(23);
    expect(DEVELOPER_OPERATIONS.filter((name) => !names.includes(name))).toEqual([]);
  });

  it("the document's examples are bodies that match their schemas, for every operation, without secrets", () => {
    const examples = readExamples();

    expect(wrongExamples(examples)).toEqual([]);
    expect(JSON.stringify(examples)).not.toMatch(/svc_s[ks]_[a-z]+_[^x"]|eyJ|whsec_/);
  });

  it("every operation responds as declared, with the correct credential and with wrong ones", async () => {
    const { rows, missing, undeclaredRequestHeaders } = await runConformance(() => {});

    expect(rows.filter(({ ok }) => !ok)).toEqual([]);
    expect(missing).toEqual([]);
    expect(undeclaredRequestHeaders).toEqual([]);
    expect(rows.length).toBeGreaterThan(300);
  }, 120_000);
});
