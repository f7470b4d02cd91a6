import { operationResource } from "../../../operations/operation-resource.ts";
import { sagas } from "../../../workflows/sagas.ts";

export const OperationResource = operationResource(sagas.map(({ type }) => type));
