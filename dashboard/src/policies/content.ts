import type { InvalidField, Policy, PolicyApprovalsInput, PolicyRuleInput } from "../api/api-types.ts";

/** What a person edits of a policy: the body of the call that saves it. */
export interface PolicyContent {
  readonly name: string;
  readonly applies_to: Policy["applies_to"];
  readonly approvals: PolicyApprovalsInput;
  readonly rules: PolicyRuleInput[];
}

/** The text of the JSON side. */
export function textOf({ name, applies_to, approvals, rules }: PolicyContent): string {
  return JSON.stringify({ name, applies_to, approvals, rules }, null, 2);
}

/** Reads the text of the JSON side. Returns a text that says why it cannot be shown as a form. */
export function parseContent(text: string): PolicyContent | string {
  try {
    const value: unknown = JSON.parse(text);
    const isShown =
      isObject(value) &&
      isObject(value.applies_to) &&
      isObject(value.approvals) &&
      Array.isArray(value.rules) &&
      value.rules.every((rule) => isObject(rule) && isObject(rule.when ?? {}));
    return isShown ? (value as unknown as PolicyContent) : "It needs applies_to, approvals, and a list of rules.";
  } catch (error) {
    return String(error);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The errors of the API below a JSON pointer, as one text for a field. */
export function errorAt(errors: readonly InvalidField[], pointer: string): string | undefined {
  const found = errors.filter((error) => `${placeOf(error)}/`.startsWith(`${pointer}/`));
  return found.map(({ detail }) => detail).join("; ") || undefined;
}

/** The pointer into the policy, without the part of the request that contains it. */
export function placeOf({ pointer }: InvalidField): string {
  return pointer.replace(/^\/body/, "");
}
