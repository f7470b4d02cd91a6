import { AppError, type ErrorCode } from "../foundation/errors.ts";
import { isId } from "../foundation/ids.ts";

/** The error code for an unknown id, by the id's prefix. */
const NOT_FOUND = {
  apr: "approval_not_found",
  dev: "developer_not_found",
  kill: "kill_switch_not_found",
  lnk: "link_not_found",
  op: "operation_not_found",
  pay: "payment_not_found",
  pol: "policy_not_found",
  proj: "project_not_found",
  srv: "service_not_found",
  wal: "wallet_not_found",
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** Returns the id from a path parameter. A malformed id throws the same 404 as an unknown one. */
export function pathId<Prefix extends keyof typeof NOT_FOUND>(prefix: Prefix, text: string): `${Prefix}_${string}` {
  if (isId(prefix, text)) return text;
  throw new AppError(NOT_FOUND[prefix], { internal: `malformed ${prefix} id` });
}
