import type { Purser } from "@purser/sdk";
import type { DemoContext } from "./run-demo.ts";

/** An agent of the demo, with what it acts on. */
export interface Scene extends DemoContext {
  /** The developer's client, in test mode. */
  readonly developer: Purser;
  /** A client with a key that is bound to the agent. */
  readonly agent: Purser;
  readonly agentId: string;
  readonly projectId: string;
}
