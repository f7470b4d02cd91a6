import type { LedgerTransferId, WalletId } from "../../foundation/ids.ts";
import type { Asset } from "../../foundation/money/assets.ts";
import type { BlockchainNetwork } from "../../foundation/money/blockchain-networks.ts";
import type {
  DeploymentStatus,
  FreezeMode,
  FreezeReason,
  FreezeSource,
  OnchainFreezeStatus,
  WalletStatus,
} from "../../foundation/vocabulary.ts";
import type { AuditActor } from "./audit.ts";
import type {
  ChangingOfMode,
  CreatedOfMode,
  CreatedOfTenant,
  JsonColumn,
  OfTenant,
  Optional,
  Sealed,
  SealedUnder,
} from "./columns.ts";

export interface WalletTables {
  readonly wallets: ChangingOfMode & {
    readonly walletId: WalletId;
    /** A UUID in lowercase. */
    readonly agentId: string;
    readonly network: BlockchainNetwork;
    readonly name: string | null;
    /** With the checksum of EIP-55. */
    readonly address: string;
    readonly accountType: "erc4337_v0.8";
    readonly entryPoint: string;
    readonly factory: string;
    /** The keccak-256 of the account's creation code, in hex. */
    readonly initCodeHash: string;
    readonly salt: string;
    /** The address of the key that signs the account's operations. */
    readonly owner: string;
    readonly recoveryAddress: string | null;
    readonly deploymentStatus: DeploymentStatus;
    readonly deploymentTx: Optional<string | null>;
    readonly status: WalletStatus;
    /** Raised by each freeze. */
    readonly epoch: Optional<number>;
    /** Null unless the wallet is frozen. */
    readonly freezeMode: Optional<FreezeMode | null>;
    readonly freezeSource: Optional<FreezeSource | null>;
    readonly freezeReason: Optional<FreezeReason | null>;
    readonly freezeNote: Optional<string | null>;
    readonly freezeReference: Optional<string | null>;
    readonly frozenBy: Optional<Pick<AuditActor, "type" | "id"> | null>;
    readonly frozenAt: Optional<Date | null>;
    readonly freezeExpiresAt: Optional<Date | null>;
    readonly onchainFreeze: Optional<OnchainFreezeStatus>;
    readonly policyId: Optional<string | null>;
    readonly metadata: Optional<Readonly<Record<string, string>>>;
  };
  readonly walletSignerKeys: OfTenant & {
    readonly walletId: WalletId;
    readonly keySealed: Sealed;
    readonly keySealedUnder: SealedUnder;
  };
  readonly walletFreezes: CreatedOfMode & {
    readonly freezeId: string;
    readonly walletId: WalletId;
    readonly action: "freeze" | "unfreeze";
    /** Of the freeze that was made or lifted. */
    readonly freezeMode: FreezeMode;
    readonly source: FreezeSource;
    /** Null for an unfreezing. */
    readonly reason: Optional<FreezeReason | null>;
    readonly note: Optional<string | null>;
    readonly reference: Optional<string | null>;
    readonly actor: JsonColumn<Pick<AuditActor, "type" | "id">>;
  };
  readonly walletFundings: CreatedOfTenant & {
    readonly fundingId: string;
    readonly walletId: WalletId;
    readonly mode: "test";
    readonly asset: Asset;
    readonly baseUnits: bigint;
    readonly transferId: LedgerTransferId;
  };
}
