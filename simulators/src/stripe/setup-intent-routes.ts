import { type Static, Type } from "typebox";
import { requireCustomer } from "./customers.ts";
import { getOrCreateMethod } from "./payment-methods.ts";
import {
  confirmIntent,
  type IntentData,
  intentObject,
  requireIntent,
  type StoredIntent,
  throwIfUnconfirmable,
  unexpectedState,
} from "./setup-intents.ts";
import { StripeApiError } from "./stripe-errors.ts";
import { metadataParam, type StripeCall, stripeRoute } from "./stripe-route.ts";

const PARAM = "payment_method";
const CONFIRMABLE: ReadonlySet<string> = new Set(["requires_payment_method", "requires_confirmation"]);
const id = Type.String({ minLength: 1, maxLength: 5_000 });
const returnUrl = Type.Optional(Type.String({ maxLength: 5_000, pattern: "^https?://" }));

// Unlike Stripe, the simulator requires `customer`, because Purser always sends one.
const createBody = Type.Object(
  {
    customer: id,
    payment_method: Type.Optional(id),
    usage: Type.Optional(Type.Enum(["off_session", "on_session"])),
    confirm: Type.Optional(Type.Boolean()),
    automatic_payment_methods: Type.Optional(
      Type.Object(
        {
          enabled: Type.Boolean(),
          allow_redirects: Type.Optional(Type.Enum(["always", "never"])),
        },
        { additionalProperties: false },
      ),
    ),
    return_url: returnUrl,
    description: Type.Optional(Type.String({ maxLength: 1_000 })),
    metadata: Type.Optional(metadataParam),
  },
  { additionalProperties: false },
);

const confirmBody = Type.Object(
  { payment_method: Type.Optional(id), return_url: returnUrl },
  { additionalProperties: false },
);

const cancelBody = Type.Object(
  {
    cancellation_reason: Type.Optional(Type.Enum(["abandoned", "duplicate", "requested_by_customer"])),
  },
  { additionalProperties: false },
);

const createSetupIntent = stripeRoute({
  operation: "PostSetupIntents",
  method: "POST",
  url: "/v1/setup_intents",
  body: createBody,
  handle: async (call) => {
    const { customer, payment_method: methodId, confirm = false, return_url } = call.body;
    if (!confirm && return_url !== undefined) throw returnUrlWithoutConfirm();
    await requireCustomer(call, customer, 400);
    if (!confirm) {
      const method = methodId === undefined ? null : await getOrCreateMethod(call, methodId, PARAM, 400);
      return respondWith(call, (await createIntent(call, method?.id ?? null)).id);
    }
    if (methodId === undefined) throw missingMethod();
    const method = await getOrCreateMethod(call, methodId, PARAM, 400);
    throwIfUnconfirmable({ customer, automatic: automaticOf(call) }, method, return_url ?? null);
    const intent = await createIntent(call, method.id);
    // If this request is a retry after a crash, the first attempt may already have confirmed the intent. The retry then
    // only returns the intent.
    if (CONFIRMABLE.has(intent.state)) {
      await confirmIntent(call, intent, method, return_url ?? null);
    }
    return respondWith(call, intent.id);
  },
});

const getSetupIntent = stripeRoute({
  operation: "GetSetupIntentsIntent",
  method: "GET",
  url: "/v1/setup_intents/:intent",
  query: Type.Object({}, { additionalProperties: false }),
  handle: (call) => respondWith(call, call.params["intent"] ?? ""),
});

const confirmSetupIntent = stripeRoute({
  operation: "PostSetupIntentsIntentConfirm",
  method: "POST",
  url: "/v1/setup_intents/:intent/confirm",
  body: confirmBody,
  handle: async (call) => {
    const intent = await requireIntent(call, call.params["intent"] ?? "");
    if (!CONFIRMABLE.has(intent.state)) throw unexpectedState(intent.state, "confirm");
    const methodId = call.body.payment_method ?? intent.data.paymentMethod;
    if (methodId === null) throw missingMethod();
    const method = await getOrCreateMethod(call, methodId, PARAM, 400);
    const returnTo = call.body.return_url ?? intent.data.returnUrl;
    throwIfUnconfirmable(intent.data, method, returnTo);
    await confirmIntent(call, intent, method, returnTo);
    return respondWith(call, intent.id);
  },
});

const cancelSetupIntent = stripeRoute({
  operation: "PostSetupIntentsIntentCancel",
  method: "POST",
  url: "/v1/setup_intents/:intent/cancel",
  body: cancelBody,
  handle: async (call) => {
    const { id: intentId, state, data } = await requireIntent(call, call.params["intent"] ?? "");
    if (!state.startsWith("requires_")) throw unexpectedState(state, "cancel");
    const cancellationReason = call.body.cancellation_reason ?? null;
    await call.objects.update("setup_intent", intentId, {
      state: "canceled",
      data: { ...data, cancellationReason },
    });
    return respondWith(call, intentId);
  },
});

export const setupIntentRoutes = [createSetupIntent, getSetupIntent, confirmSetupIntent, cancelSetupIntent];

async function createIntent(
  call: StripeCall<Static<typeof createBody>>,
  paymentMethod: string | null,
): Promise<StoredIntent> {
  const { customer, usage = "off_session" } = call.body;
  const intentId = call.newId("seti_1", 23);
  const data: IntentData = {
    livemode: call.livemode,
    customer,
    paymentMethod,
    usage,
    automatic: automaticOf(call),
    returnUrl: null,
    description: call.body.description ?? null,
    metadata: call.body.metadata ?? {},
    cancellationReason: null,
    lastError: null,
    secret: { clientSecret: call.newId(`${intentId}_secret_`, 25) },
  };
  const state = paymentMethod === null ? "requires_payment_method" : "requires_confirmation";
  await call.objects.insert({ type: "setup_intent", id: intentId, state, data });
  return requireIntent(call, intentId);
}

function automaticOf({ body }: StripeCall<Static<typeof createBody>>): IntentData["automatic"] {
  const { enabled = true, allow_redirects = "always" } = body.automatic_payment_methods ?? {};
  return { enabled, allow_redirects };
}

function returnUrlWithoutConfirm(): StripeApiError {
  return new StripeApiError(400, {
    message: "`return_url` can only be set if `confirm` is true.",
    param: "return_url",
  });
}

function missingMethod(): StripeApiError {
  return new StripeApiError(400, {
    code: "parameter_missing",
    message: "You cannot confirm this SetupIntent because it's missing a payment method.",
    param: PARAM,
  });
}

async function respondWith(call: StripeCall, intentId: string) {
  return { status: 200, body: intentObject(call.baseUrl, await requireIntent(call, intentId)) };
}
