import { type Static, Type } from "typebox";
import type { StoredObject } from "../kit/object-store.ts";
import { bridgeRoute, closed, findOwn, insertOwn, type OfAccount } from "./bridge-route.ts";
import { requireCustomer } from "./kyc-links.ts";

export const EXTERNAL_ACCOUNT = "external_account";
const Text = Type.String({ minLength: 1, maxLength: 256 });

const Body = closed({
  account_type: Type.Literal("us"),
  currency: Type.Literal("usd"),
  bank_name: Type.Optional(Text),
  account_owner_name: Text,
  account: closed({
    account_number: Type.String({ pattern: "^[0-9]{4,17}$" }),
    routing_number: Type.String({ pattern: "^[0-9]{9}$" }),
    checking_or_savings: Type.Enum(["checking", "savings"]),
  }),
  address: closed({
    street_line_1: Type.String({ minLength: 4, maxLength: 35 }),
    street_line_2: Type.Optional(Type.String({ maxLength: 35 })),
    city: Text,
    state: Type.String({ minLength: 1, maxLength: 3 }),
    postal_code: Text,
    country: Type.Literal("USA"),
  }),
});

interface ExternalAccountData extends OfAccount {
  readonly customerId: string;
  readonly secret: Static<typeof Body>;
}
export type ExternalAccount = StoredObject<ExternalAccountData>;

const URL = "/v0/customers/:customer/external_accounts";

const createExternalAccount = bridgeRoute({
  operation: "createExternalAccount",
  method: "POST",
  url: URL,
  body: Body,
  handle: async (call) => {
    const { customerId } = (await requireCustomer(call)).data;
    const data: ExternalAccountData = { account: call.account, customerId, secret: call.body };
    const created = await insertOwn(call, { type: EXTERNAL_ACCOUNT, state: "active", data });
    return { status: 201, body: externalAccountObject(created) };
  },
});

const listExternalAccounts = bridgeRoute({
  operation: "listExternalAccounts",
  method: "GET",
  url: URL,
  handle: async (call) => {
    const { customerId } = (await requireCustomer(call)).data;
    const all = await call.objects.list<ExternalAccountData>(EXTERNAL_ACCOUNT);
    const data = all.filter((each) => each.data.customerId === customerId).map(externalAccountObject);
    return { status: 200, body: { count: data.length, data } };
  },
});

const deleteExternalAccount = bridgeRoute({
  operation: "deleteExternalAccount",
  method: "DELETE",
  url: `${URL}/:id`,
  handle: async (call) => {
    await requireCustomer(call);
    const { id } = await findOwn(call, EXTERNAL_ACCOUNT, call.params["id"]);
    await call.objects.remove(EXTERNAL_ACCOUNT, id);
    return { status: 200 };
  },
});

export const externalAccountRoutes = [createExternalAccount, listExternalAccounts, deleteExternalAccount];

function externalAccountObject({ id, data, createdAt }: ExternalAccount): object {
  const { account_number: number, ...rest } = data.secret.account;
  const last_4 = number.slice(-4);
  return {
    id,
    customer_id: data.customerId,
    account_type: "us",
    currency: "usd",
    account_owner_name: data.secret.account_owner_name,
    bank_name: data.secret.bank_name ?? "Sandbox Bank",
    last_4,
    active: true,
    beneficiary_address_valid: true,
    account: { ...rest, last_4 },
    created_at: createdAt.toISOString(),
    updated_at: createdAt.toISOString(),
  };
}
