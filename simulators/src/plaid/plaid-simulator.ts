import type { SendWebhook, VendorSimulator } from "../kit/vendor-simulator.ts";
import { itemRoutes } from "./item-routes.ts";
import { addLinkPage } from "./link-page.ts";
import { linkTokenRoutes } from "./link-tokens.ts";
import { plaidErrors } from "./plaid-errors.ts";
import { type PlaidEventType, REPORTS } from "./plaid-events.ts";
import type { PlaidCredentials } from "./plaid-route.ts";
import { screeningRoutes } from "./screening-routes.ts";
import { createEvents, verificationKeyRoute } from "./webhooks.ts";

interface PlaidSimulatorOptions {
  readonly credentials: PlaidCredentials;
  /** Undefined if no webhooks are sent. */
  readonly sendWebhook?: SendWebhook | undefined;
}

/**
 * Simulates the parts of Plaid that Purser uses: Link, items, Auth, Identity, Monitor and webhooks. Both environments have the
 * same URL; the secret decides. It is stricter than Plaid: it rejects parameters that it does not simulate, and credentials
 * in the body.
 */
export function plaidSimulator({ credentials, sendWebhook }: PlaidSimulatorOptions): VendorSimulator {
  const events = createEvents(sendWebhook);
  const routes = [...linkTokenRoutes, ...itemRoutes, ...screeningRoutes, verificationKeyRoute];
  return {
    vendor: "plaid",
    displayName: "Plaid",
    contractFile: "pruned/plaid.json",
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      { value: "/link?token=LINK_TOKEN", effect: "replaces Plaid Link, and shows the public token and the accounts" },
      { value: "user=good, other_owner or micro_deposits", effect: "on that page: who logs in, and how" },
      { value: "user=repair", effect: "on that page, with a link token for update mode: repairs the login" },
      { value: "event ITEM.ERROR", effect: "the item needs a new login, as after /sandbox/item/reset_login" },
      { value: "event AUTH.VERIFICATION_EXPIRED", effect: "the item's micro-deposits did not arrive in time" },
      { value: "legal_name …Hit Rejected…", effect: "is rejected by the screening" },
      { value: "legal_name …Hit Listed…", effect: "waits until the event SCREENING.STATUS_UPDATED clears it" },
    ],
    errors: plaidErrors,
    routes: routes.map((route) => route(credentials, events)),
    pages: (server, context) => addLinkPage(server, context, events),
    webhooks: {
      types: Object.keys(REPORTS),
      fire: async ({ type: name, objectId }, context) => {
        // The control API has checked the name.
        const type = name as PlaidEventType;
        const newest = (await context.objects.list(REPORTS[type].objectType)).at(-1);
        return events.emit(context, type, objectId ?? newest?.id ?? "");
      },
    },
  };
}
