import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { invalidField } from "../../../../foundation/errors.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import {
  type AttachedPaymentMethod,
  attachPaymentMethod,
  PaymentMethodAttachmentResource,
  presentPaymentMethodAttachment,
  readPaymentSetup,
} from "../../../../modules/projects/index.ts";
import { actorOf } from "../../../auth/principal.ts";
import { replyByReference } from "../../../idempotency.ts";
import { principalOf, type Server } from "../../../route.ts";
import { projectKeyOf } from "../project-key.ts";

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
        200: PaymentMethodAttachmentResource,
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
      // The client secret is not stored. A repeated call reads it from the payment processor again.
      const resolve = async (attached: AttachedPaymentMethod) => ({
        kind: "answer" as const,
        body: presentPaymentMethodAttachment(attached, await readPaymentSetup(app, key, attached)),
      });
      return replyByReference(app, request, reply, { status: 200, resolve }, (saveResponse) =>
        attachPaymentMethod(app, command, saveResponse),
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
