import { Type } from "typebox";
import type { HolderType } from "../../foundation/vocabulary.ts";
import { Nullable } from "../../foundation/wire/fields.ts";
import type { IdentityScreening } from "../../ports/identity-screening.ts";
import { isFailure } from "../../ports/vendor-error.ts";
import { createPlaidCaller, type PlaidCaller, type PlaidOptions } from "../bank-link/call-plaid.ts";
import { VendorId } from "../http-client/vendor-client.ts";

/** What Plaid calls the two types of holders, and the fields in which their calls differ. */
const KINDS = {
  individual: {
    ...{ operation: "watchlistScreeningIndividual", path: "/watchlist_screening/individual" },
    ...{ screeningId: "watchlist_screening_id", programId: "watchlist_program_id", programs: "watchlist_programs" },
  },
  business: {
    ...{ operation: "watchlistScreeningEntity", path: "/watchlist_screening/entity" },
    screeningId: "entity_watchlist_screening_id",
    programId: "entity_watchlist_program_id",
    programs: "entity_watchlist_programs",
  },
} as const satisfies Readonly<Record<HolderType, Readonly<Record<string, string>>>>;

const programs = Type.Array(Type.Object({ id: VendorId, is_archived: Type.Boolean() }));
const status = Type.Enum(["cleared", "pending_review", "rejected"]);
const screeningResponse = Type.Object({ id: VendorId, status });
const createdResponse = Type.Object({
  ...{ id: VendorId, status, client_user_id: Nullable(Type.String()) },
  search_terms: Type.Record(Type.String(), Type.Unknown()),
});

/** The adapter of Plaid Monitor (https://plaid.com/docs/api/products/monitor). */
export function createPlaidScreening(options: PlaidOptions): IdentityScreening {
  const plaid = createPlaidCaller(options);
  const programIds = new Map<HolderType, string>();

  return {
    screen: async ({ type, legalName, country, clientUserId }) => {
      const { operation, path, programId: field } = KINDS[type];
      const programId = programIds.get(type) ?? (await findProgram(plaid, type));
      programIds.set(type, programId);
      const created = plaid.call({
        operation: `${operation}Create`,
        path: `${path}/create`,
        body: { search_terms: { [field]: programId, legal_name: legalName, country }, client_user_id: clientUserId },
        secrets: [legalName],
        schema: createdResponse,
        isRequestedObject: ({ client_user_id: user, search_terms: terms }) =>
          user === clientUserId && terms[field] === programId && terms["legal_name"] === legalName,
      });
      const screening = await created.catch((error: unknown) => {
        // The program may have been archived, so the next call looks again.
        if (isFailure(error, "refused")) programIds.delete(type);
        throw error;
      });
      return { screeningId: screening.id, status: screening.status };
    },
    readScreening: async ({ type, screeningId }) => {
      const { operation, path, screeningId: field } = KINDS[type];
      const screening = await plaid.call({
        ...{ operation: `${operation}Get`, path: `${path}/get`, reads: true },
        ...{ body: { [field]: screeningId }, schema: screeningResponse },
        isRequestedObject: (response) => response.id === screeningId,
      });
      return screening.status;
    },
  };
}

/** Returns the id of the first program that is not archived. Reads only the first page of the operator's programs. */
async function findProgram(plaid: PlaidCaller, type: HolderType): Promise<string> {
  const { operation: kind, path, programs: field } = KINDS[type];
  const operation = `${kind}ProgramList`;
  const schema = Type.Object({ [field]: programs });
  const response = await plaid.call({ operation, path: `${path}/program/list`, reads: true, body: {}, schema });
  const program = response[field]?.find(({ is_archived: isArchived }) => !isArchived);
  if (program !== undefined) return program.id;
  const kinds = type === "individual" ? "individuals" : "entities";
  throw plaid.error(
    "refused",
    operation,
    `There is no program for ${kinds}. Create one in Plaid's dashboard under Monitor.`,
  );
}
