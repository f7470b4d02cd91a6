import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { StoredObject } from "../kit/object-store.ts";
import { OUTCOMES } from "../kit/outcome.ts";
import type { RunningVendor } from "../kit/start-vendor.ts";
import { fireEvent, forceOutcome, getVendor, operationsOf } from "./commands.ts";

const Name = Type.String({ minLength: 1, maxLength: 200 });
const closed = { additionalProperties: false };

export const OutcomeName = Type.Enum([...OUTCOMES]);

const OutcomeBody = Type.Object(
  {
    vendor: Name,
    operation: Name,
    outcome: OutcomeName,
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
  },
  closed,
);

const EventBody = Type.Object({ vendor: Name, type: Name, object_id: Type.Optional(Name) }, closed);

const VendorParams = Type.Object({ vendor: Name });

/** Adds the control API for scripts. */
export function addControlApi(app: FastifyInstance, vendors: readonly RunningVendor[]): void {
  const server = app.withTypeProvider<TypeBoxTypeProvider>();

  server.post("/api/outcomes", { schema: { body: OutcomeBody } }, async ({ body }, reply) => {
    const { vendor, operation, outcome, times = 1, delay_ms: delayMs } = body;
    forceOutcome(vendors, {
      vendor,
      operation,
      outcome,
      times,
      ...(delayMs !== undefined && { delayMs }),
    });
    return reply.code(201).send({ vendor, operation, outcome, times });
  });

  server.post("/api/events", { schema: { body: EventBody } }, async ({ body }, reply) => {
    const { vendor, type, object_id: objectId } = body;
    const id = await fireEvent(vendors, { vendor, type, ...(objectId && { objectId }) });
    return reply.code(202).send({ vendor, type, event_id: id });
  });

  server.get("/api/vendors", async () => ({ data: vendors.map(presentVendor) }));

  server.get("/api/vendors/:vendor", { schema: { params: VendorParams } }, async ({ params }) => {
    const { context, requests } = getVendor(vendors, params.vendor);
    const { total, invalid } = requests.counts();
    const objects = await context.objects.listAll();
    return {
      vendor: params.vendor,
      requests: total,
      invalid_requests: invalid,
      objects: objects.map(presentObject),
    };
  });
}

function presentVendor({ simulator, url, outcomes }: RunningVendor) {
  return {
    vendor: simulator.vendor,
    display_name: simulator.displayName,
    url,
    operations: operationsOf(simulator),
    magic_values: simulator.magicValues,
    event_types: simulator.webhooks?.types ?? [],
    forced_outcomes: outcomes.pending().map(({ operation, outcome, timesLeft }) => ({
      operation,
      outcome,
      times_left: timesLeft,
    })),
  };
}

// The object's data is omitted, because it can contain passwords.
function presentObject({ type, id, state, createdAt }: StoredObject) {
  return { type, id, state, created_at: createdAt.toISOString() };
}
