import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { withTransaction } from "../db/transaction.ts";
import {
  claimKey,
  deleteStoredResponse,
  findStoredResponse,
  type IdempotentCall,
  releaseKey,
  storeRefusal,
  storeResponse,
  storeSecretIssued,
} from "./claim.ts";

const HOUR_SECONDS = 3_600;
const IN_FLIGHT = { code: "idempotency_in_flight" };

describe("a key that several calls want", () => {
  const harness = useHarness();

  async function newCall(): Promise<IdempotentCall> {
    return {
      tenantId: await harness.seedDeveloper(),
      mode: "live",
      method: "POST",
      route: "/test",
      idempotencyKey: randomUUID(),
      fingerprint: "f",
      agentIds: [],
      retentionHours: 24,
    };
  }

  const answerOf = (body: string) => ({ status: 201, body });
  const store = (call: IdempotentCall, body: string) =>
    withTransaction(harness.app.db, call.tenantId, (tx) => storeResponse(tx, call, answerOf(body)));

  it("goes to one of those that come when its retention is over", async () => {
    for (let round = 0; round < 10; round += 1) {
      const call = await newCall();
      await claimKey(harness.app, call);
      await store(call, "old");
      harness.clock.advanceSeconds(24 * HOUR_SECONDS);

      const claims = await Promise.allSettled(
        Array.from({ length: 8 }, () => claimKey(harness.app, call)),
      );

      expect(claims.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const claim of claims) {
        if (claim.status === "rejected") expect(claim.reason).toMatchObject(IN_FLIGHT);
      }
    }
  });

  it("is settled once: a call that outlived its lease is undone by whoever took it over", async () => {
    const call = await newCall();
    await claimKey(harness.app, call);
    harness.clock.advanceSeconds(60);
    expect(await claimKey(harness.app, call)).toBeUndefined();
    await store(call, "second");

    await expect(store(call, "first")).rejects.toMatchObject(IN_FLIGHT);
    await expect(
      storeRefusal(harness.app, call, { status: 409, body: "first" }),
    ).rejects.toMatchObject(IN_FLIGHT);
    expect(await findStoredResponse(harness.app, call)).toEqual(answerOf("second"));
  });

  it("is settled by nobody who lost it: the answer of a call whose key was given free undoes the call", async () => {
    const call = await newCall();
    await claimKey(harness.app, call);
    await releaseKey(harness.app, call);

    await expect(store(call, "late")).rejects.toMatchObject(IN_FLIGHT);
    await expect(
      withTransaction(harness.app.db, call.tenantId, (tx) => storeSecretIssued(tx, call)),
    ).rejects.toMatchObject(IN_FLIGHT);
    expect(await findStoredResponse(harness.app, call)).toBeUndefined();
  });

  it("is given free by whoever was told its answer, and can be had again at once", async () => {
    const call = await newCall();
    await claimKey(harness.app, call);
    await store(call, "told");

    await deleteStoredResponse(harness.app, call, "told");

    expect(await findStoredResponse(harness.app, call)).toBeUndefined();
    expect(await claimKey(harness.app, call)).toBeUndefined();
  });

  it("keeps an answer that somebody else has stored since, and stays with whoever is at it", async () => {
    const call = await newCall();
    await claimKey(harness.app, call);
    await store(call, "told");
    await deleteStoredResponse(harness.app, call, "told");
    await claimKey(harness.app, call);

    // Told at the same time, and later to forget it.
    await deleteStoredResponse(harness.app, call, "told");
    await expect(claimKey(harness.app, call)).rejects.toMatchObject(IN_FLIGHT);
    await store(call, "newer");
    await deleteStoredResponse(harness.app, call, "told");

    expect(await claimKey(harness.app, call)).toEqual(answerOf("newer"));
  });

  it("is given free alone, of all that were answered alike", async () => {
    const call = await newCall();
    const others = [
      { ...call, idempotencyKey: randomUUID() },
      { ...call, mode: "test" as const },
      { ...(await newCall()), idempotencyKey: call.idempotencyKey },
    ];
    for (const each of [call, ...others]) {
      await claimKey(harness.app, each);
      await store(each, "alike");
    }

    await deleteStoredResponse(harness.app, call, "alike");

    for (const other of others) {
      expect(await claimKey(harness.app, other)).toEqual(answerOf("alike"));
    }
    expect(await claimKey(harness.app, call)).toBeUndefined();
  });
});
