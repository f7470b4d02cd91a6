import { type Static, Type } from "typebox";
import type { App } from "../../../app.ts";
import { DeveloperResource, presentDeveloper } from "../developer-resource.ts";
import type { MfaPending } from "./begin-session.ts";
import type { SessionGrant } from "./open-session.ts";

/** The tokens of a session (docs/api.md). */
export const SessionResource = Type.Object(
  {
    access_token: Type.String(),
    refresh_token: Type.String({
      description: "Works once. Each refresh returns the next refresh token.",
    }),
    token_type: Type.Literal("Bearer"),
    expires_in: Type.Integer({ description: "Seconds." }),
    refresh_expires_in: Type.Integer({ description: "Seconds." }),
    developer: DeveloperResource,
  },
  { $id: "Session" },
);

/** A login that needs its second factor (docs/api.md). */
export const MfaRequiredResource = Type.Object(
  {
    mfa_required: Type.Literal(true),
    mfa_token: Type.String({
      description: "For POST /developers/login/totp. Valid for five minutes and five attempts.",
    }),
    methods: Type.Array(Type.Enum(["totp", "recovery_code"])),
  },
  { $id: "MfaRequired" },
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
  { developer, accessToken, refreshToken }: SessionGrant,
  { accessSeconds, refreshSeconds }: SessionLifetime,
): Static<typeof SessionResource> {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: "Bearer",
    expires_in: accessSeconds,
    refresh_expires_in: refreshSeconds,
    developer: presentDeveloper(app, developer),
  };
}

export function presentMfaRequired({
  mfaToken,
  methods,
}: MfaPending): Static<typeof MfaRequiredResource> {
  return { mfa_required: true, mfa_token: mfaToken, methods: [...methods] };
}
