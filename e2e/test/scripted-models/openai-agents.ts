import { type AgentInputItem, type Model, Usage } from "@openai/agents";
import { assistantMessage, functionCall } from "@openai/agents/testing";
import { nextStep } from "./plan.ts";

export const model: Model = {
  async getResponse({ input }) {
    const answers = typeof input === "string" ? [] : input.flatMap(answersIn);
    const step = nextStep(answers);
    const item =
      "text" in step
        ? assistantMessage(step.text)
        : functionCall(step.tool, step.input, { callId: `call_${answers.length}` });
    return { usage: new Usage(), output: [item] };
  },
  getStreamedResponse() {
    throw new Error("The recipe does not stream.");
  },
};

function answersIn(item: AgentInputItem): string[] {
  if (item.type !== "function_call_result" || !Array.isArray(item.output)) return [];
  return item.output.flatMap((part) => (part.type === "input_text" ? [part.text] : []));
}
