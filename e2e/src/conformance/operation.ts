import type { ApiResponse } from "../signed-client.ts";
import type { ConformanceContext } from "./context.ts";

/** The credential class of the route (docs/api.md, section 1). */
export type CredentialClass = "public" | "dashboard" | "admin" | "tenant" | "signed";

/** A call that must be refused. */
export interface WrongCall {
  /** What is wrong, for example `no credential`. */
  readonly description: string;
  readonly status: number;
  call(context: ConformanceContext): Promise<ApiResponse>;
}

/** One operation of the API. Operations are called in their order: later ones use objects of earlier ones. */
export interface Operation {
  readonly name: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
  readonly credential: CredentialClass;
  /** The status of a successful call. */
  readonly status: number;
  call(context: ConformanceContext): Promise<ApiResponse>;
  readonly wrongCalls: readonly WrongCall[];
}
