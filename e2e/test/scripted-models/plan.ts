interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a tool of `purser mcp` answers. The fields are those of the API's responses. */
interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: the plan reads fields of any tool's answer, and fails if one is missing.
  readonly data?: any;
  readonly error?: { readonly code: string; readonly decision?: Readonly<Record<string, string>> };
}

const PAYMENT = { to: "0x8ba1f109551bD432803012645Ac136ddd64DBA72", amount: "5.00", reference: "invoice 42" };

/**
 * What the scripted models do in place of a real one: add the database and pay. They pay whatever the simulation says, so that it
 * is Purser that refuses.
 */
function* plan(): Generator<ToolCall, string, Answer> {
  const { project_id } = (yield { tool: "whoami", input: {} }).data;
  const [limit] = (yield { tool: "budgets", input: {} }).data.limits;
  const added = yield { tool: "service_add", input: { project_id, service: "neon/postgres", plan: "free" } };
  const { operation_id, status } = added.data.operation;
  const operation =
    status === "running" ? (yield { tool: "operation_wait", input: { operation_id } }).data : { status };
  const { outcome } = (yield { tool: "payment_simulate", input: PAYMENT }).data;
  const { data: payment, error } = yield { tool: "payment_send", input: PAYMENT };

  const before = `The database ${added.data.service.name} is ${operation.status === "succeeded" ? "ready" : "missing"}. Simulated: ${outcome}.`;
  if (error) {
    return `${before} Not paid: ${error.code}, because the rule ${error.decision?.["rule_id"]} leaves ${limit.remaining} dollars.`;
  }
  if (payment.status === "requires_approval") return `${before} Please approve: ${payment.approval.approve_page_url}`;
  return `${before} Paid ${payment.paid_amount} ${payment.token} of the ${limit.remaining} dollars that were left.`;
}

/**
 * Returns the next call, or the text with which the model ends.
 *
 * @param answers the answers to all calls up to now. A text before their JSON is ignored, because LangChain adds one
 */
export function nextStep(answers: readonly string[]): ToolCall | { readonly text: string } {
  const steps = plan();
  let step = steps.next();
  for (const answer of answers) step = steps.next(JSON.parse(answer.slice(answer.indexOf("{"))));
  return step.done ? { text: step.value } : step.value;
}
