import { Readable } from "node:stream";
import { Type } from "typebox";
import { createChainVerifier, exportChain } from "../../../audit/chains/chains.ts";
import { AuditVerificationResource, presentAuditVerification } from "../../../audit/chains/verification-resource.ts";
import {
  AuditCheckpointResource,
  listCheckpoints,
  presentAuditCheckpoint,
} from "../../../audit/checkpoints/checkpoints.ts";
import { AuditEntryResource, listEntries, presentAuditEntry } from "../../../audit/entries/entries.ts";
import type { ExistingEntry } from "../../../audit/entries/queries.ts";
import { AUDIT_CHAINS } from "../../../foundation/vocabulary.ts";
import { OneOf, Text } from "../../../foundation/wire/fields.ts";
import { actorOf, principalOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPage, presentPageBefore } from "../../cursor.ts";
import { endpoint, type Route } from "../../route.ts";

const ChainName = OneOf(
  AUDIT_CHAINS,
  "The audit chain to use. `provider_keys` contains changes to provider keys; `tenant` contains all other entries. Default: `tenant`.",
);
const ActionName = Text("Return only entries with this action, for example `api_key.created`.", {
  pattern: "^[a-z_]+(\\.[a-z_]+)*$",
  maxLength: 100,
});
const SubjectId = Text("Return only entries whose subject has this id.", { pattern: "^[!-~]{1,100}$" });

const SEQUENCE = /^[1-9]\d{0,8}$/;

/** Returns the sequence number in a cursor. Throws `validation_error` if the cursor is not from an audit list. */
export function sequenceInCursor(cursor: string | undefined): number | undefined {
  const name = decodeCursor(cursor, SEQUENCE);
  return name === undefined ? undefined : Number(name);
}

/**
 * Presents one page of entries. `nextBeforeSequence` can be lower than the sequence number of the page's last entry,
 * because the entries in between were read but do not match the filter.
 */
export function presentEntries({
  entries,
  nextBeforeSequence,
}: {
  readonly entries: readonly ExistingEntry[];
  readonly nextBeforeSequence: number | null;
}) {
  const nextName = nextBeforeSequence === null ? null : String(nextBeforeSequence);
  return presentPageBefore(entries.map(presentAuditEntry), nextName);
}

const listEntriesRoute = endpoint("GET /api/v1/svc/audit/entries", {
  operationId: "listAuditEntries",
  sdk: "audit.entries",
  summary: "List audit entries",
  description:
    "Returns the entries of an audit chain, newest first. With a filter, a page can have few or no entries even if `has_more` is true. Test keys can list only entries in test mode.",
  auth: "tenant",
  scope: "audit:read",
  query: Type.Object(
    {
      chain: Type.Optional(ChainName),
      action: Type.Optional(ActionName),
      subject_id: Type.Optional(SubjectId),
      ...CursorQuery.properties,
    },
    { additionalProperties: false },
  ),
  answers: { 200: cursorPage(AuditEntryResource) },
  run: async (app, request) => {
    const { tenantId, kind, mode } = principalOf(request);
    const { chain = "tenant", action, subject_id: subjectId } = request.query;
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const modeFilter = kind === "api_key" && mode === "test" ? { mode } : {};
    const page = await listEntries(app, {
      key: { tenantId, chain },
      filter: { ...modeFilter, action, subjectId },
      beforeSequence: sequenceInCursor(cursor),
      limit,
    });
    return presentEntries(page);
  },
});

const listCheckpointsRoute = endpoint("GET /api/v1/svc/audit/checkpoints", {
  operationId: "listAuditCheckpoints",
  sdk: "audit.checkpoints",
  summary: "List audit checkpoints",
  description:
    "Returns the signed checkpoints of an audit chain, newest first. Each checkpoint contains the hash of the previous checkpoint. The public keys for the signatures are at `/.well-known/jwks.json`.",
  auth: "tenant",
  scope: "audit:read",
  query: Type.Object(
    {
      chain: Type.Optional(ChainName),
      ...CursorQuery.properties,
    },
    { additionalProperties: false },
  ),
  answers: { 200: cursorPage(AuditCheckpointResource) },
  run: async (app, request) => {
    const { tenantId } = principalOf(request);
    const { chain = "tenant", cursor, limit = LIMIT_DEFAULT } = request.query;
    const page = await listCheckpoints(app, {
      key: { tenantId, chain },
      beforeSequence: sequenceInCursor(cursor),
      limit,
    });
    return presentPage(page, presentAuditCheckpoint, ({ sequence }) => String(sequence));
  },
});

const exportChainRoute = endpoint("GET /api/v1/svc/audit/export", {
  operationId: "exportAuditChain",
  sdk: "audit.export",
  summary: "Export an audit chain",
  description:
    "Returns a whole audit chain as JSON lines, oldest entry first. Each line is the canonical JSON (RFC 8785) of an entry, including its hash. Entries of both modes are included, because a chain can only be verified as a whole. To verify an export offline, use `GET /audit/checkpoints` and the public keys at `/.well-known/jwks.json`. Each export adds an entry to the `tenant` chain.",
  auth: "tenant",
  scope: "audit:read",
  responseHeaders: ["Content-Disposition"],
  query: Type.Object(
    { chain: Type.Optional(ChainName), format: Type.Optional(Type.Literal("jsonl")) },
    { additionalProperties: false },
  ),
  answers: {
    200: {
      description: "The audit entries as JSON lines, one entry per line.",
      content: {
        "application/x-ndjson": { schema: Type.Unsafe<Readable>({ type: "string" }) },
      },
    },
  },
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const { chain = "tenant" } = request.query;
    const chunks = await exportChain(app, { actor, chain });
    return reply
      .code(200)
      .header("content-type", "application/x-ndjson; charset=utf-8")
      .header("content-disposition", `attachment; filename="audit-${chain}.jsonl"`)
      .send(Readable.from(chunks, { objectMode: false }));
  },
});

const verifyAuditRoute: Route = (server, app, tag) => {
  const verifyChain = createChainVerifier(app);
  const add = endpoint("GET /api/v1/svc/audit/verify", {
    operationId: "verifyAudit",
    sdk: "audit.verify",
    summary: "Verify an audit chain",
    description:
      "Recomputes the hashes of an audit chain and compares the chain with its newest checkpoint in external storage (the anchor). All entries recorded before the call are checked, unless `since` is sent.",
    auth: "tenant",
    scope: "audit:read",
    query: Type.Object(
      {
        chain: Type.Optional(ChainName),
        since: Type.Optional(
          Type.Literal("checkpoint", {
            description:
              "Send `checkpoint` to start the check at the newest checkpoint in the anchor instead of at the first entry. If `anchor.status` is not `matched`, all entries are checked.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 200: AuditVerificationResource },
    run: async (_app, request) => {
      const { tenantId } = principalOf(request);
      const { chain = "tenant", since = "start" } = request.query;
      return presentAuditVerification(chain, await verifyChain({ tenantId, chain }, since));
    },
  });
  add(server, app, tag);
};

export const auditRoutes: readonly Route[] = [
  listEntriesRoute,
  exportChainRoute,
  listCheckpointsRoute,
  verifyAuditRoute,
];
