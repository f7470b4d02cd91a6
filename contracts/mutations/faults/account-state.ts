import type { FaultsOfSource } from "../fault.ts";

/** Faults in the identity and the upgrades of an account, in what it shows, and in the functions that others share. */
export const ACCOUNT_STATE_FAULTS: FaultsOfSource = {
  source: "AgentAccount.sol",
  faults: [
    {
      id: "upgrade-by-anyone",
      find: "upgrade(uint80 epochId_, address implementation) external onlyOperation(epochId_)",
      replace: "upgrade(uint80 epochId_, address implementation) external",
      meaning: "Anyone can upgrade an account to an approved implementation.",
    },
    {
      id: "upgrade-by-guardian",
      find: "upgrade(uint80 epochId_, address implementation) external onlyOperation(epochId_)",
      replace: "upgrade(uint80 epochId_, address implementation) external onlyGuardian",
      meaning: "An upgrade needs the guardian instead of the signer.",
    },
    {
      id: "upgrade-unapproved",
      find: "        if (!GUARDIAN.isApprovedImplementation(implementation)) revert UpgradeDenied(implementation);\n",
      replace: "",
      meaning: "A stolen signer can replace the account's code.",
    },
    {
      id: "upgrade-approval-negated",
      find: "if (!GUARDIAN.isApproved",
      replace: "if (GUARDIAN.isApproved",
      meaning: "Only implementations without an approval are accepted.",
    },
    {
      id: "upgrade-denied-argument",
      find: "if (!GUARDIAN.isApprovedImplementation(implementation)) revert UpgradeDenied(implementation);",
      replace: "if (!GUARDIAN.isApprovedImplementation(implementation)) revert UpgradeDenied(address(this));",
      meaning: "The error names the account instead of the implementation.",
    },
    {
      id: "upgrade-with-data",
      find: "        revert UpgradeDenied(implementation);\n    }\n\n    /// @inheritdoc Account",
      replace: '        super.upgradeToAndCall(implementation, "");\n    }\n\n    /// @inheritdoc Account',
      meaning: "Anyone upgrades the account to an approved implementation.",
    },
    {
      id: "upgrade-nothing",
      find: '        super.upgradeToAndCall(implementation, "");\n',
      replace: "",
      meaning: "An upgrade succeeds without effect.",
    },
    {
      id: "account-domain-name",
      find: "Purser AgentAccount",
      replace: "Purser Account",
      meaning: "The account's EIP-712 domain has another name.",
    },
    {
      id: "account-domain-version",
      find: 'EIP712("Purser AgentAccount", "1")',
      replace: 'EIP712("Purser AgentAccount", "2")',
      meaning: "The account's EIP-712 domain has another version.",
    },
    {
      id: "account-entry-point-09",
      find: "ENTRYPOINT_V08",
      replace: "ENTRYPOINT_V09",
      meaning: "The account obeys EntryPoint 0.9.",
    },
    {
      id: "account-entry-point-07",
      find: "ENTRYPOINT_V08",
      replace: "ENTRYPOINT_V07",
      meaning: "The account obeys EntryPoint 0.7.",
    },
    {
      id: "view-signer",
      find: "return AccountStorage.load().signer;",
      replace: "return AccountStorage.load().cosigner;",
      meaning: "The account shows its cosigner as its signer.",
    },
    {
      id: "view-frozen",
      find: "return AccountStorage.load().frozen;",
      replace: "return !AccountStorage.load().frozen;",
      meaning: "The account shows the opposite of its freeze.",
    },
    {
      id: "view-epoch",
      find: "return uint32(AccountStorage.load().epochId >> 48);",
      replace: "return AccountStorage.load().frozen ? 1 : 0;",
      meaning: "The account shows a wrong epoch, and operations are signed for it.",
    },
    {
      id: "view-cosigner",
      find: "return AccountStorage.load().cosigner;",
      replace: "return AccountStorage.load().signer;",
      meaning: "The account shows its signer as its cosigner.",
    },
    {
      id: "view-recovery-order",
      find: "return ($.recovery, $.pendingSigner, $.recoverableAt);",
      replace: "return ($.pendingSigner, $.recovery, $.recoverableAt);",
      meaning: "The account swaps its recovery address and the new signer.",
    },
    {
      id: "view-recovery-time",
      find: "return ($.recovery, $.pendingSigner, $.recoverableAt);",
      replace: "return ($.recovery, $.pendingSigner, 0);",
      meaning: "The account does not show that a recovery has started.",
    },
    {
      id: "view-nonce-epoch",
      find: "getNonce(uint192(epoch()) << 160)",
      replace: "getNonce(uint192(0))",
      meaning: "The account shows a nonce of the first epoch.",
    },
    {
      id: "view-nonce-shift",
      find: "getNonce(uint192(epoch()) << 160)",
      replace: "getNonce(uint192(epoch()) << 128)",
      meaning: "The account shows a nonce with the epoch in other bits.",
    },
    {
      id: "signed-by-failure-ignored",
      find: "failure == ECDSA.RecoverError.NoError && recovered == key",
      replace: "failure != ECDSA.RecoverError.InvalidSignatureS && recovered == key",
      meaning: "A malformed signature passes as one of the zero address.",
      equivalentBecause:
        "A failed recovery returns the zero address, which is never a signer, has no session and is refused as a cosigner.",
    },
    {
      id: "signed-by-anyone",
      find: " && recovered == key;",
      replace: ";",
      meaning: "Every well-formed signature is valid.",
    },
    {
      id: "signed-by-all-others",
      find: "recovered == key;",
      replace: "recovered != key;",
      meaning: "The signature of anyone but the key is valid.",
    },
    {
      id: "set-signer-zero",
      find: "newSigner == address(0) || newSigner == $.cosigner",
      replace: "newSigner == $.cosigner && newSigner != address(0)",
      meaning: "An account can lose its signer, and then anyone can take it over.",
    },
    {
      id: "set-signer-not-stored",
      find: "        $.signer = newSigner;\n",
      replace: "",
      meaning: "The old signer stays.",
    },
    {
      id: "set-signer-keeps-epoch",
      find: "emit SignerChanged(newSigner, _startEpoch(uint160(newSigner)));",
      replace: "emit SignerChanged(newSigner, AccountStorage.load().epochId);",
      meaning: "A new signer does not end the sessions of the old one.",
    },
    {
      id: "set-signer-event-epoch",
      find: "emit SignerChanged(newSigner, _startEpoch(uint160(newSigner)));",
      replace:
        "emit SignerChanged(newSigner, AccountStorage.load().epochId);\n        _startEpoch(uint160(newSigner));",
      meaning: "The event of a new signer names the old epoch.",
    },
    {
      id: "set-signer-event-signer",
      find: "emit SignerChanged(newSigner,",
      replace: "emit SignerChanged(msg.sender,",
      meaning: "The event of a new signer names another address.",
    },
    {
      id: "set-signer-without-event",
      find: "emit SignerChanged(newSigner, _startEpoch(uint160(newSigner)));",
      replace: "_startEpoch(uint160(newSigner));",
      meaning: "A new signer emits no event.",
    },
    {
      id: "set-signer-unfreezes",
      find: "        $.signer = newSigner;\n",
      replace: "        $.signer = newSigner;\n        $.frozen = false;\n",
      meaning: "A recovery unfreezes the account.",
    },
    {
      id: "clear-recovery-keeps-signer",
      find: "        $.pendingSigner = address(0);\n",
      replace: "",
      meaning: "The account shows the new signer of a recovery that has ended.",
    },
    {
      id: "clear-recovery-keeps-time",
      find: "        $.recoverableAt = 0;\n",
      replace: "",
      meaning: "The account shows a recovery that has ended.",
    },
    {
      id: "clear-recovery-address",
      find: "        $.pendingSigner = address(0);\n",
      replace: "        $.pendingSigner = address(0);\n        $.recovery = address(0);\n",
      meaning: "An account can be recovered only once, and a canceled recovery ends that too.",
    },
    {
      id: "epoch-without-salt",
      find: " | uint48(uint256(mixed));",
      replace: ";",
      meaning: "What is signed today for a later epoch executes after a freeze and an unfreeze.",
    },
    {
      id: "epoch-keeps-salt",
      find: "uint48(uint256(mixed))",
      replace: "uint48($.epochId)",
      meaning: "The salt of the first epoch serves for all later ones.",
    },
    {
      id: "epoch-salt-of-caller",
      find: "keccak256(abi.encode($.epochId, blockhash(block.number - 1), salt))",
      replace: "bytes32(salt)",
      meaning: "A freezer who always chooses the same salt lets a thief sign for later epochs.",
    },
    {
      id: "epoch-salt-without-block",
      find: "blockhash(block.number - 1), salt",
      replace: "bytes32(0), salt",
      meaning: "The salt of an epoch is known as soon as the choice of the freezer is.",
    },
    {
      id: "epoch-salt-without-choice",
      find: "blockhash(block.number - 1), salt",
      replace: "blockhash(block.number - 1), uint256(0)",
      meaning: "Who makes a block knows the salts of the epochs that start in the next one.",
    },
    {
      id: "epoch-number-kept",
      find: "(($.epochId >> 48) + 1) << 48",
      replace: "($.epochId >> 48) << 48",
      meaning: "Nonces of an earlier epoch are valid again.",
    },
    {
      id: "epoch-not-stored",
      find: "        $.epochId = id;\n",
      replace: "",
      meaning: "A freeze shows a new epoch that the account does not have.",
    },
    {
      id: "unfreeze-any-epoch",
      find: "        if (frozenId != $.epochId) revert StaleEpoch(frozenId, $.epochId);\n",
      replace: "",
      meaning: "An unfreeze that is mined late lifts a later freeze.",
    },
    {
      id: "unfreeze-lifts-restriction",
      find: "        $.frozen = false;\n",
      replace: "        $.frozen = false;\n        $.recipientsRestricted = false;\n",
      meaning: "An unfrozen account may pay everyone.",
    },
    {
      id: "freeze-stops-recovery",
      find: "        emit Frozen(id);\n",
      replace: "        _clearRecovery();\n        emit Frozen(id);\n",
      meaning: "A freeze stops the recovery from the thief.",
    },
    {
      id: "cosigner-unfreezes",
      find: "        $.cosigner = cosigner_;\n",
      replace: "        $.cosigner = cosigner_;\n        $.frozen = false;\n",
      meaning: "To set the cosigner unfreezes the account.",
    },
  ],
};

export const STORAGE_FAULTS: FaultsOfSource = {
  source: "AccountStorage.sol",
  faults: [
    {
      id: "storage-slot-zero",
      find: "$.slot := SLOT",
      replace: "$.slot := 0",
      meaning: "The state lies where the state of a library may lie after an upgrade.",
    },
    {
      id: "storage-slot-last-byte",
      find: "66bea112f00;",
      replace: "66bea112f01;",
      meaning: "The state does not lie at the slot of its namespace.",
    },
  ],
};
