import type { FaultsOfSource } from "../fault.ts";

/** Faults in how the guardian sets rules and approves implementations. */
export const GUARDIAN_POLICY_FAULTS: FaultsOfSource = {
  source: "AgentGuardian.sol",
  faults: [
    {
      id: "default-limit-by-anyone",
      find: "setDefaultLimit(address token, uint96 limit) external onlyRole(POLICY_ROLE)",
      replace: "setDefaultLimit(address token, uint96 limit) external",
      meaning: "Anyone can set the limit of all accounts.",
    },
    {
      id: "default-limit-by-admin",
      find: "setDefaultLimit(address token, uint96 limit) external onlyRole(POLICY_ROLE)",
      replace: "setDefaultLimit(address token, uint96 limit) external onlyRole(DEFAULT_ADMIN_ROLE)",
      meaning: "The admin instead of the policy manager sets the limit of all accounts.",
    },
    {
      id: "default-limit-not-stored",
      find: "        _tokens[token].defaultLimit = limit;\n",
      replace: "",
      meaning: "The default limit is always zero.",
    },
    {
      id: "default-limit-only-raised",
      find: "        _tokens[token].defaultLimit = limit;\n",
      replace: "        if (limit > _tokens[token].defaultLimit) _tokens[token].defaultLimit = limit;\n",
      meaning: "The default limit cannot be lowered.",
    },
    {
      id: "default-limit-without-event",
      find: "        emit DefaultLimitSet(token, limit);\n",
      replace: "",
      meaning: "A new default limit emits no event.",
    },
    {
      id: "default-limit-event-argument",
      find: "emit DefaultLimitSet(token, limit);",
      replace: "emit DefaultLimitSet(address(0), limit);",
      meaning: "The event of a new default limit names another token.",
    },
    {
      id: "guardian-limit-by-anyone",
      find: "address token, uint96 limit) external onlyRole(POLICY_ROLE) {\n        _checkToken(token);\n        account.setLimit",
      replace: "address token, uint96 limit) external {\n        _checkToken(token);\n        account.setLimit",
      meaning: "Anyone can set the limit of an account.",
    },
    {
      id: "guardian-limit-by-freezer",
      find: "address token, uint96 limit) external onlyRole(POLICY_ROLE) {\n        _checkToken(token);\n        account.setLimit",
      replace:
        "address token, uint96 limit) external onlyRole(FREEZER_ROLE) {\n        _checkToken(token);\n        account.setLimit",
      meaning: "The freezer instead of the policy manager sets the limit of an account.",
    },
    {
      id: "guardian-limit-of-native-coin",
      find: "account.setLimit(token, limit);",
      replace: "account.setLimit(address(0), limit);",
      meaning: "The limit of the native coin is set instead of the token's.",
    },
    {
      id: "guardian-remove-limit-by-anyone",
      find: "removeLimit(IGuardedAccount account, address token) external onlyRole(POLICY_ROLE)",
      replace: "removeLimit(IGuardedAccount account, address token) external",
      meaning: "Anyone can remove the limit of an account.",
    },
    {
      id: "guardian-remove-limit-by-upgrader",
      find: "removeLimit(IGuardedAccount account, address token) external onlyRole(POLICY_ROLE)",
      replace: "removeLimit(IGuardedAccount account, address token) external onlyRole(UPGRADER_ROLE)",
      meaning: "The upgrader instead of the policy manager removes the limit of an account.",
    },
    {
      id: "guardian-remove-limit-sets-zero",
      find: "account.removeLimit(token);",
      replace: "account.setLimit(token, 0);",
      meaning: "Removing a limit stops the account instead of applying the default.",
    },
    {
      id: "guardian-restrict-by-anyone",
      find: "bool restricted) external onlyRole(POLICY_ROLE)",
      replace: "bool restricted) external",
      meaning: "Anyone can lift the restriction of recipients.",
    },
    {
      id: "guardian-restrict-by-freezer",
      find: "bool restricted) external onlyRole(POLICY_ROLE)",
      replace: "bool restricted) external onlyRole(FREEZER_ROLE)",
      meaning: "The freezer instead of the policy manager restricts recipients.",
    },
    {
      id: "guardian-restrict-negated",
      find: "account.setRecipientsRestricted(restricted);",
      replace: "account.setRecipientsRestricted(!restricted);",
      meaning: "Restricting recipients lifts the restriction.",
    },
    {
      id: "guardian-recipient-by-anyone",
      find: "address recipient, bool allowed) external onlyRole(POLICY_ROLE)",
      replace: "address recipient, bool allowed) external",
      meaning: "Anyone can allow a recipient.",
    },
    {
      id: "guardian-recipient-by-unfreezer",
      find: "address recipient, bool allowed) external onlyRole(POLICY_ROLE)",
      replace: "address recipient, bool allowed) external onlyRole(UNFREEZER_ROLE)",
      meaning: "The unfreezer instead of the policy manager allows recipients.",
    },
    {
      id: "guardian-recipient-forever",
      find: "account.setRecipient(recipient, allowed);",
      replace: "account.setRecipient(recipient, true);",
      meaning: "A recipient cannot be removed.",
    },
    {
      id: "guardian-call-by-anyone",
      find: "        external\n        onlyRole(POLICY_ROLE)\n",
      replace: "        external\n",
      meaning: "Anyone can allow a call.",
    },
    {
      id: "guardian-call-by-upgrader",
      find: "        external\n        onlyRole(POLICY_ROLE)\n",
      replace: "        external\n        onlyRole(UPGRADER_ROLE)\n",
      meaning: "The upgrader instead of the policy manager allows calls.",
    },
    {
      id: "guardian-call-forever",
      find: "account.setCall(target, selector, allowed)",
      replace: "account.setCall(target, selector, true)",
      meaning: "An allowed call cannot be removed.",
    },
    {
      id: "guardian-cosigner-by-anyone",
      find: "address cosigner) external onlyRole(POLICY_ROLE)",
      replace: "address cosigner) external",
      meaning: "Anyone can set the cosigner of an account.",
    },
    {
      id: "guardian-cosigner-by-freezer",
      find: "address cosigner) external onlyRole(POLICY_ROLE)",
      replace: "address cosigner) external onlyRole(FREEZER_ROLE)",
      meaning: "The freezer instead of the policy manager sets cosigners.",
    },
    {
      id: "guardian-cosigner-is-caller",
      find: "account.setCosigner(cosigner);",
      replace: "account.setCosigner(msg.sender);",
      meaning: "The policy manager becomes the cosigner.",
    },
    {
      id: "guardian-remove-recovery-by-anyone",
      find: "removeRecovery(IGuardedAccount account) external onlyRole(UPGRADER_ROLE)",
      replace: "removeRecovery(IGuardedAccount account) external",
      meaning: "Anyone can remove the recovery address of an account.",
    },
    {
      id: "guardian-remove-recovery-by-policy",
      find: "removeRecovery(IGuardedAccount account) external onlyRole(UPGRADER_ROLE)",
      replace: "removeRecovery(IGuardedAccount account) external onlyRole(POLICY_ROLE)",
      meaning: "The policy manager instead of the upgrader removes recovery addresses.",
    },
    {
      id: "guardian-remove-recovery-nothing",
      find: "        account.removeRecovery();\n",
      replace: "",
      meaning: "Removing a recovery address succeeds without effect.",
    },
    {
      id: "guardian-remove-recovery-cancels",
      find: "account.removeRecovery();",
      replace: "account.cancelRecovery();",
      meaning: "Removing a recovery address only stops its recovery.",
    },
    {
      id: "approve-by-anyone",
      find: "bool approved) external onlyRole(UPGRADER_ROLE)",
      replace: "bool approved) external",
      meaning: "Anyone can approve an implementation.",
    },
    {
      id: "approve-by-policy",
      find: "bool approved) external onlyRole(UPGRADER_ROLE)",
      replace: "bool approved) external onlyRole(POLICY_ROLE)",
      meaning: "The policy manager instead of the upgrader approves implementations.",
    },
    {
      id: "approve-not-stored",
      find: "        isApprovedImplementation[implementation] = approved;\n",
      replace: "",
      meaning: "No implementation can be approved.",
    },
    {
      id: "approve-forever",
      find: "isApprovedImplementation[implementation] = approved;",
      replace: "isApprovedImplementation[implementation] = true;",
      meaning: "An approval cannot be withdrawn.",
    },
    {
      id: "approve-without-event",
      find: "        emit ImplementationApproved(implementation, approved);\n",
      replace: "",
      meaning: "An approval emits no event.",
    },
    {
      id: "approve-event-argument",
      find: "emit ImplementationApproved(implementation, approved);",
      replace: "emit ImplementationApproved(implementation, true);",
      meaning: "The event of a withdrawal says that the implementation is approved.",
    },
    {
      id: "default-limit-no-token",
      find: "        _checkToken(token);\n        _tokens",
      replace: "        _tokens",
      meaning: "A contract whose functions are allowed gets a default limit.",
    },
    {
      id: "own-limit-no-token",
      find: "        _checkToken(token);\n        account.",
      replace: "        account.",
      meaning: "A contract whose functions are allowed gets a limit.",
    },
    {
      id: "token-not-stored",
      find: "        _tokens[token].isToken = true;\n",
      replace: "",
      meaning: "No contract becomes a token.",
    },
    {
      id: "call-of-token",
      find: "_tokens[target].isToken || TokenFunctions",
      replace: "TokenFunctions",
      meaning: "A call of a token, such as `burn`, can be allowed.",
    },
    {
      id: "call-of-token-function",
      find: "_tokens[target].isToken || TokenFunctions.contains(selector)",
      replace: "_tokens[target].isToken",
      meaning: "An allowance can be allowed.",
    },
    {
      id: "call-removal-refused",
      find: "allowed && (_tokens",
      replace: "(_tokens",
      meaning: "A call that was allowed before cannot be removed.",
    },
    {
      id: "token-by-anyone",
      find: "addToken(address token) external onlyRole(POLICY_ROLE)",
      replace: "addToken(address token) external",
      meaning: "Anyone ends the calls of a contract.",
    },
  ],
};

/** Faults in the list of functions that no account may be allowed to call. */
export const TOKEN_FUNCTION_FAULTS: FaultsOfSource = {
  source: "TokenFunctions.sol",
  faults: [
    {
      id: "token-functions-skip-first",
      find: "uint256 i = 0;",
      replace: "uint256 i = 4;",
      meaning: "`transfer` can be allowed.",
    },
    {
      id: "token-functions-every-second",
      find: "i += 4",
      replace: "i += 8",
      meaning: "Every second function of the list can be allowed.",
    },
    {
      id: "token-functions-permit2-missing",
      find: '        hex"87517c452b67b5702a2d80d136c785160d58b1db30f28b7aedd9444b",\n',
      replace: "",
      meaning: "The functions of Permit2 can be allowed.",
    },
  ],
};
