import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendEntries, createDatabaseAttacker, type DatabaseAttacker } from "../../../test/audit-trail.ts";
import { useHarness } from "../../../test/harness.ts";
import { createStatementSigner } from "../../crypto/statement-signer.ts";
import { newId } from "../../foundation/ids.ts";
import type { AuditAnchor, SignedCheckpoint } from "../../ports/audit-anchor.ts";
import { chainPendingEntries } from "../chains/chain-pending-entries.ts";
import type { ChainKey } from "../chains/queries.ts";
import { verifyChain } from "../chains/verify.ts";
import { AnchorMismatchError, type CheckpointAccess, checkpointChain, checkpointDue } from "./checkpoint.ts";
import { hasValidSignature, signCheckpoint } from "./signed-checkpoint.ts";

describe("checkpoints", () => {
  const harness = useHarness();

  const newChain = (): ChainKey => ({ tenantId: newId("dev"), chain: "tenant" });

  async function anchoredOf(key: ChainKey): Promise<SignedCheckpoint[]> {
    const text = await readFile(join(harness.folder, "anchor.jsonl"), "utf8");
    const lines = text.split("\n").filter(Boolean);
    const all: SignedCheckpoint[] = lines.map((line) => JSON.parse(line));
    return all.filter(({ tenantId, chain }) => tenantId === key.tenantId && chain === key.chain);
  }

  const storedOf = ({ tenantId }: ChainKey) =>
    harness.app.db
      .selectFrom("auditCheckpoints")
      .select("sequence")
      .where("tenantId", "=", tenantId)
      .orderBy("sequence")
      .execute();

  async function grow(key: ChainKey, count: number, first = 1): Promise<void> {
    await appendEntries(harness.app.db, key, { count, first });
    await chainPendingEntries(harness.app.db, key);
  }

  /** Returns the app with some of the anchor's methods replaced. */
  function withAnchor(change: Partial<AuditAnchor>): CheckpointAccess {
    return { ...harness.app, auditAnchor: { ...harness.app.auditAnchor, ...change } };
  }

  const failing = () => Promise.reject(new Error("the anchor is down"));

  describe("checkpointChain", () => {
    it("publishes signed checkpoints, each with the hash of the previous one", async () => {
      const key = newChain();
      for (const first of [1, 4, 7]) {
        await grow(key, 3, first);
        await checkpointChain(harness.app, key);
      }

      const anchored = await anchoredOf(key);
      expect(anchored.map(({ sequence }) => sequence)).toEqual([3, 6, 9]);
      expect(anchored.map(({ prevCheckpointHash }) => prevCheckpointHash)).toEqual([
        "0".repeat(64),
        anchored[0]?.checkpointHash,
        anchored[1]?.checkpointHash,
      ]);
      expect(anchored.every((checkpoint) => hasValidSignature(harness.app.signer, checkpoint))).toBe(true);
      expect(anchored[2]?.headHash).toBe((await verifyChain(harness.app, key)).headHash);
    });

    it("publishes nothing for an empty chain or without new entries", async () => {
      const key = newChain();
      await checkpointChain(harness.app, key);
      await grow(key, 1);
      await checkpointChain(harness.app, key);
      await checkpointChain(harness.app, key);

      expect(await anchoredOf(key)).toHaveLength(1);
    });

    it("stores no checkpoint while the anchor does not respond", async () => {
      const key = newChain();
      await grow(key, 2);

      for (const change of [{ latest: failing, publish: failing }, { latest: failing }]) {
        await expect(checkpointChain(withAnchor(change), key)).rejects.toThrow("anchor is down");
      }

      expect(await storedOf(key)).toEqual([]);
      expect(await verifyChain(withAnchor({ latest: failing }), key)).toMatchObject({
        valid: null,
        brokenAt: null,
        anchor: { status: "unavailable", unanchoredEntries: 2, truncated: false },
      });
    });

    it("publishes a failed run's checkpoint before signing the next one", async () => {
      const key = newChain();
      await grow(key, 2);
      const broken = withAnchor({ publish: failing });
      await expect(checkpointChain(broken, key)).rejects.toThrow("anchor is down");
      await grow(key, 2, 3);
      await expect(checkpointChain(broken, key)).rejects.toThrow("anchor is down");

      expect(await storedOf(key)).toEqual([{ sequence: 2 }]);
      await checkpointChain(harness.app, key);
      await checkpointChain(harness.app, key);

      const anchored = await anchoredOf(key);
      expect(anchored.map(({ sequence }) => sequence)).toEqual([2, 4]);
      expect(anchored[1]?.prevCheckpointHash).toBe(anchored[0]?.checkpointHash);
    });

    it("records a checkpoint that an interrupted run published", async () => {
      const key = newChain();
      await grow(key, 2);
      const { publish } = harness.app.auditAnchor;
      const interrupted = withAnchor({
        publish: (checkpoint) => publish(checkpoint).then(failing),
      });
      await expect(checkpointChain(interrupted, key)).rejects.toThrow("anchor is down");
      expect(await verifyChain(harness.app, key)).toMatchObject({
        valid: true,
        anchor: { status: "matched" },
      });

      await checkpointChain(harness.app, key);

      expect(await anchoredOf(key)).toHaveLength(1);
      expect(
        await harness.app.db
          .selectFrom("auditHeads")
          .select(["anchoredSequence", "anchoredAt"])
          .where("tenantId", "=", key.tenantId)
          .execute(),
      ).toEqual([{ anchoredSequence: 2, anchoredAt: harness.clock.now() }]);
    });

    it("publishes one checkpoint if several calls run at the same time", async () => {
      const key = newChain();
      await grow(key, 5);

      await Promise.all(Array.from({ length: 6 }, () => checkpointChain(harness.app, key)));

      expect(await storedOf(key)).toEqual([{ sequence: 5 }]);
      expect(await anchoredOf(key)).toHaveLength(1);
    });
  });

  describe("after the signing key was rotated", () => {
    function newKeyPair() {
      const { privateKey, publicKey } = generateKeyPairSync("ed25519", {
        privateKeyEncoding: { type: "pkcs8", format: "pem" },
        publicKeyEncoding: { type: "spki", format: "pem" },
      });
      return { privateKey, publicKey };
    }

    const [oldKey, newKey] = [newKeyPair(), newKeyPair()];
    const signing = (signer: CheckpointAccess["signer"]) => ({ ...harness.app, signer });
    const before = () => signing(createStatementSigner(oldKey.privateKey));
    const rotated = () => signing(createStatementSigner(newKey.privateKey, [oldKey.publicKey]));

    it("continue after a checkpoint signed with the retired key, which remains valid", async () => {
      const key = newChain();
      await grow(key, 2);
      await checkpointChain(before(), key);
      expect(await verifyChain(rotated(), key)).toMatchObject({ valid: true });

      await grow(key, 2, 3);
      await checkpointChain(rotated(), key);

      expect(await verifyChain(rotated(), key)).toMatchObject({
        valid: true,
        anchor: { status: "matched", checkpoint: { sequence: 4 }, unanchoredEntries: 0 },
      });
      const [first, second] = await anchoredOf(key);
      expect([first?.keyId, second?.keyId]).toEqual([before().signer.keyId, rotated().signer.keyId]);
      expect(second?.prevCheckpointHash).toBe(first?.checkpointHash);
    });

    it("throw if the anchored checkpoint was signed with an unknown key", async () => {
      const key = newChain();
      await grow(key, 2);
      await checkpointChain(before(), key);
      const withoutOldKey = signing(createStatementSigner(newKey.privateKey));

      expect(await verifyChain(withoutOldKey, key)).toMatchObject({
        valid: false,
        brokenAt: null,
        anchor: { status: "mismatch" },
      });
      await expect(checkpointChain(withoutOldKey, key)).rejects.toThrow(
        /key \w{16}, which PURSER_STATEMENT_KEYS_RETIRED lacks/,
      );
    });
  });

  describe("for a chain that was tampered with", () => {
    /** Returns a chain with eight entries, six of them anchored. */
    async function arrange(): Promise<{ key: ChainKey; intruder: DatabaseAttacker }> {
      const key = newChain();
      await grow(key, 6);
      await checkpointChain(harness.app, key);
      await grow(key, 2, 7);
      return { key, intruder: await createDatabaseAttacker(harness.database.superuserUrl, key) };
    }

    it.each([
      ["before the anchored checkpoint", 3, "prev_hash_mismatch"],
      ["at the anchored checkpoint", 6, "prev_hash_mismatch"],
    ])("throw if the chain was rewritten %s, even after it has grown", async (_name, at, reason) => {
      const { key, intruder } = await arrange();
      const records = await intruder.records();
      await intruder.rewrite(
        records.map((record, index) => (index === at - 1 ? { ...record, action: "note.burnt" } : record)),
      );
      await intruder.end();

      await expect(checkpointChain(harness.app, key)).rejects.toThrow(reason);
      await grow(key, 150, 9);
      await expect(checkpointChain(harness.app, key)).rejects.toThrow(reason);

      expect(await anchoredOf(key)).toHaveLength(1);
      expect(await verifyChain(harness.app, key)).toMatchObject({
        valid: false,
        anchor: { status: "mismatch" },
      });
    });

    it("throw if an entry after the checkpoint was changed", async () => {
      const { key, intruder } = await arrange();
      await intruder.tamper(
        `update audit_entries set action = 'note.burnt' where ${intruder.own} and subject ->> 'id' = 'note_8'`,
      );
      await intruder.end();

      await expect(checkpointChain(harness.app, key)).rejects.toThrow("broken at 8: hash_mismatch");
    });

    it("throw if the chain was truncated", async () => {
      const { key, intruder } = await arrange();
      await intruder.rewrite((await intruder.records()).slice(0, 4));
      await intruder.end();

      await expect(checkpointChain(harness.app, key)).rejects.toThrow("ends before its anchored");
    });

    it.each([
      ["no checkpoint", 0],
      ["an earlier checkpoint", 3],
    ])("throw if the anchor returns %s", async (_case, sequence) => {
      const { key, intruder } = await arrange();
      await intruder.end();
      const { latest } = harness.app.auditAnchor;
      const staleAnchor = withAnchor({
        latest: async (...args) => {
          const found = await latest(...args);
          if (found === undefined || sequence === 0) return undefined;
          const { prevCheckpointHash, headHash, time } = found.checkpoint;
          const earlier = { ...key, sequence, headHash, time, prevCheckpointHash };
          return { ...found, checkpoint: signCheckpoint(harness.app.signer, earlier) };
        },
      });
      const before = await anchoredOf(key);

      await expect(checkpointChain(staleAnchor, key)).rejects.toThrow(AnchorMismatchError);

      expect(await anchoredOf(key)).toEqual(before);
      expect(await verifyChain(staleAnchor, key)).toMatchObject({
        valid: false,
        anchor: { status: "mismatch" },
      });
    });

    it("throw if the anchor returns a checkpoint with an invalid signature", async () => {
      const { key, intruder } = await arrange();
      await intruder.end();
      const { latest } = harness.app.auditAnchor;
      const forging = withAnchor({
        latest: async (...args) => {
          const found = await latest(...args);
          return found && { ...found, checkpoint: { ...found.checkpoint, sequence: 5 } };
        },
      });

      await expect(checkpointChain(forging, key)).rejects.toThrow("has an invalid signature");
      expect(await verifyChain(forging, key)).toMatchObject({
        valid: false,
        anchor: { status: "mismatch", truncated: false },
      });
    });

    it("do not include a forged database row", async () => {
      const { key, intruder } = await arrange();
      await intruder.tamper(
        `insert into audit_checkpoints select tenant_id, chain, 7, repeat('f', 64), now(), checkpoint_hash, repeat('e', 64), key_id, signature
         from audit_checkpoints where ${intruder.own}`,
      );
      await intruder.end();

      await checkpointChain(harness.app, key);

      expect((await anchoredOf(key)).map(({ sequence }) => sequence)).toEqual([6, 8]);
    });
  });

  describe("checkpointDue", () => {
    const anchoredSequence = async (key: ChainKey) => (await anchoredOf(key)).at(-1)?.sequence;

    it("anchors a new chain immediately, then after 100 entries or 60 seconds", async () => {
      const key = newChain();
      await grow(key, 1);
      await checkpointDue(harness.app);
      expect(await anchoredSequence(key)).toBe(1);

      await grow(key, 99, 2);
      harness.clock.advanceSeconds(59);
      await checkpointDue(harness.app);
      expect(await anchoredSequence(key)).toBe(1);

      await grow(key, 1, 101);
      await checkpointDue(harness.app);
      expect(await anchoredSequence(key)).toBe(101);

      await grow(key, 1, 102);
      harness.clock.advanceSeconds(60);
      await checkpointDue(harness.app);
      expect(await anchoredSequence(key)).toBe(102);
    });

    it("returns the chains that could not be anchored, and anchors the others", async () => {
      await checkpointDue(harness.app);
      const keys = [newChain(), newChain(), newChain()];
      for (const key of keys) await grow(key, 2);
      const [broken] = keys;
      const intruder = await createDatabaseAttacker(harness.database.superuserUrl, broken ?? newChain());
      await intruder.tamper(`update audit_entries set facts = '{}' where ${intruder.own}`);

      const failed = await checkpointDue(harness.app);
      expect(failed).toHaveLength(1 + (await failingChains(broken)));

      expect(await Promise.all(keys.map(anchoredSequence))).toEqual([undefined, 2, 2]);
      await intruder.end();
    });

    it("an anchor that needs long: publishes the other chains meanwhile, and no chain twice", async () => {
      await checkpointDue(harness.app);
      const [slow, other] = [newChain(), newChain()];
      const pending = Promise.withResolvers<void>();
      const published: string[] = [];
      const access = withAnchor({
        publish: async (checkpoint) => {
          published.push(checkpoint.tenantId);
          if (checkpoint.tenantId === slow.tenantId) await pending.promise;
          return await harness.app.auditAnchor.publish(checkpoint);
        },
      });
      const anchorings = { running: new Map(), failed: [] };
      const isOurs = (tenantId: string) => tenantId === slow.tenantId || tenantId === other.tenantId;
      await grow(slow, 1);
      await checkpointDue(access, anchorings);
      await grow(other, 1);
      await checkpointDue(access, anchorings);
      expect(await anchoredSequence(other)).toBe(1);
      expect(await anchoredSequence(slow)).toBeUndefined();

      pending.resolve();
      await Promise.all(anchorings.running.values());
      expect(await anchoredSequence(slow)).toBe(1);
      expect(published.filter(isOurs)).toEqual([slow.tenantId, other.tenantId]);
    }, 20_000);

    /**
     * Counts the chains other than `except` that have unanchored entries. Earlier tests leave chains that cannot be
     * anchored, and `checkpointDue` returns those chains too.
     */
    async function failingChains(except: ChainKey | undefined): Promise<number> {
      const rows = await harness.app.db
        .selectFrom("auditHeads")
        .select("tenantId")
        .whereRef("sequence", ">", "anchoredSequence")
        .execute();
      return rows.filter(({ tenantId }) => tenantId !== except?.tenantId).length;
    }
  });
});
