import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendEntries } from "../../../test/audit-trail.ts";
import { useHarness } from "../../../test/harness.ts";
import { createFileAuditAnchor } from "../../adapters/audit-anchor/file-audit-anchor.ts";
import { newId } from "../../foundation/ids.ts";
import { chainPendingEntries } from "../chains/chain-pending-entries.ts";
import type { ChainKey } from "../chains/queries.ts";
import { verifyChain } from "../chains/verify.ts";
import { AnchorMismatchError, checkpointChain } from "./checkpoint.ts";
import { fillAnchor, lostEntries, recordLoss } from "./restored-anchor.ts";
import { signCheckpoint } from "./signed-checkpoint.ts";

describe("after the restore of a backup", () => {
  const harness = useHarness();
  const key: ChainKey = { tenantId: newId("dev"), chain: "tenant" };

  async function grow(count: number, first: number): Promise<void> {
    await appendEntries(harness.app.db, key, { count, first });
    await chainPendingEntries(harness.app.db, key);
  }

  async function lostNow() {
    const found = [];
    for await (const lost of lostEntries(harness.app)) found.push(lost);
    return found;
  }

  it("the lost entries are named and recorded, and checkpoints go on in a new anchor", async () => {
    const { app } = harness;
    await grow(2, 1);
    await checkpointChain(app, key);
    await grow(2, 3);
    expect(await lostNow()).toEqual([]);
    const prevCheckpointHash = (await app.auditAnchor.latest(key.tenantId, key.chain))?.checkpoint.checkpointHash ?? "";
    const lostHash = "f".repeat(64);
    const time = "2026-11-29T12:00:00.000Z";
    await app.auditAnchor.publish(
      signCheckpoint(app.signer, { ...key, sequence: 6, headHash: lostHash, time, prevCheckpointHash }),
    );

    const [lost] = await lostNow();

    expect(lost).toMatchObject({ key, lastSequence: 4, checkpoint: { sequence: 6, headHash: lostHash } });
    await expect(checkpointChain(app, key)).rejects.toThrow(AnchorMismatchError);
    if (lost !== undefined) await recordLoss(app, lost, "the disk was lost");
    const auditAnchor = createFileAuditAnchor({ path: join(harness.folder, "new-anchor.jsonl") });
    const moved = { ...app, auditAnchor };
    expect(await verifyChain(moved, key)).toMatchObject({ valid: false, anchor: { status: "mismatch" } });
    expect(await fillAnchor(moved)).toBe(1);
    expect(await fillAnchor(moved)).toBe(0);
    await checkpointChain(moved, key);
    expect(await verifyChain(moved, key)).toMatchObject({
      valid: true,
      anchor: { status: "matched", checkpoint: { sequence: 5, prevCheckpointHash }, unanchoredEntries: 0 },
    });
    const recorded = await app.db
      .selectFrom("auditEntries")
      .select("facts")
      .where("tenantId", "=", key.tenantId)
      .where("action", "=", "audit.restored")
      .execute();
    expect(recorded.map(({ facts }) => facts)).toEqual([
      { reason: "the disk was lost", last_sequence: 4, anchored_sequence: 6, head_hash: lostHash, time },
    ]);
  });
});
