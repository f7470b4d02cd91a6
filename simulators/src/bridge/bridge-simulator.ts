import { createIdempotency } from "../kit/idempotency.ts";
import type { SendWebhook, VendorSimulator } from "../kit/vendor-simulator.ts";
import { bridgeErrors } from "./bridge-errors.ts";
import { BRIDGE_IDEMPOTENCY, type BridgeEventType, EVENT_TYPES } from "./bridge-route.ts";
import { addWebhookEndpoints, createEvents } from "./events.ts";
import { exchangeRateRoute } from "./exchange-rates.ts";
import { externalAccountRoutes } from "./external-accounts.ts";
import { KYC_NAMES, kycLinkRoutes } from "./kyc-links.ts";
import { addPages } from "./pages.ts";
import { createTokens, type TokenOptions } from "./tokens.ts";
import { transferRoutes } from "./transfer-routes.ts";
import { createProgress, TRANSFER_AMOUNTS } from "./transfers.ts";

export interface BridgeSimulatorOptions extends TokenOptions {
  /** How long each state of a transfer lasts after its money came. Default: 1,000. */
  readonly stepMs?: number;
  /** Undefined if no events are sent. */
  readonly sendWebhook?: SendWebhook | undefined;
}

/**
 * Simulates the part of Bridge's API that identifies customers, stores their bank accounts, and changes dollars into USDC
 * and back. It rejects parameters that it does not simulate, such as `dry_run`. Tokens of live accounts move on the local chains.
 */
export function bridgeSimulator({
  stepMs = 1_000,
  sendWebhook,
  ...tokens
}: BridgeSimulatorOptions = {}): VendorSimulator {
  const events = createEvents(sendWebhook);
  const idempotency = createIdempotency(BRIDGE_IDEMPOTENCY);
  const progress = createProgress(events, stepMs, createTokens(tokens));
  const routes = [...kycLinkRoutes, ...externalAccountRoutes, ...transferRoutes(progress), exchangeRateRoute];
  return {
    vendor: "bridge",
    displayName: "Bridge",
    contractFile: "handwritten/bridge.yaml",
    contractPrefix: "/v0",
    bodies: "json",
    magicValues: [
      { value: "api_key sandbox-NAME", effect: "is a valid key of NAME's account" },
      { value: "api_key sandbox-refused…", effect: "is rejected with 401" },
      { value: "api_key with test in it", effect: "opens a test account, whose tokens are on no chain" },
      ...KYC_NAMES,
      ...TRANSFER_AMOUNTS,
      { value: "/deposit with deposit_message and amount", effect: "pays the money for which an on-ramp waits" },
    ],
    errors: bridgeErrors,
    prepare: addWebhookEndpoints,
    routes: routes.map((route) => route(events, idempotency)),
    pages: (server, context) => addPages(server, context, { events, progress }),
    webhooks: {
      types: EVENT_TYPES,
      fire: async ({ type, objectId }, context) => {
        const [category = ""] = type.split(".");
        const newest = (await context.objects.list(category)).at(-1)?.id ?? "";
        // The control API has checked the type.
        return events.emit(context, type as BridgeEventType, objectId ?? newest);
      },
    },
  };
}
