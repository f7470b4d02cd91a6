import type { AgentStatus } from "../../foundation/vocabulary.ts";
import type { ChangingOfMode, CreatedOfMode, Optional } from "./columns.ts";

/** What an agent runs, as the developer describes it. */
export interface AgentSoftware {
  readonly name?: string;
  readonly version?: string;
  readonly model?: string;
}

export interface AgentTables {
  readonly agents: ChangingOfMode & {
    /** A UUID in lowercase. */
    readonly agentId: string;
    readonly name: string;
    readonly status: AgentStatus;
    readonly description: Optional<string | null>;
    readonly software: Optional<AgentSoftware | null>;
    readonly metadata: Optional<Readonly<Record<string, string>>>;
    readonly policyId: Optional<string | null>;
    /** The parent, its parent, and so on. */
    readonly ancestorIds: Optional<readonly string[]>;
    readonly attestedBy: Optional<string | null>;
    readonly attestedAt: Optional<Date | null>;
    readonly attestedUntil: Optional<Date | null>;
    readonly expiresAt: Optional<Date | null>;
    readonly deletedAt: Optional<Date | null>;
  };
  readonly agentPublicKeys: CreatedOfMode & {
    readonly agentId: string;
    readonly keyId: string;
    /** The raw Ed25519 public key in base64url, as in the API. */
    readonly publicKey: string;
  };
}
