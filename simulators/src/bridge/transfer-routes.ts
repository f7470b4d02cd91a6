import { Type } from "typebox";
import { BridgeApiError, bridgeError, invalidField } from "./bridge-errors.ts";
import { bridgeRoute, closed, findOwn, insertOwn } from "./bridge-route.ts";
import { EXTERNAL_ACCOUNT, type ExternalAccount } from "./external-accounts.ts";
import { checkActive, requireCustomer } from "./kyc-links.ts";
import { type Progress, TRANSFER, TransferBody, type TransferData, transferObject } from "./transfers.ts";

export function transferRoutes({ advance, fund, isFundedAtOnce }: Progress) {
  const createTransfer = bridgeRoute({
    operation: "createTransfer",
    method: "POST",
    url: "/v0/transfers",
    body: TransferBody,
    handle: async (call) => {
      const { account, body, newId: id, objects } = call;
      checkActive(await requireCustomer(call, body.on_behalf_of));
      if (Number(body.developer_fee ?? 0) >= Number(body.amount)) throw invalidField("developer_fee", "is too high");
      if ("external_account_id" in body.destination) {
        const to = await objects.find<ExternalAccount["data"]>(EXTERNAL_ACCOUNT, body.destination.external_account_id);
        if (to?.data.customerId !== body.on_behalf_of) throw invalidField("external_account_id", "is not known");
      }
      const depositMessage = `BRG${id.replaceAll("-", "").slice(0, 12).toUpperCase()}`;
      const data: TransferData = { account, body, depositMessage, fundedAt: null };
      const created = await insertOwn(call, { type: TRANSFER, state: "awaiting_funds", data });
      await call.events.emit(call, "transfer.created", id);
      if (isFundedAtOnce(data)) await fund(call, created);
      return { status: 201, body: transferObject(created) };
    },
  });

  const getTransfer = bridgeRoute({
    operation: "getTransfer",
    method: "GET",
    url: "/v0/transfers/:transfer",
    handle: async (call) => {
      const { id } = await findOwn(call, TRANSFER, call.params["transfer"]);
      await advance(call, id);
      return { status: 200, body: transferObject(await findOwn<TransferData>(call, TRANSFER, id)) };
    },
  });

  const listTransfers = bridgeRoute({
    operation: "listCustomerTransfers",
    method: "GET",
    url: "/v0/customers/:customer/transfers",
    query: closed({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      starting_after: Type.Optional(Type.String()),
    }),
    handle: async (call) => {
      const { customerId } = (await requireCustomer(call)).data;
      const { limit = 10, starting_after: after } = call.query;
      const newestFirst = (await call.objects.list<TransferData>(TRANSFER))
        .filter(({ data }) => data.body.on_behalf_of === customerId)
        .toReversed();
      const start = after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1;
      const page = newestFirst.slice(start, start + limit);
      const data = await Promise.all(page.map(async (each) => transferObject((await advance(call, each.id)) ?? each)));
      return { status: 200, body: { count: data.length, data } };
    },
  });

  const deleteTransfer = bridgeRoute({
    operation: "deleteTransfer",
    method: "DELETE",
    url: "/v0/transfers/:transfer",
    handle: async (call) => {
      const { id } = await findOwn(call, TRANSFER, call.params["transfer"]);
      await advance(call, id);
      if (!(await call.objects.claim(TRANSFER, id, "awaiting_funds", "canceled"))) {
        throw new BridgeApiError(bridgeError(400, "invalid_state", "The transfer no longer awaits funds"));
      }
      await call.events.emit(call, "transfer.updated.status_transitioned", id);
      return { status: 204 };
    },
  });

  return [createTransfer, getTransfer, listTransfers, deleteTransfer];
}
