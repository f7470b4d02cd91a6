import { Type } from "typebox";
import { CONVERSION_DIRECTIONS, CONVERSION_STATUSES } from "../../../foundation/vocabulary.ts";
import { STORABLE_TEXT, Timestamp } from "../../../foundation/wire/fields.ts";
import { ConversionResource, presentConversion } from "../../../modules/fiat/conversions/conversion-resource.ts";
import { cancelConversion } from "../../../modules/fiat/conversions/end-conversion.ts";
import { listConversions } from "../../../modules/fiat/conversions/queries.ts";
import { requireConversion, withMasks } from "../../../modules/fiat/conversions/require-conversion.ts";
import { actorOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeIdCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { replyOnce } from "../../idempotency.ts";
import { pathId } from "../../path-id.ts";
import { endpoint } from "../../route.ts";
import { walletScopeOf } from "../wallets/wallet-key.ts";

export const getConversionRoute = endpoint("GET /api/v1/svc/fiat/conversions/:conversion_id", {
  operationId: "getConversion",
  sdk: "fiat.conversions.get",
  summary: "Get a conversion",
  description: "Returns a conversion. A key that is bound to agents can read those of their wallets.",
  auth: "tenant",
  scope: "fiat:read",
  agentBound: "allowed",
  answers: { 200: ConversionResource },
  run: async (app, request) => {
    const conversionId = pathId("conv", request.params.conversion_id);
    return presentConversion(await requireConversion(app.db, walletScopeOf(request), conversionId), app.clock.now());
  },
});

const ConversionsQuery = Type.Object(
  {
    ...CursorQuery.properties,
    status: Type.Optional(
      Type.Enum([...CONVERSION_STATUSES], { description: "Returns only conversions with this status." }),
    ),
    direction: Type.Optional(Type.Enum([...CONVERSION_DIRECTIONS])),
    wallet_id: Type.Optional(
      Type.String({ maxLength: 64, ...STORABLE_TEXT, description: "Returns only conversions of this wallet." }),
    ),
    from: Type.Optional({ ...Timestamp, description: "Returns only conversions created at this time or later." }),
    to: Type.Optional({ ...Timestamp, description: "Returns only conversions created before this time." }),
  },
  { additionalProperties: false },
);

export const listConversionsRoute = endpoint("GET /api/v1/svc/fiat/conversions", {
  operationId: "listConversions",
  sdk: "fiat.conversions.list",
  summary: "List conversions",
  description:
    "Returns conversions and quotes of the caller's mode, newest first. A key that is bound to agents gets those of their wallets.",
  auth: "tenant",
  scope: "fiat:read",
  agentBound: "allowed",
  query: ConversionsQuery,
  answers: { 200: cursorPage(ConversionResource) },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT, status, direction, wallet_id, from, to } = request.query;
    const at = app.clock.now();
    const page = await listConversions(app.db, walletScopeOf(request), {
      ...{ status, direction, walletId: wallet_id, at, limit },
      ...{ from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : new Date(to) },
      after: decodeIdCursor(cursor, "conv"),
    });
    const items = await withMasks(app.db, page.items);
    return presentPage(
      { ...page, items },
      (masked) => presentConversion(masked, at),
      ({ conversion }) => conversion.conversionId,
    );
  },
});

export const cancelConversionRoute = endpoint("POST /api/v1/svc/fiat/conversions/:conversion_id/cancel", {
  operationId: "cancelConversion",
  sdk: "fiat.conversions.cancel",
  summary: "Cancel a conversion",
  description:
    "Cancels a quote, an on-ramp whose dollars have not arrived, or an off-ramp whose tokens have not been sent. Otherwise fails with `conflict`.",
  auth: "tenant",
  scope: "fiat:write",
  agentBound: "allowed",
  replayGuard: "strict",
  answers: { 200: ConversionResource },
  errors: ["conflict"],
  run: async (app, request, reply) => {
    const conversionId = pathId("conv", request.params.conversion_id);
    const actor = actorOf(request);
    const present = (canceled: Parameters<typeof presentConversion>[0]) => presentConversion(canceled, app.clock.now());
    return replyOnce(app, request, reply, { status: 200, present }, (saveResponse) =>
      cancelConversion(app, { actor, scope: walletScopeOf(request), conversionId }, saveResponse),
    );
  },
});
