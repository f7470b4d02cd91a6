import type { AgenticProviderShape } from "./agentic-options.ts";

const ANALYTICS = ["analytics"] as const;
const QUEUES = ["database", "queue"] as const;

/** Creates accounts at once, bills its users itself, needs a plan beside each service, and shows credentials once. */
export const ACME_ANALYTICS: AgenticProviderShape = {
  vendor: "acme-analytics",
  displayName: "Acme Analytics",
  services: [
    {
      id: "free",
      kind: "plan",
      description: "A thousand events per month.",
      categories: ANALYTICS,
      allowed_updates: ["growth"],
      pricing: { type: "free" },
    },
    {
      id: "growth",
      kind: "plan",
      description: "A million events per month.",
      categories: ANALYTICS,
      allowed_updates: [{ service: "free" }],
      pricing: { type: "paid", paid: { type: "freeform", freeform: "$20/month" } },
    },
    {
      id: "product_analytics",
      kind: "deployable",
      description: "Counts what users do. Simulated.",
      categories: ANALYTICS,
      allowed_updates: [],
      pricing: {
        type: "component",
        component: {
          options: [
            { parent_service_ids: ["free"], type: "free" },
            { parent_service_ids: ["growth"], type: "paid" },
          ],
        },
      },
    },
  ],
  paymentCredentials: "provider",
  alwaysAsks: false,
  readyAfterMs: 1_000,
  showsCredentialsOnce: true,
  hasDeepLinks: false,
  revokesTokens: false,
  listsTerms: true,
  credentialsOf: ({ id, secret }) => ({ api_key: `aa_${secret}`, host: `https://${id}.invalid` }),
};

/**
 * Asks a user for consent, is paid by the orchestrator, lists its services in pages, returns credentials at any time, and
 * revokes tokens.
 */
export const ACME_QUEUE: AgenticProviderShape = {
  vendor: "acme-queue",
  displayName: "Acme Queue",
  services: [
    {
      id: "queue_small",
      kind: "deployable",
      description: "A queue with ten connections. Simulated.",
      categories: QUEUES,
      allowed_updates: ["queue_large"],
      pricing: { type: "paid", paid: { type: "freeform", freeform: "$5 per month" } },
    },
    {
      id: "queue_large",
      kind: "deployable",
      description: "A queue with a thousand connections. Simulated.",
      categories: QUEUES,
      allowed_updates: ["queue_small"],
      pricing: { type: "paid", paid: { type: "freeform", freeform: "$25 per month" } },
    },
  ],
  servicesPerPage: 1,
  paymentCredentials: "orchestrator",
  alwaysAsks: true,
  readyAfterMs: 0,
  showsCredentialsOnce: false,
  hasDeepLinks: true,
  revokesTokens: true,
  listsTerms: false,
  credentialsOf: ({ id, secret }) => ({
    ACME_QUEUE_URL: `amqps://${id}:${secret}@queue.invalid/main`,
    ACME_QUEUE_TOKEN: secret,
  }),
};
