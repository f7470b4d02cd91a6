import type { OperationError } from "../../../../db/schema.ts";
import { AppError, type ErrorCode } from "../../../../foundation/errors.ts";

/** A step is passed, or refused for a reason. Refused steps have changed nothing. */
export interface StepVerdict {
  readonly refused: OperationError | null;
}

export const PASSED: StepVerdict = { refused: null };

export function refusedFor(code: ErrorCode, detail: string): StepVerdict {
  return { refused: { code, detail } };
}

/** What refuses is a result like any other: a thrown error would undo the step's own checkpoint with it. */
export async function refusalOf(check: () => Promise<void>): Promise<OperationError | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { code: error.code, detail: error.message };
  }
}
