import type { FastifyInstance } from "fastify";
import { addScript, frameHeaders, parentOf } from "../kit/pages.ts";
import { ELEMENT_SCRIPT, ELEMENT_STYLES, STRIPE_SCRIPT } from "./element-assets.ts";

/** Stripe.js of the API's version. */
const SCRIPT_URL = "/endive/stripe.js";

/**
 * Adds the script that replaces Stripe.js, and the page that it shows in a frame as Payment Element: `/elements/payment`. The
 * page sends the card to this simulator, and hands the app only the id of a payment method.
 */
export function addPaymentElement(server: FastifyInstance): void {
  addScript(server, SCRIPT_URL, STRIPE_SCRIPT);
  addScript(server, "/elements/payment.js", ELEMENT_SCRIPT);
  server.get("/elements/payment.css", async (_request, reply) => reply.type("text/css").send(ELEMENT_STYLES));
  server.get<{ Querystring: Record<string, unknown> }>("/elements/payment", async ({ query }, reply) => {
    const parent = parentOf(query);
    return parent === null ? reply.status(404).send() : reply.headers(frameHeaders(parent)).send(PAGE);
  });
}

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Card</title>
    <link rel="stylesheet" href="/elements/payment.css">
  </head>
  <body>
    <form novalidate>
      <label>Card number <input name="number" inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234" maxlength="25"></label>
      <label>Expiration date <input name="expiry" inputmode="numeric" autocomplete="cc-exp" placeholder="MM / YY" maxlength="7"></label>
      <label>Security code <input name="cvc" inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" maxlength="4"></label>
      <label>ZIP code <input name="postal_code" autocomplete="postal-code" placeholder="12345" maxlength="10"></label>
      <p role="alert"></p>
      <p>In the sandbox, this form replaces Stripe's. It takes Stripe's test cards, such as 4242 4242 4242 4242.</p>
    </form>
    <script src="/elements/payment.js"></script>
  </body>
</html>
`;
