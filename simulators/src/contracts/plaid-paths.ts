import type { JsonRecord } from "./records.ts";

const string = { type: "string" };
const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * What the stored part of Plaid's description lacks: screenings of companies, and the lists of programs
 * (https://plaid.com/docs/api/products/monitor).
 */
export const PLAID_PATHS: JsonRecord = {
  "/watchlist_screening/entity/create": operation(
    "watchlistScreeningEntityCreate",
    {
      required: ["search_terms"],
      properties: {
        search_terms: {
          type: "object",
          required: ["entity_watchlist_program_id", "legal_name"],
          properties: {
            ...{ entity_watchlist_program_id: string, legal_name: string, document_number: string },
            ...{ email_address: string, country: string, phone_number: string, url: string },
          },
        },
        client_user_id: string,
      },
    },
    entityScreening(),
  ),
  "/watchlist_screening/entity/get": operation(
    "watchlistScreeningEntityGet",
    { required: ["entity_watchlist_screening_id"], properties: { entity_watchlist_screening_id: string } },
    entityScreening(),
  ),
  "/watchlist_screening/individual/program/list": programList(
    "watchlistScreeningIndividualProgramList",
    "watchlist_programs",
  ),
  "/watchlist_screening/entity/program/list": programList(
    "watchlistScreeningEntityProgramList",
    "entity_watchlist_programs",
  ),
};

function entityScreening() {
  return {
    required: ["id", "search_terms", "assignee", "status", "client_user_id", "audit_trail", "request_id"],
    properties: {
      id: string,
      search_terms: { type: "object", required: ["entity_watchlist_program_id", "legal_name", "country", "version"] },
      status: schema("WatchlistScreeningStatus"),
      client_user_id: schema("ClientUserIDNullable"),
      audit_trail: schema("WatchlistScreeningAuditTrail"),
    },
  };
}

function programList(operationId: string, field: string) {
  const required = ["id", "created_at", "is_rescanning_enabled", "lists_enabled", "name", "name_sensitivity"];
  const program = {
    type: "object",
    required: [...required, "audit_trail", "is_archived"],
    properties: { id: string, is_archived: { type: "boolean" }, audit_trail: schema("WatchlistScreeningAuditTrail") },
  };
  return operation(
    operationId,
    { properties: { cursor: string } },
    { required: [field, "next_cursor", "request_id"], properties: { [field]: { type: "array", items: program } } },
  );
}

function operation(operationId: string, request: object, response: object) {
  const content = (type: object) => ({ content: { "application/json": { schema: { type: "object", ...type } } } });
  return {
    post: {
      operationId,
      requestBody: { required: true, ...content(request) },
      responses: { 200: { description: "ok", ...content(response) } },
    },
  };
}
