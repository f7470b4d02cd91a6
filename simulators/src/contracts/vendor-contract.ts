import type { IncomingHttpHeaders } from "node:http";
import type { RequestProblem } from "../kit/vendor-simulator.ts";

/** Validates requests to a simulator and its responses against the vendor's OpenAPI description. */
export interface VendorContract {
  /** Returns the problems of a request, including unknown paths and unknown fields. */
  checkRequest(request: {
    readonly method: string;
    /** The path with its prefix and without the query. */
    readonly path: string;
    /** The raw query without the question mark. */
    readonly query: string;
    readonly headers: IncomingHttpHeaders;
    /** The parsed body. Undefined if there is none. */
    readonly body: unknown;
  }): readonly RequestProblem[];
  /** Returns the problems of a response. An error status that the description does not list is valid. */
  checkResponse(
    operation: string,
    response: { readonly status: number; readonly body: unknown },
  ): readonly RequestProblem[];
}
