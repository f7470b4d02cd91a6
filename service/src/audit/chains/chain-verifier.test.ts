import { describe, expect, it } from "vitest";
import { appendEntries } from "../../../test/audit-trail.ts";
import { useHarness } from "../../../test/harness.ts";
import { newId } from "../../foundation/ids.ts";
import type { AuditAnchor } from "../../ports/audit-anchor.ts";
import { createChainVerifier } from "./chains.ts";
import type { ChainKey } from "./queries.ts";
import { verifyChain } from "./verify.ts";

describe("concurrent verifications", () => {
  const harness = useHarness();
  const newChain = (): ChainKey => ({ tenantId: newId("dev"), chain: "tenant" });

  /** Creates a verifier and counts its calls to the anchor. Each verification calls the anchor once. */
  function arrange(latest: AuditAnchor["latest"] = async () => undefined) {
    const counts = { total: 0, running: 0, maxRunning: 0 };
    const counted: AuditAnchor["latest"] = async (...which) => {
      counts.total += 1;
      counts.running += 1;
      counts.maxRunning = Math.max(counts.maxRunning, counts.running);
      try {
        return await latest(...which);
      } finally {
        counts.running -= 1;
      }
    };
    const auditAnchor = { ...harness.app.auditAnchor, latest: counted };
    return { counts, verify: createChainVerifier({ ...harness.app, auditAnchor }) };
  }

  it("share a queued verification of the same chain, which includes entries written before each call", async () => {
    const key = newChain();
    await appendEntries(harness.app.db, key, { count: 1, first: 1 });
    const response = Promise.withResolvers<undefined>();
    const { counts, verify } = arrange(() => response.promise);
    const first = verify(key);
    await expect.poll(() => counts.total).toBe(1);
    await appendEntries(harness.app.db, key, { count: 1, first: 2 });

    const later = Array.from({ length: 30 }, () => verify(key));
    response.resolve(undefined);

    expect((await first).entriesChecked).toBe(1);
    for (const { entriesChecked } of await Promise.all(later)) expect(entriesChecked).toBe(2);
    expect(counts.total).toBe(2);
  });

  it("run at most two at the same time, and all finish even if one fails", async () => {
    const response = Promise.withResolvers<undefined>();
    const { counts, verify } = arrange(() => response.promise);
    const keys = Array.from({ length: 12 }, newChain);
    const invalid = { tenantId: "\u0000", chain: "tenant" } as unknown as ChainKey;

    const pending = Promise.allSettled([invalid, ...keys, invalid, newChain()].map((key) => verify(key)));
    await expect.poll(() => counts.running).toBe(2);
    // Waits for the duration of one verification. If a third concurrent verification had started, it would reach the
    // anchor in this time.
    await verifyChain(harness.app, newChain());
    expect(counts.running).toBe(2);
    response.resolve(undefined);
    const outcomes = await pending;

    expect(outcomes.map(({ status }) => status)).toEqual(
      [invalid, ...keys, invalid, keys[0]].map((key) => (key === invalid ? "rejected" : "fulfilled")),
    );
    expect(counts).toEqual({ total: 13, running: 0, maxRunning: 2 });
  });
});
