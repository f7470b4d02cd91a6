import type { AgenticProviderShape } from "@purser/simulators/agentic/agentic-options.ts";
import { AGENTIC_CLIENT_ID } from "@purser/simulators/agentic/agentic-options.ts";
import { agenticSimulator } from "@purser/simulators/agentic/agentic-simulator.ts";
import { ACME_ANALYTICS, ACME_QUEUE } from "@purser/simulators/agentic/shapes.ts";
import type { Outcome } from "@purser/simulators/kit/outcome.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { completeConsentPage } from "../../simulators/test/complete-consent-page.ts";
import { startTestVendor } from "../../simulators/test/start-test-vendor.ts";
import { runProviderKit } from "../src/provider-kit/run-provider-kit.ts";

async function check(shape: AgenticProviderShape, createOutcomes: readonly Outcome[] = []) {
  const redirectUris = ["https://purser.test/callback"];
  const vendor = await startTestVendor(agenticSimulator({ shape, redirectUris }));
  onTestFinished(() => vendor.close());
  for (const outcome of createOutcomes) {
    vendor.outcomes.force({ operation: "createResource", outcome });
  }
  const results = await runProviderKit({
    baseUrl: vendor.url,
    clientId: AGENTIC_CLIENT_ID,
    paymentToken: shape.paymentCredentials === "orchestrator" ? "spt_kit" : undefined,
    consent: async (url) => (await completeConsentPage(url)).href,
  });
  const left = (await vendor.context.objects.listAll()).filter(({ type }) => type === "resource");
  const problems = results.flatMap(({ outcome, check: name, detail }) =>
    outcome === "failed" ? [[name, detail]] : [],
  );
  return { results, problems, left };
}

describe("the provider kit", () => {
  it.each([ACME_ANALYTICS, ACME_QUEUE])("$vendor passes, and nothing is left", async (shape) => {
    const { results, problems, left } = await check(shape);

    expect(problems).toEqual([]);
    expect(results.length).toBeGreaterThan(15);
    const outcome = shape.revokesTokens ? "passed" : "skipped";
    expect(results.at(-1)).toMatchObject({ check: "revoke", outcome });
    expect(results).toContainEqual({ check: "update", outcome: "passed", detail: null });
    expect(left).toEqual([]);
  });

  it("a provider fails if its services cannot be in the catalog", async () => {
    const [small] = ACME_QUEUE.services;
    const again = { ...small, id: "queue-small", allowed_updates: [] };
    const services = [...ACME_QUEUE.services, again] as AgenticProviderShape["services"];

    const { problems } = await check({ ...ACME_QUEUE, services });

    expect(problems).toEqual([["catalog entry", "The catalog is invalid: kit has two services with the same id."]]);
  });

  it("the plan is removed if the service beside it cannot be created", async () => {
    const { problems, left } = await check(ACME_ANALYTICS, ["ok", "refused"]);

    expect(problems).toEqual([["create", "The answer has status 409: refused."]]);
    expect(left).toEqual([]);
  });

  it("a provider fails if two of its credentials become the same variable", async () => {
    const credentialsOf: AgenticProviderShape["credentialsOf"] = ({ secret }) => ({
      api_key: secret,
      API__KEY: secret,
    });

    const { problems } = await check({ ...ACME_QUEUE, credentialsOf });

    const problem = "access_configuration contains two names that become the same variable.";
    expect(problems).toEqual([
      ["ready, with credentials", problem],
      ["rotate", problem],
    ]);
  });

  it("acme-queue fails: the refresh token is valid after it was revoked", async () => {
    const { problems } = await check({ ...ACME_QUEUE, faults: ["forgets_to_revoke"] });

    expect(problems).toEqual([["revoke", "The refresh token is valid after it was revoked."]]);
  });

  it.each([ACME_ANALYTICS, ACME_QUEUE])(
    "$vendor fails for exactly its faults: it rotates to the same secret, and forgets to remove",
    async (shape) => {
      const { problems } = await check({
        ...shape,
        faults: ["rotates_to_same_secret", "forgets_to_remove"],
      });

      expect(problems).toEqual([
        ["rotate", "rotate_credentials returned the same secret: nothing was rotated."],
        ["get after remove", "The resource still exists after remove: GET answers 200 instead of 404."],
      ]);
    },
  );
});
