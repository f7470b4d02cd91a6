import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { Count, Flag, ListOf, Nullable, Text, Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import { DeveloperResource, presentDeveloper } from "../developer-resource.ts";
import type { Session } from "./queries.ts";
import type { SessionGrant } from "./start-session.ts";

/** A session's tokens (docs/rules/logins.md). */
export const SessionResource = Type.Object(
  {
    access_token: Text("The access token of the session. Send it as `Authorization: Bearer <token>`."),
    refresh_token: Text(
      "The token for `POST /developers/token/refresh`. It can be used once; each refresh returns a new one.",
    ),
    token_type: Type.Literal("Bearer"),
    expires_in: Count("Lifetime of the access token in seconds."),
    refresh_expires_in: Count("Lifetime of the refresh token in seconds."),
    developer: DeveloperResource,
  },
  { $id: "Session", description: "The tokens of a dashboard session." },
);

/** The response to a login that still needs a second factor (docs/rules/logins.md). */
export const MfaRequiredResource = Type.Object(
  {
    mfa_required: Type.Literal(true, {
      description: "Always true: the account requires a second factor.",
    }),
    mfa_token: Text("The token to send to `POST /developers/login/totp`. Valid for five minutes and five attempts."),
    methods: ListOf(Type.Enum(["totp", "recovery_code"]), "The types of codes that are accepted as the second factor."),
  },
  {
    $id: "MfaRequired",
    description: "The password was correct, but the login requires a second factor. No session exists yet.",
  },
);

export const LoginResultResource = Type.Union([SessionResource, MfaRequiredResource], {
  $id: "LoginResult",
});

export interface SessionLifetime {
  readonly accessSeconds: number;
  readonly refreshSeconds: number;
}

export function presentSession(
  app: Pick<App, "clock" | "settings">,
  grant: SessionGrant,
  { accessSeconds, refreshSeconds }: SessionLifetime,
): Static<typeof SessionResource> {
  return toWire(SessionResource, grant, {
    token_type: "Bearer",
    expires_in: accessSeconds,
    refresh_expires_in: refreshSeconds,
    developer: presentDeveloper(app, grant.developer),
  });
}

/** A session in the list of a developer's sessions (docs/rules/logins.md). */
export const DashboardSessionResource = Type.Object(
  {
    object: Type.Literal("session"),
    session_id: Text("The session's id, with the prefix `ses_`."),
    current: Flag("Whether this is the session that made the request."),
    created_at: Timestamp,
    last_used_at: {
      ...Timestamp,
      description: "When the session's tokens were last refreshed. Equal to `created_at` until the first refresh.",
    },
    ip: Nullable(Type.String(), "The IPv4 address or IPv6 /64 network of the last login or refresh."),
    user_agent: Nullable(Type.String(), "The `User-Agent` of the last login or refresh."),
  },
  { $id: "DashboardSession", description: "A dashboard session of the developer." },
);

/** @param currentSessionId the session that makes the call; undefined for a call with an API key */
export function presentDashboardSession(
  session: Session,
  currentSessionId: string | undefined,
): Static<typeof DashboardSessionResource> {
  return toWire(DashboardSessionResource, session, {
    current: session.sessionId === currentSessionId,
    ip: session.network,
  });
}
