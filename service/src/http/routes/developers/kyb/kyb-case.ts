import { StrictObject } from "../../../../foundation/wire/fields.ts";
import {
  KybCaseResource,
  presentKybCase,
  readKybCase,
  submitKyb,
} from "../../../../modules/developers/kyb/kyb-case.ts";
import { actorOf, principalOf } from "../../../auth/principal.ts";
import { replyByReference } from "../../../idempotency.ts";
import { endpoint, type Route } from "../../../route.ts";
import { CountryIn, countryProblem, throwIfInvalid, WordsIn } from "../fields.ts";

const KybCaseRequest = StrictObject("KybCaseRequest", {
  legal_name: { ...WordsIn(300), description: "The business's registered name, on one line." },
  registration_number: { ...WordsIn(100), description: "The business's registration number, on one line." },
  jurisdiction: {
    ...CountryIn,
    description: "Where the business is registered: a two-letter country code in capital letters (ISO 3166-1 alpha-2).",
  },
});

const submitKybRoute = endpoint("POST /api/v1/svc/developers/dashboard/kyb", {
  operationId: "submitKyb",
  sdk: "developers.kyb.submit",
  summary: "Send the data of your business",
  description:
    "Begins the verification of your business (KYB), which live money needs. Sets `status` to `pending` until an admin decides. While it is pending, the call replaces the data; after `rejected`, `revoked` or `expired` it begins again. Fails with `conflict` if the business is verified.",
  auth: "dashboard",
  body: KybCaseRequest,
  answers: { 200: KybCaseResource },
  errors: ["conflict"],
  example: { legal_name: "Ada Engines Ltd", registration_number: "12345678", jurisdiction: "GB" },
  run: async (app, request, reply) => {
    const { legal_name: legalName, registration_number: registrationNumber, jurisdiction } = request.body;
    throwIfInvalid(countryProblem(jurisdiction, "jurisdiction"));
    const actor = actorOf(request);
    const details = { legalName, registrationNumber, jurisdiction };
    const resolve = async () =>
      ({ kind: "response", body: presentKybCase(await readKybCase(app, actor.tenantId)) }) as const;
    return replyByReference(app, request, reply, { status: 200, resolve }, async (saveResponse) => {
      await submitKyb(app, { actor, details, saveResponse });
      return {};
    });
  },
});

const getKybRoute = endpoint("GET /api/v1/svc/developers/dashboard/kyb", {
  operationId: "getKyb",
  sdk: "developers.kyb.get",
  summary: "Get the verification of your business",
  description: "Returns your KYB case. Its status is `none` until you send the data of your business.",
  auth: "dashboard",
  answers: { 200: KybCaseResource },
  run: async (app, request) => presentKybCase(await readKybCase(app, principalOf(request).tenantId)),
});

export const kybCaseRoutes: readonly Route[] = [submitKybRoute, getKybRoute];
