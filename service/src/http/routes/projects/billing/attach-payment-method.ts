import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { invalidField } from "../../../../foundation/errors.ts";
import { Nullable } from "../../../../foundation/wire/common.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import {
  type AttachedPaymentMethod,
  attachPaymentMethod,
  PaymentMethodResource,
  readPaymentSetup,
} from "../../../../modules/projects/index.ts";
import { actorOf } from "../../../auth/principal.ts";
import { answerByReference } from "../../../idempotency.ts";
import { principalOf, type Server } from "../../../route.ts";
import { projectKeyOf } from "../project-reach.ts";

const PaymentMethodAttachRequest = Type.Object(
  {
    payment_method_id: Type.String({
      pattern: "^pm_[A-Za-z0-9_]{1,250}$",
      description:
        "The payment processor's id of it, which begins with pm_. Cards never pass through this service.",
    }),
    set_default: Type.Optional(
      Type.Boolean({ default: true, description: "Whether the project's charges go to it." }),
    ),
    return_url: Type.Optional(
      Type.String({
        maxLength: 2048,
        description:
          "Where the owner comes back to, where their bank wants to see them: https, or http on loopback. Without it no bank's page is used.",
      }),
    ),
  },
  { $id: "PaymentMethodAttachRequest", additionalProperties: false },
);

const PaymentMethodAttachment = Type.Object(
  {
    customer_id: Type.String(),
    payment_method: PaymentMethodResource,
    setup_intent: Type.Object({
      id: Type.String(),
      status: Type.Enum(["succeeded", "requires_action", "processing", "requires_payment_method"]),
      client_secret: Nullable(Type.String({ description: "For the owner's browser." })),
      next_action: Nullable(
        Type.Object({
          type: Type.Enum(["open_url", "use_client_secret"]),
          actor: Type.Literal("human"),
          url: Type.Optional(Type.String()),
        }),
      ),
    }),
  },
  { $id: "PaymentMethodAttachment" },
);

export function attachPaymentMethodRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/projects/:project_id/billing/payment-methods",
    config: { auth: "tenant", scope: "projects:write" },
    schema: {
      operationId: "attachPaymentMethod",
      tags: ["Projects"],
      summary: "Attach a payment method to the project's customer, and set it up for charges",
      params: Type.Object({ project_id: Type.String() }),
      body: PaymentMethodAttachRequest,
      response: {
        200: PaymentMethodAttachment,
        404: Problem,
        409: Problem,
        502: Problem,
        ...credentialErrors,
      },
    },
    handler: async (request, reply) => {
      const { payment_method_id, set_default = true, return_url } = request.body;
      const key = projectKeyOf(request, request.params.project_id);
      const command = {
        actor: actorOf(request, principalOf(request)),
        key,
        paymentMethodId: payment_method_id,
        setDefault: set_default,
        returnUrl: return_url === undefined ? null : allowed(return_url),
      };
      // A client secret is in no stored answer: a repetition asks the payment processor for it again.
      const tell = async (attached: AttachedPaymentMethod) => ({
        body: present(attached, await readPaymentSetup(app, key, attached)),
      });
      return answerByReference(app, request, reply, { status: 200, tell }, (receipt) =>
        attachPaymentMethod(app, command, receipt),
      );
    },
  });
}

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

function allowed(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url?.protocol === "http:" && LOOPBACK.has(url.hostname);
  const isPlain = url?.username === "" && url.password === "";
  if (url !== undefined && isPlain && (isLocal || url.protocol === "https:")) return url.href;
  throw invalidField("/body/return_url", "not_allowed", "must be https, or http on loopback");
}

function present(
  { customerId, paymentMethod }: AttachedPaymentMethod,
  setup: Awaited<ReturnType<typeof readPaymentSetup>>,
) {
  return {
    customer_id: customerId,
    payment_method: paymentMethod,
    setup_intent: {
      id: setup.setupIntentId,
      status: setup.status,
      client_secret: setup.clientSecret,
      next_action: nextActionOf(setup),
    },
  };
}

function nextActionOf({ status, redirectUrl }: Awaited<ReturnType<typeof readPaymentSetup>>) {
  if (status !== "requires_action") return null;
  return redirectUrl === null
    ? { type: "use_client_secret", actor: "human" }
    : { type: "open_url", actor: "human", url: redirectUrl };
}
