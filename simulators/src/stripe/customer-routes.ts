import { type Static, Type } from "typebox";
import { type CustomerData, customerObject, deletedCustomer, requireCustomer } from "./customers.ts";
import { listPage, pageQuery } from "./list.ts";
import { detachAll, listMethods, requireMethod } from "./payment-methods.ts";
import { resourceMissing } from "./stripe-errors.ts";
import { metadataParam, type StripeCall, stripeRoute } from "./stripe-route.ts";

const customerBody = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 256 })),
    email: Type.Optional(Type.String({ maxLength: 512 })),
    description: Type.Optional(Type.String({ maxLength: 5_000 })),
    metadata: Type.Optional(metadataParam),
    invoice_settings: Type.Optional(
      Type.Object(
        { default_payment_method: Type.Optional(Type.String({ maxLength: 5_000 })) },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

const NEW_CUSTOMER: Omit<CustomerData, "livemode"> = {
  name: null,
  email: null,
  description: null,
  metadata: {},
  defaultPaymentMethod: null,
};

const createCustomer = stripeRoute({
  operation: "PostCustomers",
  method: "POST",
  url: "/v1/customers",
  body: customerBody,
  handle: async (call) => {
    const id = call.newId("cus_", 14);
    const data = await applyChanges(call, id, { ...NEW_CUSTOMER, livemode: call.livemode });
    await call.objects.insert({ type: "customer", id, state: "active", data });
    return respondWith(call, id);
  },
});

const getCustomer = stripeRoute({
  operation: "GetCustomersCustomer",
  method: "GET",
  url: "/v1/customers/:customer",
  handle: async (call) => {
    const { customer: id = "" } = call.params;
    const found = await call.find<CustomerData>("customer", id);
    if (found?.state === "deleted") return { status: 200, body: deletedCustomer(id) };
    return respondWith(call, id);
  },
});

const updateCustomer = stripeRoute({
  operation: "PostCustomersCustomer",
  method: "POST",
  url: "/v1/customers/:customer",
  body: customerBody,
  handle: async (call) => {
    const { customer: id = "" } = call.params;
    const { data } = await requireCustomer(call, id, 404);
    await call.objects.update("customer", id, { data: await applyChanges(call, id, data) });
    return respondWith(call, id);
  },
});

const deleteCustomer = stripeRoute({
  operation: "DeleteCustomersCustomer",
  method: "DELETE",
  url: "/v1/customers/:customer",
  handle: async (call) => {
    const { customer: id = "" } = call.params;
    await requireCustomer(call, id, 404);
    if (!(await call.objects.claim("customer", id, "active", "deleted"))) {
      throw resourceMissing("customer", id, "id", 404);
    }
    await detachAll(call, id);
    return { status: 200, body: deletedCustomer(id) };
  },
});

const listPaymentMethods = stripeRoute({
  operation: "GetCustomersCustomerPaymentMethods",
  method: "GET",
  url: "/v1/customers/:customer/payment_methods",
  query: pageQuery({ type: Type.Optional(Type.Enum(["card"])) }),
  handle: async (call) => {
    const { customer: id = "" } = call.params;
    await requireCustomer(call, id, 404);
    const url = `/v1/customers/${id}/payment_methods`;
    return { status: 200, body: listPage(await listMethods(call, id), call.query, url) };
  },
});

export const customerRoutes = [createCustomer, getCustomer, updateCustomer, deleteCustomer, listPaymentMethods];

/**
 * Returns the customer's data with the request's changes applied. As in Stripe's API, an empty string clears a value.
 */
async function applyChanges(
  call: StripeCall<Static<typeof customerBody>>,
  customerId: string,
  data: CustomerData,
): Promise<CustomerData> {
  const { name, email, description, metadata = {}, invoice_settings } = call.body;
  const method = invoice_settings?.default_payment_method;
  if (method) await requireMethodOf(call, customerId, method);
  return {
    livemode: data.livemode,
    name: newOrCurrent(name, data.name),
    email: newOrCurrent(email, data.email),
    description: newOrCurrent(description, data.description),
    metadata: Object.fromEntries(Object.entries({ ...data.metadata, ...metadata }).filter(([, value]) => value !== "")),
    defaultPaymentMethod: newOrCurrent(method, data.defaultPaymentMethod),
  };
}

function newOrCurrent(given: string | undefined, current: string | null): string | null {
  return given === undefined ? current : given || null;
}

async function requireMethodOf(call: StripeCall, customerId: string, methodId: string) {
  const param = "invoice_settings[default_payment_method]";
  const { data } = await requireMethod(call, methodId, param, 400);
  if (data.customer !== customerId) throw resourceMissing("PaymentMethod", methodId, param, 400);
}

async function respondWith(call: StripeCall, id: string) {
  return { status: 200, body: customerObject(await requireCustomer(call, id, 404)) };
}
