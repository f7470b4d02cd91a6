import { type Static, Type } from "typebox";
import { adminActorInTenant } from "../../../../audit/actors.ts";
import { KYB_DECISIONS } from "../../../../foundation/vocabulary.ts";
import { DISPLAY_TEXT, OneOf, StrictObject, Text } from "../../../../foundation/wire/fields.ts";
import { presentDeveloper } from "../../../../modules/developers/developer-resource.ts";
import { type KybDecision, KybVerificationResource, verifyKyb } from "../../../../modules/developers/kyb/verify-kyb.ts";
import { readProfile } from "../../../../modules/developers/queries.ts";
import { adminOf } from "../../../auth/principal.ts";
import { replyByReference } from "../../../idempotency.ts";
import { pathId } from "../../../path-id.ts";
import { endpoint } from "../../../route.ts";
import { futureTime, WordsIn } from "../fields.ts";

const DeveloperKybVerifyRequest = StrictObject("DeveloperKybVerifyRequest", {
  developer_id: Text("The developer's id, with the prefix `dev_`.", { minLength: 1, maxLength: 100 }),
  status: OneOf(KYB_DECISIONS, "The KYB status to set."),
  legal_name: Type.Optional({
    ...WordsIn(300),
    description: "The registered name of the business, on one line.",
  }),
  registration_number: Type.Optional({
    ...WordsIn(100),
    description: "The company's registration number, on one line.",
  }),
  jurisdiction: Type.Optional({
    ...WordsIn(100),
    description: "The country or state of registration, on one line.",
  }),
  reference: Type.Optional({
    ...WordsIn(200),
    description: "A reference for the verification, for example a case number. Visible to the developer.",
  }),
  note: Type.Optional(
    Text("A note for other admins. If two admins must decide, their notes can differ.", {
      minLength: 1,
      maxLength: 1_000,
      ...DISPLAY_TEXT,
    }),
  ),
  submitted_at: Type.Optional(
    Text(
      "The `submitted_at` of the case that you have checked. If the developer has sent other data since, the call fails with `conflict`. Default: not checked with a token, and no case with a cookie.",
      { format: "date-time" },
    ),
  ),
  expires_at: Type.Optional(
    Text("When the verification expires. Must be in the future. Default: the verification never expires.", {
      format: "date-time",
    }),
  ),
});
type Request = Static<typeof DeveloperKybVerifyRequest>;

export const verifyKybRoute = endpoint("POST /api/v1/svc/developers/verify-kyb", {
  operationId: "verifyKyb",
  summary: "Set a developer's KYB status",
  description:
    "Sets a developer's KYB status. In production, two admins must send the same decision; only `note` can differ. After the first decision the status is `pending`, except that a verified developer stays verified while a renewal is pending. A different decision replaces the pending one. Fails with `admin_review_required` if the same admin sends the decision twice, and with `developer_not_found` for an unknown developer.",
  auth: "admin",
  body: DeveloperKybVerifyRequest,
  answers: { 200: KybVerificationResource },
  errors: ["developer_not_found", "conflict", "admin_review_required"],
  run: async (app, request, reply) => {
    const { note = null, submitted_at: submittedAt } = request.body;
    const decision = decisionOf(request.body, app.clock.now());
    const developerId = pathId("dev", request.body.developer_id);
    const admin = adminOf(request);
    // A page that sends no time has shown no case.
    const unsent = admin.byCookie ? null : undefined;
    return replyByReference(
      app,
      request,
      reply,
      {
        status: 200,
        about: developerId,
        resolve: async ({ audit_id }: { readonly audit_id: string }) => {
          const developer = await readProfile(app.db, developerId);
          return { kind: "response" as const, body: { ...presentDeveloper(app, developer), audit_id } };
        },
      },
      async (saveResponse) => {
        const { auditId } = await verifyKyb(app, {
          admin,
          actor: adminActorInTenant({ tenantId: developerId }, { adminId: admin.adminId, requestId: request.id }),
          decision,
          note,
          submittedAt: submittedAt === undefined ? unsent : new Date(submittedAt),
          saveResponse: (tx, verification) => saveResponse(tx, { audit_id: verification.auditId }),
        });
        return { audit_id: auditId };
      },
    );
  },
});

function decisionOf(body: Request, now: Date): KybDecision {
  return {
    status: body.status,
    legalName: body.legal_name ?? null,
    registrationNumber: body.registration_number ?? null,
    jurisdiction: body.jurisdiction ?? null,
    reference: body.reference ?? null,
    expiresAt: body.expires_at === undefined ? null : futureTime(body.expires_at, now, "expires_at"),
  };
}
