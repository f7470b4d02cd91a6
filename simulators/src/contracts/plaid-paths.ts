import { BOOLEAN, json, list, object, STRING, schemaRef, success } from "./describe-operation.ts";
import type { JsonRecord } from "./records.ts";

/**
 * What the stored part of Plaid's description lacks: screenings of companies, and the lists of programs
 * (https://plaid.com/docs/api/products/monitor).
 */
export const PLAID_PATHS: JsonRecord = {
  "/watchlist_screening/entity/create": operation(
    "watchlistScreeningEntityCreate",
    object(["search_terms"], {
      search_terms: object(["entity_watchlist_program_id", "legal_name"], {
        ...{ entity_watchlist_program_id: STRING, legal_name: STRING, document_number: STRING },
        ...{ email_address: STRING, country: STRING, phone_number: STRING, url: STRING },
      }),
      client_user_id: STRING,
    }),
    entityScreening(),
  ),
  "/watchlist_screening/entity/get": operation(
    "watchlistScreeningEntityGet",
    object(["entity_watchlist_screening_id"], { entity_watchlist_screening_id: STRING }),
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

function entityScreening(): JsonRecord {
  return object(["id", "search_terms", "assignee", "status", "client_user_id", "audit_trail", "request_id"], {
    id: STRING,
    search_terms: { type: "object", required: ["entity_watchlist_program_id", "legal_name", "country", "version"] },
    status: schemaRef("WatchlistScreeningStatus"),
    client_user_id: schemaRef("ClientUserIDNullable"),
    audit_trail: schemaRef("WatchlistScreeningAuditTrail"),
  });
}

function programList(operationId: string, field: string): JsonRecord {
  const required = ["id", "created_at", "is_rescanning_enabled", "lists_enabled", "name", "name_sensitivity"];
  const program = object([...required, "audit_trail", "is_archived"], {
    ...{ id: STRING, is_archived: BOOLEAN, audit_trail: schemaRef("WatchlistScreeningAuditTrail") },
  });
  const request = { type: "object", properties: { cursor: STRING } };
  return operation(operationId, request, object([field, "next_cursor", "request_id"], { [field]: list(program) }));
}

function operation(operationId: string, request: JsonRecord, response: JsonRecord): JsonRecord {
  return { post: { operationId, requestBody: { required: true, ...json(request) }, responses: success(response) } };
}
