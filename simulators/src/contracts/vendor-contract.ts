import type { IncomingHttpHeaders } from "node:http";
import type { RequestProblem } from "../kit/vendor-simulator.ts";

/** One vendor's own description, as a judge over what is said to it and by our simulator of it. */
export interface VendorContract {
  /** What the description refuses in a request. Unknown paths and unknown fields are refused too. */
  checkRequest(request: {
    readonly method: string;
    /** With its prefix, without the query. */
    readonly path: string;
    /** As it stands in the address, without the question mark. */
    readonly query: string;
    readonly headers: IncomingHttpHeaders;
    /** As it was parsed; undefined where there was none. */
    readonly body: unknown;
  }): readonly RequestProblem[];
  /** What it refuses in an answer to the operation. Errors that it does not list are let through. */
  checkAnswer(
    operation: string,
    answer: { readonly status: number; readonly body: unknown },
  ): readonly RequestProblem[];
}
