import { type Static, Type } from "typebox";
import { Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import type { Session } from "./queries.ts";

/** A session in the list of the developer's sessions (docs/api.md). */
export const DashboardSessionResource = Type.Object(
  {
    object: Type.Literal("session"),
    session_id: Type.String(),
    current: Type.Boolean({ description: "Whether this call uses the session." }),
    created_at: Timestamp,
    last_used_at: Timestamp,
    ip: Nullable(Type.String({ description: "An IPv4 address, or an IPv6 network." })),
    user_agent: Nullable(Type.String()),
  },
  { $id: "DashboardSession" },
);

/** @param currentSessionId the session of the call; undefined for a call under an API key */
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
