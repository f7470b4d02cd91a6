import type { FastifyInstance, FastifyReply } from "fastify";
import { html } from "../kit/html.ts";
import { addStylesheet } from "../kit/page-assets.ts";
import { formOf, sendPage } from "../kit/pages.ts";
import type { VendorContext } from "../kit/vendor-simulator.ts";
import type { StripeEvents } from "./event-types.ts";
import type { StoredMethod } from "./payment-methods.ts";
import { completeAuthentication, type IntentData, type StoredIntent } from "./setup-intents.ts";

const PATH = "/authenticate/:intent";

interface AuthenticationRequest {
  Params: { intent: string };
  Querystring: Record<string, unknown>;
}

/** Adds the page that simulates the bank's 3-D Secure page. The page's form can also be submitted with curl. */
export function addAuthenticationPages(server: FastifyInstance, context: VendorContext, events: StripeEvents): void {
  server.get<AuthenticationRequest>(PATH, async ({ params, query }, reply) => {
    const intent = await findIntent(context, params.intent, query);
    return intent === undefined ? sendMissing(reply) : sendForm(reply, intent);
  });

  server.post<AuthenticationRequest>(PATH, async (request, reply) => {
    const intent = await findIntent(context, request.params.intent, request.query);
    if (intent === undefined) return sendMissing(reply);
    const { decision } = formOf(request);
    if (decision !== "complete" && decision !== "fail") return sendForm(reply.status(400), intent);
    return handleDecision(reply, { ...context, events }, intent, decision === "complete");
  });

  addStylesheet(server);
}

/** Returns the setup intent if the query contains its client secret. */
async function findIntent(
  { objects }: VendorContext,
  id: string,
  query: Record<string, unknown>,
): Promise<StoredIntent | undefined> {
  const found = await objects.find<IntentData>("setup_intent", id);
  return found?.data.secret.clientSecret === query["client_secret"] ? found : undefined;
}

async function handleDecision(
  reply: FastifyReply,
  context: VendorContext & { readonly events: StripeEvents },
  intent: StoredIntent,
  authenticated: boolean,
) {
  const { objects, events } = context;
  const { paymentMethod, returnUrl, secret } = intent.data;
  const method = await objects.find<StoredMethod["data"]>("payment_method", paymentMethod ?? "");
  if (method !== undefined) await completeAuthentication(objects, intent, method, authenticated);
  const after = await objects.find<IntentData>("setup_intent", intent.id);
  const succeeded = after?.state === "succeeded";
  await events.emit(context, succeeded ? "setup_intent.succeeded" : "setup_intent.setup_failed", intent.id);
  if (returnUrl === null) {
    return sendPage(reply, succeeded ? "The card was set up" : "The card was not set up");
  }
  const back = new URL(returnUrl);
  back.searchParams.set("setup_intent", intent.id);
  back.searchParams.set("setup_intent_client_secret", secret.clientSecret);
  back.searchParams.set("redirect_status", succeeded ? "succeeded" : "failed");
  return reply.redirect(back.href, 303);
}

function sendMissing(reply: FastifyReply): FastifyReply {
  return sendPage(reply.status(404), "Setup intent not found");
}

function sendForm(reply: FastifyReply, { state, data }: StoredIntent): FastifyReply {
  if (state !== "requires_action") return sendPage(reply, "This authentication has already been completed");
  const form = html`
    <p class="quiet">In the sandbox, this page replaces the bank's authentication page.</p>
    <form class="filter" method="post">
      <button name="decision" value="complete">Complete</button>
      <button name="decision" value="fail">Fail</button>
    </form>`;
  return sendPage(reply, "Authenticate the card", form, { redirectUrl: data.returnUrl });
}
