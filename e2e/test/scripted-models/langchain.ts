import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { nextStep } from "./plan.ts";

class ScriptedChatModel extends BaseChatModel {
  override _llmType(): string {
    return "scripted";
  }

  /** The plan knows the tools. */
  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const answers = messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
    const step = nextStep(answers);
    const message =
      "text" in step
        ? new AIMessage(step.text)
        : new AIMessage({
            content: "",
            tool_calls: [{ id: `call_${answers.length}`, name: step.tool, args: { ...step.input } }],
          });
    return { generations: [{ text: message.text, message }] };
  }
}

export const model = new ScriptedChatModel({});
