import { operationResource } from "../../../operations/operation-resource.ts";
import { sagas } from "../../../workflows/index.ts";

export const OperationResource = operationResource(sagas.map(({ type }) => type));
