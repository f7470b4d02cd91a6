import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { withTransaction } from "../db/transaction.ts";
import { scheduleWork } from "../due-work/due-work.ts";
import { runDueWork } from "../due-work/run-due-work.ts";
import { OPERATOR_TENANT } from "../foundation/ids.ts";
import type { VendorEvent, VendorWebhooks } from "../ports/vendor-webhooks.ts";
import { applyVendorEvents } from "./apply-vendor-events.ts";

/** A second vendor. It calls its objects what Stripe calls its own, and verifies asynchronously. */
const other: VendorWebhooks = {
  verify: async ({ rawBody, headers }) => {
    await Promise.resolve();
    return headers["x-signature"] === "good" ? { event: JSON.parse(rawBody.toString()) } : undefined;
  },
};

describe("webhooks of two vendors", () => {
  const reads: string[] = [];
  const harness = useHarness({
    replace: ({ vendorWebhooks, billing }) => ({
      vendorWebhooks: new Map([...vendorWebhooks, ["other", other]]),
      billing: {
        ...billing,
        live: {
          ...billing.live,
          readCharge: async (id) => {
            reads.push(id);
            throw new Error("the charge is not Stripe's");
          },
        },
      },
    }),
  });

  const eventOf = (eventId: string): VendorEvent => ({
    ...{ eventId, mode: "live", type: "charge.refunded" },
    ...{ objectType: "charge", objectId: "ch_1" },
  });
  const deliver = (event: VendorEvent, signature: string) =>
    harness.deliver({
      vendor: "other",
      body: JSON.stringify(event),
      headers: { "content-type": "application/json", "x-signature": signature },
    });
  const stored = (eventId: string) =>
    harness.app.db.selectFrom("vendorEvents").select("vendor").where("eventId", "=", eventId).execute();

  it("a charge of another vendor is not read from Stripe", async () => {
    expect((await deliver(eventOf("evt_other"), "good")).status).toBe(200);

    expect(await stored("evt_other")).toEqual([]);
    expect(await runDueWork(harness.app, applyVendorEvents)).toBe(0);
    expect(reads).toEqual([]);
  });

  it("work that is scheduled although no handler is registered for its vendor is not given to Stripe's handler", async () => {
    const subject = JSON.stringify(["other", "live", "charge", "ch_1"]);
    await withTransaction(harness.app.db, OPERATOR_TENANT, (tx) =>
      scheduleWork(tx, applyVendorEvents, { tenantId: OPERATOR_TENANT, subject, dueAt: harness.clock.now() }),
    );

    expect(await runDueWork(harness.app, applyVendorEvents)).toBe(1);
    expect(await runDueWork(harness.app, applyVendorEvents)).toBe(0);
    expect(reads).toEqual([]);
  });

  it("401: a webhook that a vendor rejects asynchronously", async () => {
    expect((await deliver(eventOf("evt_forged"), "bad")).status).toBe(401);
    expect(await stored("evt_forged")).toEqual([]);
  });
});
