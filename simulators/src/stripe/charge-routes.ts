import { Type } from "typebox";
import { type ChargeData, chargeObject, requireCharge } from "./charges.ts";
import { listPage, pageQuery } from "./list.ts";
import { StripeApiError } from "./stripe-errors.ts";
import { stripeRoute } from "./stripe-route.ts";

const Id = Type.String({ maxLength: 5_000 });
const Amount = Type.Integer({ minimum: 1, maximum: 99_999_999 });

const getCharge = stripeRoute({
  operation: "GetChargesCharge",
  method: "GET",
  url: "/v1/charges/:charge",
  handle: async (call) => {
    const charge = await requireCharge(call, call.params["charge"] ?? "", 404);
    return { status: 200, body: chargeObject(charge) };
  },
});

const listCharges = stripeRoute({
  operation: "GetCharges",
  method: "GET",
  url: "/v1/charges",
  query: pageQuery({ customer: Type.Optional(Id) }),
  handle: async (call) => {
    const { customer } = call.query;
    const charges = (await call.objects.list<ChargeData>("charge"))
      .filter(({ data }) => data.livemode === call.livemode)
      .filter(({ data }) => customer === undefined || data.customer === customer)
      .reverse()
      .map(chargeObject);
    return { status: 200, body: listPage(charges, call.query, "/v1/charges") };
  },
});

/** The operator's refund in Stripe's dashboard. Purser does not call it. */
const createRefund = stripeRoute({
  operation: "PostRefunds",
  method: "POST",
  url: "/v1/refunds",
  body: Type.Object({ charge: Id, amount: Type.Optional(Amount) }, { additionalProperties: false }),
  handle: async (call) => {
    const { id, state, data } = await requireCharge(call, call.body.charge, 400);
    const left = data.amount - data.amountRefunded;
    const amount = call.body.amount ?? left;
    if (state !== "succeeded" || amount > left || amount === 0) {
      throw new StripeApiError(400, {
        code: "charge_already_refunded",
        message: `Refund amount is greater than the unrefunded amount of charge ${id}.`,
        param: "amount",
      });
    }
    const amountRefunded = data.amountRefunded + amount;
    await call.objects.update("charge", id, { data: { ...data, amountRefunded } });
    await call.emit("charge.refunded", id);
    const refund = {
      id: call.newId("re_1", 23),
      object: "refund",
      amount,
      charge: id,
      created: Math.floor(call.now.getTime() / 1_000),
      currency: "usd",
      metadata: {},
      status: "succeeded",
    };
    return { status: 200, body: refund };
  },
});

export const chargeRoutes = [getCharge, listCharges, createRefund];
