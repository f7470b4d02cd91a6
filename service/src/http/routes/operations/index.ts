import type { Route } from "../../route.ts";
import { getOperationRoute } from "./get-operation.ts";

export const operationRoutes: readonly Route[] = [getOperationRoute];
