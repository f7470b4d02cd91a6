import { type Static, Type } from "typebox";
import { OPERATION_STATUSES } from "../../foundation/vocabulary.ts";
import {
  FailureOut,
  ListOf,
  ModeName,
  NamedObject,
  Nullable,
  SubjectOut,
  Timestamp,
} from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { OperationStepResource } from "../operation-resource.ts";
import type { Operation } from "../queries.ts";

/** An operation as shown to admins (docs/rules/operations.md). */
export const OperatorOperationResource = NamedObject("OperatorOperation", {
  object: Type.Literal("operation"),
  operation_id: Type.String(),
  developer_id: Type.String(),
  project_id: Nullable(Type.String()),
  mode: ModeName,
  type: Type.String({ examples: ["service.add"] }),
  status: Type.Enum([...OPERATION_STATUSES]),
  subject: SubjectOut,
  steps: ListOf(OperationStepResource, "The steps in the order in which they run."),
  stuck_step: Nullable(
    Type.String(),
    "The step that could not be undone at the provider. Null if nothing was being undone: the operation can then only be retried.",
  ),
  undone_by_hand: ListOf(Type.String(), "The steps that admins have undone by hand."),
  error: Nullable(FailureOut),
  request_id: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export function presentOperatorOperation(operation: Operation): Static<typeof OperatorOperationResource> {
  const { error, subjectType, subjectId, tenantId } = operation;
  return toWire(OperatorOperationResource, operation, {
    developer_id: tenantId,
    subject: { type: subjectType, id: subjectId },
    steps: operation.steps.map((step) => toWire(OperationStepResource, step)),
    error: error === null ? null : { code: error.code, detail: error.detail },
  });
}
