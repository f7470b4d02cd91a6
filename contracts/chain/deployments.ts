import type { Address } from "viem";

/** The admin, the delay and the paymaster's addresses determine the addresses of the contracts. The roles do not. */
export interface Deployment {
  /** Grants the four roles. Handing this role over takes `adminDelaySeconds`. Outside `local`, a contract. */
  readonly admin: Address;
  readonly adminDelaySeconds: number;
  readonly freezer: Address;
  readonly unfreezer: Address;
  readonly policyManager: Address;
  readonly upgrader: Address;
  readonly paymasterSigner: Address;
  readonly paymasterOwner: Address;
}

/**
 * Every deployment, by name. The addresses of a deployment are the same on every chain. After a change, run
 * `npm run contracts -- --update`, which writes the addresses to `contracts/abi/addresses.ts`.
 */
export const DEPLOYMENTS = {
  /** The accounts of anvil, whose keys are public. */
  local: {
    admin: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    adminDelaySeconds: 0,
    freezer: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    unfreezer: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
    policyManager: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
    upgrader: "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
    paymasterSigner: "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
    paymasterOwner: "0x976EA74026E726554dB657fA54763abd0C3a0aa9",
  },
} as const satisfies Readonly<Record<string, Deployment>>;

export type DeploymentName = keyof typeof DEPLOYMENTS;
