import type { Operation } from "./operation.ts";
import { row, wrong } from "./row.ts";
import { boundToAgent, withKey } from "./wrong-credentials.ts";

const noScope = wrong("a key without the scope", 403, { as: withKey({ scopes: ["projects:read"] }) });
const limited = { wrong: [noScope, boundToAgent(403)] };

export const webhookOperations: readonly Operation[] = [
  row("GET /events", { ...limited, save: { event_id: "data.0.id" } }),
  row("GET /events/{event_id}", limited),
  row("POST /webhooks", {
    ...limited,
    request: { body: { url: "https://example.com/purser", event_types: ["payment.*", "service.active"] } },
    save: { webhook_id: "webhook_id" },
  }),
  row("GET /webhooks", limited),
  row("GET /webhooks/{webhook_id}", limited),
  row("PATCH /webhooks/{webhook_id}", { ...limited, request: { body: { description: "Payments" } } }),
  row("POST /webhooks/{webhook_id}/rotate-secret", limited),
  row("POST /webhooks/{webhook_id}/test", limited),
  row("POST /webhooks/{webhook_id}/replay", { ...limited, request: { body: { since: "2026-11-21T10:00:00.000Z" } } }),
  row("GET /webhooks/{webhook_id}/deliveries", limited),
  row("DELETE /webhooks/{webhook_id}", limited),
];
