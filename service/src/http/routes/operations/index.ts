import { type Route, withTag } from "../../route.ts";
import { getOperationRoute } from "./get-operation.ts";

export const operationRoutes: readonly Route[] = withTag("Operations", [getOperationRoute]);
