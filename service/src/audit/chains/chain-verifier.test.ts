import { describe, expect, it } from "vitest";
import { appendEntries } from "../../../test/audit-trail.ts";
import { useHarness } from "../../../test/harness.ts";
import { newId } from "../../foundation/ids.ts";
import type { AuditAnchor } from "../../ports/audit-anchor.ts";
import { createChainVerifier } from "./chain-verifier.ts";
import type { ChainKey } from "./queries.ts";
import { verifyChain } from "./verify.ts";

describe("verifications that are asked for together", () => {
  const harness = useHarness();
  const newChain = (): ChainKey => ({ tenantId: newId("dev"), chain: "tenant" });

  /** Each verification asks the anchor once. */
  function arrange(latest: AuditAnchor["latest"] = async () => undefined) {
    const seen = { asked: 0, underWay: 0, atOnce: 0 };
    const counted: AuditAnchor["latest"] = async (...which) => {
      seen.asked += 1;
      seen.underWay += 1;
      seen.atOnce = Math.max(seen.atOnce, seen.underWay);
      try {
        return await latest(...which);
      } finally {
        seen.underWay -= 1;
      }
    };
    const auditAnchor = { ...harness.app.auditAnchor, latest: counted };
    return { seen, verify: createChainVerifier({ ...harness.app, auditAnchor }) };
  }

  it("are one where they are of one chain, and see what was written before each was asked for", async () => {
    const key = newChain();
    await appendEntries(harness.app.db, key, { count: 1, first: 1 });
    const answer = Promise.withResolvers<undefined>();
    const { seen, verify } = arrange(() => answer.promise);
    const first = verify(key);
    await expect.poll(() => seen.asked).toBe(1);
    await appendEntries(harness.app.db, key, { count: 1, first: 2 });

    const later = Array.from({ length: 30 }, () => verify(key));
    answer.resolve(undefined);

    expect((await first).entriesChecked).toBe(1);
    for (const { entriesChecked } of await Promise.all(later)) expect(entriesChecked).toBe(2);
    expect(seen.asked).toBe(2);
  });

  it("are two at a time where they are of many, each comes to its end, and one that fails keeps none from its turn", async () => {
    const answer = Promise.withResolvers<undefined>();
    const { seen, verify } = arrange(() => answer.promise);
    const keys = Array.from({ length: 12 }, newChain);
    const lost = { tenantId: "\u0000", chain: "tenant" } as unknown as ChainKey;

    const asked = Promise.allSettled([lost, ...keys, lost, newChain()].map((key) => verify(key)));
    await expect.poll(() => seen.underWay).toBe(2);
    // As long as a third would have taken to get there.
    await verifyChain(harness.app, newChain());
    expect(seen.underWay).toBe(2);
    answer.resolve(undefined);
    const outcomes = await asked;

    expect(outcomes.map(({ status }) => status)).toEqual(
      [lost, ...keys, lost, keys[0]].map((key) => (key === lost ? "rejected" : "fulfilled")),
    );
    expect(seen).toEqual({ asked: 13, underWay: 0, atOnce: 2 });
  });
});
