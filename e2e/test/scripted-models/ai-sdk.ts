import { MockLanguageModelV4 } from "ai/test";
import { nextStep } from "./plan.ts";

const NO_TOKENS = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };

export const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const parts = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
    const outputs = parts.map((part) =>
      part.type === "tool-result" && part.output.type === "content" ? part.output.value : [],
    );
    const step = nextStep(outputs.map(([first]) => (first?.type === "text" ? first.text : "")));
    const usage = { inputTokens: NO_TOKENS, outputTokens: NO_TOKENS };
    if ("text" in step) {
      const finishReason = { unified: "stop", raw: undefined } as const;
      return { content: [{ type: "text", text: step.text }], finishReason, usage, warnings: [] };
    }
    const toolCallId = `call_${outputs.length}`;
    return {
      content: [{ type: "tool-call", toolCallId, toolName: step.tool, input: JSON.stringify(step.input) }],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage,
      warnings: [],
    };
  },
});
