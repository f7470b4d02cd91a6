export { type Evaluation, evaluate } from "./rules/evaluate.ts";
export type { PolicyFacts } from "./rules/facts.ts";
export { parsePolicy } from "./rules/parse-rules.ts";
export type { PolicyRule } from "./rules/rule-schema.ts";
