import type { ApiResponse } from "../signed-client.ts";
import type { ConformanceContext } from "./context.ts";

/** Credential class of a route (docs/api.md, section 1). */
export type CredentialClass = "public" | "dashboard" | "admin" | "tenant" | "signed" | "vendor";

/** A call with a wrong credential or wrong input, and the expected status. */
export interface WrongCall {
  /** What is wrong with the call, for example `no credential`. */
  readonly description: string;
  readonly status: number;
  call(context: ConformanceContext): Promise<ApiResponse>;
}

/** One API operation. Operations are called in list order, because later ones use objects that earlier ones created. */
export interface Operation {
  readonly name: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
  readonly credential: CredentialClass;
  /** Expected status of the correct call. */
  readonly status: number;
  call(context: ConformanceContext): Promise<ApiResponse>;
  readonly wrongCalls: readonly WrongCall[];
}
