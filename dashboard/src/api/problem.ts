import type { Problem } from "./api-types.ts";

/** An error response of the API, or a request that got none. Every failed call throws one. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** The HTTP status. 0 if the server could not be reached. */
  readonly status: number;
  readonly problem: Partial<Problem>;

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? problem.title ?? `The server answered with status ${status}.`);
    this.status = status;
    this.problem = problem;
  }

  get code(): string {
    return this.problem.code ?? "";
  }

  /** The texts of the invalid fields, by the last part of their pointers: `{email: "must be an email address"}`. */
  get fields(): Record<string, string> {
    const texts: Record<string, string> = {};
    for (const { pointer, detail } of this.problem.errors ?? []) {
      const field = pointer.split("/").at(-1) ?? "";
      texts[field] = texts[field] === undefined ? detail : `${texts[field]}; ${detail}`;
    }
    return texts;
  }
}

export const UNREACHABLE = "unreachable";

export function isUnreachable(error: unknown): boolean {
  return error instanceof RequestError && error.code === UNREACHABLE;
}
