import { type Static, Type } from "typebox";
import { Timestamp } from "../../foundation/wire/common.ts";

/** The server's time (docs/api.md). */
export const ServerTimeResource = Type.Object(
  {
    unix: Type.Integer({ description: "Seconds since 1970-01-01T00:00:00Z." }),
    iso: Timestamp,
  },
  { $id: "ServerTime" },
);

export function presentServerTime(now: Date): Static<typeof ServerTimeResource> {
  return { unix: Math.floor(now.getTime() / 1000), iso: now.toISOString() };
}
