import { describe, expect, it } from "vitest";
import { newId } from "../foundation/ids.ts";
import { WaitingCallers } from "./waiting-callers.ts";

describe("WaitingCallers", () => {
  const place = () => ({ waitMs: 60_000, left: new AbortController().signal });

  it("accepts 100 callers of a tenant and 500 in total, and others once some have left", async () => {
    const callers = new WaitingCallers();
    const tenants = Array.from({ length: 6 }, () => ({
      tenantId: newId("dev"),
      approvalId: newId("apr"),
    }));

    const accepted = tenants.map(
      (waitedFor) => Array.from({ length: 101 }, () => callers.enter(waitedFor, place())).filter(Boolean).length,
    );

    expect(accepted).toEqual([100, 100, 100, 100, 100, 0]);
    const [first, , , , , last] = tenants;
    if (first === undefined || last === undefined) throw new Error("there are six tenants");
    callers.wake(first.approvalId);
    expect(callers.enter(last, place())).toBeInstanceOf(Promise);
    expect(callers.count).toBe(401);
    callers.close();
  });

  it("answers all callers when it is closed, and later ones at once", async () => {
    const callers = new WaitingCallers();
    const waitedFor = { tenantId: newId("dev"), approvalId: newId("apr") };
    const waiting = [callers.enter(waitedFor, place()), callers.enter(waitedFor, place())];

    callers.close();

    await Promise.all([...waiting, callers.enter(waitedFor, place())]);
    expect(callers.count).toBe(0);
  });

  it("does not wait for a client that has already disconnected", async () => {
    const callers = new WaitingCallers();
    const waitedFor = { tenantId: newId("dev"), approvalId: newId("apr") };

    await callers.enter(waitedFor, { waitMs: 60_000, left: AbortSignal.abort() });

    expect(callers.count).toBe(0);
  });
});
