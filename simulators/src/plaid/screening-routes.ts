import { randomBytes } from "node:crypto";
import { Type } from "typebox";
import type { StoredObject } from "../kit/object-store.ts";
import { PlaidApiError } from "./plaid-errors.ts";
import { type PlaidMode, type PlaidRoute, plaidRoute } from "./plaid-route.ts";

export interface ScreeningData {
  readonly mode: PlaidMode;
  readonly clientUserId: string | null;
  readonly searchTerms: object;
}

/** The two kinds of holders, and what their calls and objects are called. */
const KINDS = {
  individual_screening: {
    ...{ operation: "watchlistScreeningIndividual", url: "/watchlist_screening/individual", prefix: "scr" },
    ...{ idField: "watchlist_screening_id", programField: "watchlist_program_id", program: "prg_sandbox" },
    programs: "watchlist_programs",
  },
  entity_screening: {
    ...{ operation: "watchlistScreeningEntity", url: "/watchlist_screening/entity", prefix: "entscr" },
    ...{ idField: "entity_watchlist_screening_id", programField: "entity_watchlist_program_id" },
    ...{ program: "entprg_sandbox", programs: "entity_watchlist_programs" },
  },
} as const;

const text = Type.String({ minLength: 1 });
const legalName = Type.String({ pattern: "^(?=.*\\p{L})\\S(.*\\S)?$", maxLength: 100 });
const country = Type.Optional(Type.String({ pattern: "^[A-Z]{2}$" }));

function routesOf(type: keyof typeof KINDS): PlaidRoute[] {
  const { operation, url, prefix, idField, programField, program, programs } = KINDS[type];
  const terms = Type.Object(
    { [programField]: Type.Literal(program), legal_name: legalName, country },
    { additionalProperties: false },
  );
  const create = plaidRoute({
    ...{ operation: `${operation}Create`, url: `${url}/create` },
    body: { search_terms: terms, client_user_id: Type.Optional(text) },
    handle: async ({ body, mode, objects, now }) => {
      const { search_terms: searchTerms, client_user_id: clientUserId = null } = body;
      const id = `${prefix}_${randomBytes(7).toString("hex")}`;
      const state = statusOf(String(searchTerms["legal_name"]));
      const made = { type, id, state, data: { mode, clientUserId, searchTerms } };
      await objects.insert(made);
      return presentScreening({ ...made, createdAt: now() });
    },
  });
  const get = plaidRoute({
    ...{ operation: `${operation}Get`, url: `${url}/get`, body: { [idField]: text } },
    handle: async ({ body, mode, objects }) => {
      const found = await objects.find<ScreeningData>(type, String(body[idField]));
      if (found?.data.mode === mode) return presentScreening(found);
      throw new PlaidApiError("INVALID_INPUT", "NOT_FOUND", "the screening does not exist");
    },
  });
  const list = plaidRoute({
    ...{ operation: `${operation}ProgramList`, url: `${url}/program/list`, body: { cursor: Type.Optional(text) } },
    handle: async ({ now }) => ({ [programs]: [presentProgram(program, now())], next_cursor: null }),
  });
  return [create, get, list];
}

function statusOf(name: string): string {
  if (name.includes("Hit Rejected")) return "rejected";
  return name.includes("Hit Listed") ? "pending_review" : "cleared";
}

const NO_TERMS = { date_of_birth: null, document_number: null, country: null };

function presentScreening({ id, state, data, createdAt }: StoredObject<ScreeningData>) {
  return {
    ...{ id, status: state, client_user_id: data.clientUserId, assignee: null },
    search_terms: { ...NO_TERMS, ...data.searchTerms, version: 1 },
    audit_trail: auditTrail(createdAt),
  };
}

function presentProgram(id: string, now: Date) {
  return {
    ...{ id, created_at: now, is_rescanning_enabled: true, is_archived: false },
    ...{ lists_enabled: ["US_SDN"], name: "Sandbox", name_sensitivity: "balanced", audit_trail: auditTrail(now) },
  };
}

function auditTrail(timestamp: Date) {
  return { source: "api", dashboard_user_id: null, timestamp };
}

export const screeningRoutes = [...routesOf("individual_screening"), ...routesOf("entity_screening")];
