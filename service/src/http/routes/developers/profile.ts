import { Type } from "typebox";
import { normalizeEmail } from "../../../foundation/text.ts";
import { Clearable, Flag, StrictObject } from "../../../foundation/wire/fields.ts";
import { DeveloperResource, presentDeveloper } from "../../../modules/developers/developer-resource.ts";
import { updateProfile } from "../../../modules/developers/developers.ts";
import { readProfile } from "../../../modules/developers/queries.ts";
import { actorOf, principalOf } from "../../auth/principal.ts";
import { endpoint, type Route } from "../../route.ts";
import { getOverviewRoute } from "./dashboard/get-overview.ts";
import {
  CountryIn,
  countryProblem,
  EmailIn,
  throwIfInvalid,
  timeZoneProblem,
  WordsIn,
  websiteProblem,
} from "./fields.ts";

const getDeveloperRoute = endpoint("GET /api/v1/svc/developers/me", {
  operationId: "getDeveloper",
  sdk: "developers.me",
  summary: "Get the developer's profile",
  description: "Returns the profile of the developer who owns the API key or dashboard session. Requires no scope.",
  auth: "tenant",
  scope: null,
  agentBound: "allowed",
  projectBound: "allowed",
  unverified: "allowed",
  answers: { 200: DeveloperResource },
  run: async (app, request) => {
    const { tenantId, mode } = principalOf(request);
    return presentDeveloper(app, await readProfile(app.db, tenantId), mode ?? "live");
  },
});

const getDashboardProfileRoute = endpoint("GET /api/v1/svc/developers/dashboard/me", {
  operationId: "getDashboardProfile",
  sdk: "developers.getDashboardProfile",
  summary: "Get the dashboard profile",
  description: "Returns the profile of the logged-in developer. The email address does not have to be verified.",
  auth: "dashboard",
  unverified: "allowed",
  answers: { 200: DeveloperResource },
  run: async (app, request) => {
    const { tenantId, mode } = principalOf(request);
    return presentDeveloper(app, await readProfile(app.db, tenantId), mode ?? "live");
  },
});

const preferenceOf = (subject: string) =>
  Type.Optional(Clearable(Flag(`Whether to send notifications about ${subject}.`)));

const UpdateDashboardProfileRequest = StrictObject("UpdateDashboardProfileRequest", {
  name: Type.Optional(Clearable(WordsIn(100))),
  company_name: Type.Optional(Clearable(WordsIn(200))),
  website: Type.Optional(
    Clearable({
      ...WordsIn(2_048),
      description: "The developer's website: an http or https URL without a user name or password.",
    }),
  ),
  country: Type.Optional(Clearable(CountryIn)),
  timezone: Type.Optional(
    Clearable(
      Type.String({
        maxLength: 64,
        description: "A time zone from the IANA database. `null` means `UTC`.",
        examples: ["Europe/Berlin"],
      }),
    ),
  ),
  billing_email: Type.Optional(Clearable(EmailIn)),
  notification_preferences: Type.Optional(
    Clearable(
      Type.Object(
        {
          approvals: preferenceOf("approvals"),
          caps: preferenceOf("spending caps"),
          security: preferenceOf("security"),
          product: preferenceOf("product news"),
        },
        {
          additionalProperties: false,
          description:
            "The preferences to change, merged with the current ones. `null` clears all preferences. Emails about approvals are sent unless `approvals` is false, and emails that protect the account in any case. No emails are sent about spending caps and product news yet.",
        },
      ),
    ),
  ),
});

const updateDashboardProfileRoute = endpoint("PUT /api/v1/svc/developers/dashboard/me", {
  operationId: "updateDashboardProfile",
  sdk: "developers.updateDashboardProfile",
  summary: "Update the dashboard profile",
  description:
    "Updates the profile of the logged-in developer. Absent fields are unchanged. `null` clears a field. `notification_preferences` is merged with the current preferences.",
  auth: "dashboard",
  body: UpdateDashboardProfileRequest,
  answers: { 200: DeveloperResource },
  run: async (app, request) => {
    const { body } = request;
    throwIfInvalid(countryProblem(body.country), timeZoneProblem(body.timezone), websiteProblem(body.website));
    const developer = await updateProfile(app, {
      actor: actorOf(request),
      change: {
        name: body.name,
        companyName: body.company_name,
        website: body.website,
        country: body.country,
        timezone: body.timezone,
        billingEmail: body.billing_email && normalizeEmail(body.billing_email),
        notificationPreferences: body.notification_preferences,
      },
    });
    return presentDeveloper(app, developer);
  },
});

export const profileRoutes: readonly Route[] = [
  getDashboardProfileRoute,
  updateDashboardProfileRoute,
  getOverviewRoute,
  getDeveloperRoute,
];
