import { type Static, Type } from "typebox";
import { Nullable, Timestamp } from "../../../foundation/wire/fields.ts";
import type { Session } from "./queries.ts";

/** A session in the list of a developer's sessions (docs/api.md, section 16.2). */
export const DashboardSessionResource = Type.Object(
  {
    object: Type.Literal("session"),
    session_id: Type.String({ description: "The session's id, with the prefix `ses_`." }),
    current: Type.Boolean({ description: "Whether this is the session that made the request." }),
    created_at: Timestamp,
    last_used_at: {
      ...Timestamp,
      description: "When the session's tokens were last refreshed. Equal to `created_at` until the first refresh.",
    },
    ip: {
      ...Nullable(Type.String()),
      description: "The IPv4 address or IPv6 /64 network of the last login or refresh.",
    },
    user_agent: {
      ...Nullable(Type.String()),
      description: "The `User-Agent` of the last login or refresh.",
    },
  },
  { $id: "DashboardSession", description: "A dashboard session of the developer." },
);

/** @param currentSessionId the session that makes the call; undefined for a call with an API key */
export function presentDashboardSession(
  session: Session,
  currentSessionId: string | undefined,
): Static<typeof DashboardSessionResource> {
  return {
    object: "session",
    session_id: session.sessionId,
    current: session.sessionId === currentSessionId,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    ip: session.network,
    user_agent: session.userAgent,
  };
}
