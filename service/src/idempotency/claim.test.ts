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
  storeErrorResponse,
  storeResponse,
  storeSecretIssued,
} from "./claim.ts";

const HOUR_SECONDS = 3_600;
const IN_FLIGHT = { code: "idempotency_in_flight" };

describe("claimKey with concurrent calls", () => {
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

  const response = (body: string) => ({ status: 201, body });
  const store = (call: IdempotentCall, body: string) =>
    withTransaction(harness.app.db, call.tenantId, (tx) => storeResponse(tx, call, response(body)));

  it("only one of the calls that arrive after the retention period gets the key", async () => {
    for (let round = 0; round < 10; round += 1) {
      const call = await newCall();
      await claimKey(harness.app, call);
      await store(call, "old");
      harness.clock.advanceSeconds(24 * HOUR_SECONDS);

      const claims = await Promise.allSettled(Array.from({ length: 8 }, () => claimKey(harness.app, call)));

      expect(claims.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const claim of claims) {
        if (claim.status === "rejected") expect(claim.reason).toMatchObject(IN_FLIGHT);
      }
    }
  });

  it("idempotency_in_flight: a call that exceeds its lease cannot store a response after another call has", async () => {
    const call = await newCall();
    await claimKey(harness.app, call);
    harness.clock.advanceSeconds(60);
    expect(await claimKey(harness.app, call)).toBeUndefined();
    await store(call, "second");

    await expect(store(call, "first")).rejects.toMatchObject(IN_FLIGHT);
    await expect(storeErrorResponse(harness.app, call, { status: 409, body: "first" })).rejects.toMatchObject(
      IN_FLIGHT,
    );
    expect(await findStoredResponse(harness.app, call)).toEqual(response("second"));
  });

  it("idempotency_in_flight: a call whose key was released cannot store a response", async () => {
    const call = await newCall();
    await claimKey(harness.app, call);
    await releaseKey(harness.app, call);

    await expect(store(call, "late")).rejects.toMatchObject(IN_FLIGHT);
    await expect(
      withTransaction(harness.app.db, call.tenantId, (tx) => storeSecretIssued(tx, call)),
    ).rejects.toMatchObject(IN_FLIGHT);
    expect(await findStoredResponse(harness.app, call)).toBeUndefined();
  });

  it("deleteStoredResponse: the key can be claimed again", async () => {
    const call = await newCall();
    await claimKey(harness.app, call);
    await store(call, "first");

    await deleteStoredResponse(harness.app, call, "first");

    expect(await findStoredResponse(harness.app, call)).toBeUndefined();
    expect(await claimKey(harness.app, call)).toBeUndefined();
  });

  it("deleteStoredResponse: does not delete a newer response of another call, or a key in flight", async () => {
    const call = await newCall();
    await claimKey(harness.app, call);
    await store(call, "first");
    await deleteStoredResponse(harness.app, call, "first");
    await claimKey(harness.app, call);

    // Simulates another caller that also received the response "first" and deletes it late. A late call must not delete
    // the new claim or the newer response.
    await deleteStoredResponse(harness.app, call, "first");
    await expect(claimKey(harness.app, call)).rejects.toMatchObject(IN_FLIGHT);
    await store(call, "newer");
    await deleteStoredResponse(harness.app, call, "first");

    expect(await claimKey(harness.app, call)).toEqual(response("newer"));
  });

  it("deleteStoredResponse: does not delete equal responses of other keys, modes and tenants", async () => {
    const call = await newCall();
    const others = [
      { ...call, idempotencyKey: randomUUID() },
      { ...call, mode: "test" as const },
      { ...(await newCall()), idempotencyKey: call.idempotencyKey },
    ];
    for (const each of [call, ...others]) {
      await claimKey(harness.app, each);
      await store(each, "equal");
    }

    await deleteStoredResponse(harness.app, call, "equal");

    for (const other of others) {
      expect(await claimKey(harness.app, other)).toEqual(response("equal"));
    }
    expect(await claimKey(harness.app, call)).toBeUndefined();
  });
});
