import { Type } from "typebox";
import { invalidField } from "../../../../foundation/errors.ts";
import { SCOPES, type Scope } from "../../../../foundation/vocabulary.ts";
import {
  DeviceAuthorizationResource,
  presentDeviceAuthorization,
} from "../../../../modules/developers/device-login/device-login-resources.ts";
import { startDeviceLogin } from "../../../../modules/developers/device-login/start-device-login.ts";
import { endpoint } from "../../../route.ts";
import { clientInfoOf } from "../client-info.ts";
import { WordsIn } from "../fields.ts";
import { IGNORES_UNKNOWN } from "./ignores-unknown.ts";

const NAME_LENGTH_MAX = 100;

const DeviceAuthorizationRequest = Type.Object(
  {
    client_name: Type.Optional({
      ...WordsIn(NAME_LENGTH_MAX),
      description:
        "The name of the device, on one line. The API key of the device gets this name. Default: the first 100 characters of the value of `client_id`, or `A device` if `client_id` is absent.",
    }),
    client_id: Type.Optional({
      ...WordsIn(200),
      description:
        "The OAuth client id, on one line. Choose any text: clients are not registered. Used as the device's name if `client_name` is absent.",
    }),
    scope: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description:
          "The scopes of the device's API key, separated by spaces. Default: all scopes except `approvals:write`. In test mode, the default does not include `audit:read` either.",
      }),
    ),
  },
  { $id: "DeviceAuthorizationRequest", ...IGNORES_UNKNOWN },
);

export const startDeviceLoginRoute = endpoint("POST /api/v1/svc/developers/oauth/device", {
  operationId: "beginDeviceLogin",
  sdk: "developers.devices.begin",
  summary: "Start a device login",
  description:
    "Starts a login for a program without a browser (RFC 8628). Show `user_code` and `verification_uri` to the user, then poll `POST /developers/oauth/device/token`. The codes expire after ten minutes. Fails with `rate_limited` after ten calls per minute from one network.",
  auth: "public",
  ignoresUnknownQuery: true,
  bodyFormat: "form_or_json",
  body: DeviceAuthorizationRequest,
  answers: { 200: DeviceAuthorizationResource },
  errors: ["rate_limited"],
  run: async (app, request) => {
    const { client_name, client_id, scope = "" } = request.body;
    const login = await startDeviceLogin(app, {
      clientName: client_name ?? client_id?.slice(0, NAME_LENGTH_MAX) ?? "A device",
      scopes: parseScopes(scope),
      client: clientInfoOf(request),
    });
    return presentDeviceAuthorization(login, `${app.settings.publicUrl}/device`);
  },
});

function parseScopes(text: string): readonly Scope[] {
  const names = new Set(text.split(" ").filter((name) => name !== ""));
  const scopes = SCOPES.filter((scope) => names.has(scope));
  if (scopes.length === names.size) return scopes;
  throw invalidField(
    "/body/scope",
    "enum",
    `must contain only these scopes, separated by spaces: ${SCOPES.join(", ")}`,
  );
}
