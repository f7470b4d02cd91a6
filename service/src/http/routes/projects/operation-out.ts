import { Type } from "typebox";
import { AppError } from "../../../foundation/errors.ts";
import { isId, type OperationId } from "../../../foundation/ids.ts";
import { OPERATION_STATUSES, STEP_STATUSES } from "../../../foundation/vocabulary.ts";
import { ModeName, Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import { Problem } from "../../../foundation/wire/problem.ts";
import { sagas } from "../../../workflows/index.ts";

/** What `presentOperation` makes (contract, section 3). */
export const OperationOut = Type.Object(
  {
    object: Type.Literal("operation"),
    operation_id: Type.String(),
    project_id: Nullable(Type.String()),
    mode: ModeName,
    type: Type.Enum(sagas.map(({ type }) => type)),
    status: Type.Enum([...OPERATION_STATUSES]),
    subject: Type.Object(
      { type: Type.String(), id: Type.String() },
      { description: "The object that the operation changes, for example a project or a service." },
    ),
    service_id: Nullable(Type.String()),
    steps: Type.Array(
      Type.Object({
        name: Type.String(),
        status: Type.Enum([...STEP_STATUSES]),
        at: Nullable(Timestamp),
      }),
    ),
    error: Nullable(Problem),
    expected_callback_seconds: Nullable(
      Type.Integer({ description: "How long somebody else takes as a rule, while they work." }),
    ),
    poll_url: Nullable(Type.String({ description: "Where to ask again while it runs." })),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Operation" },
);

/** The operation that a path names. An id of the wrong form is as absent as one that nobody has. */
export function operationIdOf(text: string): OperationId {
  if (isId("op", text)) return text;
  throw new AppError("operation_not_found", { internal: "not the form of an operation's id" });
}
