import type { Route } from "../../../route.ts";
import { deleteVariableRoute } from "./delete-variable.ts";
import { getVariableRoute } from "./get-variable.ts";
import { listVariablesRoute } from "./list-variables.ts";
import { setVariableRoute } from "./set-variable.ts";

export const projectVariableRoutes: readonly Route[] = [
  listVariablesRoute,
  getVariableRoute,
  setVariableRoute,
  deleteVariableRoute,
];
