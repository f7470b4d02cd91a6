import type { FaultsOfSource } from "../fault.ts";

export const FACTORY_FAULTS: FaultsOfSource = {
  source: "AgentAccountFactory.sol",
  faults: [
    {
      id: "factory-implementation",
      find: "IMPLEMENTATION = implementation;",
      replace: "IMPLEMENTATION = address(this);",
      meaning: "Accounts run the factory's code.",
    },
    {
      id: "factory-existing-reverts",
      find: "        if (exists) return account;\n",
      replace: "",
      meaning: "Deploying an account again fails instead of returning its address.",
    },
    {
      id: "factory-existing-negated",
      find: "if (exists) return account;",
      replace: "if (!exists) return account;",
      meaning: "Anyone can initialize a new account with their own signer.",
    },
    {
      id: "factory-not-initialized",
      find: "        AgentAccount(payable(account)).initialize(signer, recovery);\n",
      replace: "",
      meaning: "Anyone can initialize a new account with their own signer.",
    },
    {
      id: "factory-initialize-order",
      find: "initialize(signer, recovery);",
      replace: "initialize(recovery, signer);",
      meaning: "The signer and the recovery address are swapped.",
    },
    {
      id: "factory-without-recovery",
      find: "initialize(signer, recovery);",
      replace: "initialize(signer, address(0));",
      meaning: "Accounts have no recovery address.",
    },
    {
      id: "factory-without-event",
      find: "        emit AccountCreated(account, signer, recovery, salt);\n",
      replace: "",
      meaning: "A new account emits no event.",
    },
    {
      id: "factory-event-order",
      find: "emit AccountCreated(account, signer, recovery, salt);",
      replace: "emit AccountCreated(account, recovery, signer, salt);",
      meaning: "The event swaps the signer and the recovery address.",
    },
    {
      id: "factory-event-account",
      find: "emit AccountCreated(account, signer, recovery, salt);",
      replace: "emit AccountCreated(IMPLEMENTATION, signer, recovery, salt);",
      meaning: "The event names the implementation instead of the account.",
    },
    {
      id: "factory-event-salt",
      find: "emit AccountCreated(account, signer, recovery, salt);",
      replace: "emit AccountCreated(account, signer, recovery, _saltOf(signer, recovery, salt));",
      meaning: "The event names the hash instead of the salt.",
    },
    {
      id: "factory-raw-salt",
      find: "createDeterministicERC1967(IMPLEMENTATION, _saltOf(signer, recovery, salt))",
      replace: "createDeterministicERC1967(IMPLEMENTATION, salt)",
      meaning: "Anyone can deploy an address with another signer.",
    },
    {
      id: "factory-predicts-raw-salt",
      find: "bytes32 saltOfAccount = _saltOf(signer, recovery, salt);",
      replace: "bytes32 saltOfAccount = salt;",
      meaning: "The predicted address is not the account's.",
    },
    {
      id: "factory-predicts-caller",
      find: "saltOfAccount, address(this))",
      replace: "saltOfAccount, msg.sender)",
      meaning: "The predicted address depends on who asks.",
    },
    {
      id: "factory-salt-without-signer",
      find: "abi.encode(signer, recovery, salt)",
      replace: "abi.encode(recovery, salt)",
      meaning: "Anyone can deploy an address with another signer.",
    },
    {
      id: "factory-salt-without-recovery",
      find: "abi.encode(signer, recovery, salt)",
      replace: "abi.encode(signer, salt)",
      meaning: "Anyone can deploy an address with another recovery address.",
    },
    {
      id: "factory-salt-without-salt",
      find: "abi.encode(signer, recovery, salt)",
      replace: "abi.encode(signer, recovery)",
      meaning: "A signer can have one account only.",
    },
  ],
};
