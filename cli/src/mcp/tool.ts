import type { EnvBundle, Mode, Purser, RequestOptions } from "@purser/sdk";
import type { Schema } from "../operation/table.ts";

/** What a host reads before it calls a tool. `openWorldHint`: the call reaches providers, payees or networks. */
export const READ = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
export const ADD = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
export const CHANGE = { ...ADD, destructiveHint: true };
export const STOP = { ...CHANGE, idempotentHint: true };

export interface Tool {
  readonly operation: string;
  /** What the tool does, for a model. Default: the start of the operation's description. */
  readonly does?: string;
  /** Default: reads only. */
  readonly hints?: typeof READ;
  /** Fields of the operation's query and body that a model can set, beside those of the path. Others cannot be sent. */
  readonly inputs?: string;
  /** Values of inputs that are missing. */
  readonly defaults?: Readonly<Record<string, string | number>>;
  /** Inputs that the operation does not have, and those of them that must be sent. */
  readonly ownInputs?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The fields of the response that an answer has: see `shownFields`. */
  readonly shows: string;
  /** Default: calls the operation. */
  readonly run?: Run;
  readonly isTestOnly?: boolean;
}

export interface ToolSettings {
  readonly purser: Purser;
  readonly mode: Mode;
  /** The agent for which all tools act. Default: the key's only agent, or the argument `agent_id`. */
  readonly agentId?: string | undefined;
  /** The project of calls that name none. */
  readonly projectId?: string | undefined;
  /** The folder in which env files can be written. */
  readonly folder: string;
  /** Writes an env file. The messages of its errors contain no values. */
  readonly writeEnvFile: (file: { readonly path: string; readonly bundle: EnvBundle }) => Promise<{
    readonly path: string;
    readonly names: readonly string[];
  }>;
}

export type ToolInput = Readonly<Record<string, unknown>>;

/** What a call of a tool can use. */
export interface RunContext extends ToolSettings {
  readonly input: ToolInput;
  readonly options: RequestOptions;
  /** Returns an argument that is an id. */
  text(name: string): string;
  /** Returns the agent that acts. */
  agent(): Promise<string>;
}

/** Returns a response of the API, or an object of which only the shown fields are used. */
export type Run = (context: RunContext) => PromiseLike<unknown>;

export function hintsOf({ hints = READ }: Tool): typeof READ {
  return hints;
}
