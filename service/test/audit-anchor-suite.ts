import { expect, it } from "vitest";
import type { TenantId } from "../src/foundation/ids.ts";
import type { AuditAnchor, SignedCheckpoint } from "../src/ports/audit-anchor.ts";

/** A statement in the form of a true one. An anchor does not look at signatures. */
export function checkpoint(sequence: number, tenantId: TenantId = "dev_one"): SignedCheckpoint {
  return {
    tenantId,
    chain: "tenant",
    sequence,
    headHash: `head ${sequence}`,
    time: "2026-11-21T10:00:00.000Z",
    prevCheckpointHash: "0".repeat(64),
    checkpointHash: `hash-of-${tenantId}-${sequence}`,
    keyId: "key",
    signature: "signature",
  };
}

/** What every anchor promises. `open` gives one over the test's own empty place, each time as a new process would find it. */
export function describeEveryAnchor(open: () => AuditAnchor): void {
  it("knows nothing before anything was published", async () => {
    expect(await open().latest("dev_one", "tenant")).toBeUndefined();
  });

  it("remembers the newest of each chain, where it stands, and through a restart", async () => {
    const anchor = open();
    await anchor.publish(checkpoint(1));
    const other = await anchor.publish(checkpoint(9, "dev_two"));
    const reference = await anchor.publish(checkpoint(2));

    for (const reader of [anchor, open()]) {
      expect(await reader.latest("dev_one", "tenant")).toEqual({
        checkpoint: checkpoint(2),
        reference,
      });
      expect(await reader.latest("dev_two", "tenant")).toMatchObject({ reference: other });
      expect(await reader.latest("dev_one", "provider_keys")).toBeUndefined();
    }
  });

  it("takes the same checkpoint once, from whichever process, whatever the order of its fields", async () => {
    const anchor = open();
    const reversed = Object.fromEntries(Object.entries(checkpoint(1)).reverse());

    const references = [
      await anchor.publish(checkpoint(1)),
      await anchor.publish(checkpoint(1)),
      await open().publish(reversed as object as SignedCheckpoint),
    ];

    expect(new Set(references).size).toBe(1);
  });

  it("keeps an older checkpoint that comes late, without taking it for the newest", async () => {
    const anchor = open();
    const newest = await anchor.publish(checkpoint(100));

    const late = await anchor.publish(checkpoint(99));

    expect(late).not.toBe(newest);
    expect(await anchor.latest("dev_one", "tenant")).toMatchObject({ reference: newest });
  });

  it("sees what other processes publish, all of them at once", async () => {
    const anchors = Array.from({ length: 4 }, open);

    await Promise.all(
      anchors.flatMap((anchor, index) =>
        Array.from({ length: 10 }, (_, round) => anchor.publish(checkpoint(10 * round + index))),
      ),
    );

    for (const anchor of anchors) {
      expect(await anchor.latest("dev_one", "tenant")).toMatchObject({
        checkpoint: { sequence: 93 },
      });
    }
  });
}
