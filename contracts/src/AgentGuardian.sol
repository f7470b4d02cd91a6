// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {AgentAccountFactory} from "./AgentAccountFactory.sol";
import {IAgentGuardian} from "./interfaces/IAgentGuardian.sol";
import {IGuardedAccount} from "./interfaces/IGuardedAccount.sol";

/// @title Freezes accounts and sets their rules
/// @notice Each power has its own role, so that the key that freezes in an emergency can do nothing else. No role can
/// move an account's tokens or sign for it. The admin grants roles, also to itself; a new admin waits for a delay.
/// `multicall` makes several calls of the caller's roles in one transaction.
contract AgentGuardian is AccessControlDefaultAdminRules, Multicall, IAgentGuardian {
    /// @notice May freeze accounts and stop recoveries.
    bytes32 public constant FREEZER_ROLE = keccak256("FREEZER_ROLE");

    /// @notice May unfreeze accounts.
    bytes32 public constant UNFREEZER_ROLE = keccak256("UNFREEZER_ROLE");

    /// @notice May change what accounts can spend, whom they can pay and what they can call.
    bytes32 public constant POLICY_ROLE = keccak256("POLICY_ROLE");

    /// @notice May approve implementations and remove recovery addresses. An upgrade and a new recovery address also
    /// need the account's signer.
    bytes32 public constant UPGRADER_ROLE = keccak256("UPGRADER_ROLE");

    /// @inheritdoc IAgentGuardian
    mapping(address token => uint256 limit) public defaultLimit;

    /// @inheritdoc IAgentGuardian
    mapping(address implementation => bool approved) public isApprovedImplementation;

    /// @notice The default limit of a token was set.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @param limit Base units for each UTC day.
    event DefaultLimitSet(address indexed token, uint256 limit);

    /// @notice An implementation was approved, or its approval was withdrawn.
    /// @param implementation The implementation.
    /// @param approved True if accounts may upgrade to it.
    event ImplementationApproved(address indexed implementation, bool approved);

    /// @param admin Grants and revokes roles.
    /// @param adminDelaySeconds How long a change of the admin waits.
    /// @param freezer Has the role FREEZER_ROLE.
    /// @param unfreezer Has the role UNFREEZER_ROLE.
    /// @param policyManager Has the role POLICY_ROLE.
    /// @param upgrader Has the role UPGRADER_ROLE.
    constructor(
        address admin,
        uint48 adminDelaySeconds,
        address freezer,
        address unfreezer,
        address policyManager,
        address upgrader
    ) AccessControlDefaultAdminRules(adminDelaySeconds, admin) {
        _grantRole(FREEZER_ROLE, freezer);
        _grantRole(UNFREEZER_ROLE, unfreezer);
        _grantRole(POLICY_ROLE, policyManager);
        _grantRole(UPGRADER_ROLE, upgrader);
    }

    /// @notice Freezes an account.
    /// @param account The account. Nothing changes if it is frozen.
    function freeze(IGuardedAccount account) external onlyRole(FREEZER_ROLE) {
        account.freeze();
    }

    /// @notice Freezes accounts. All or none: reverts if one of them is not deployed.
    /// @param accounts The accounts. Nothing changes for those that are frozen.
    function freezeBatch(IGuardedAccount[] calldata accounts) external onlyRole(FREEZER_ROLE) {
        for (uint256 i = 0; i < accounts.length; ++i) {
            accounts[i].freeze();
        }
    }

    /// @notice Deploys an account and freezes it. If it is already deployed, only freezes it.
    /// @param factory The factory of the account.
    /// @param signer The key that signs operations.
    /// @param recovery The address that may replace a lost signer after a delay. Zero for none.
    /// @param salt Distinguishes accounts of one signer.
    /// @return account The address of the account.
    function deployAndFreeze(AgentAccountFactory factory, address signer, address recovery, bytes32 salt)
        external
        onlyRole(FREEZER_ROLE)
        returns (address account)
    {
        account = factory.createAccount(signer, recovery, salt);
        IGuardedAccount(account).freeze();
    }

    /// @notice Stops the recovery of an account.
    /// @param account The account. Nothing changes if no recovery has started.
    function cancelRecovery(IGuardedAccount account) external onlyRole(FREEZER_ROLE) {
        account.cancelRecovery();
    }

    /// @notice Unfreezes an account.
    /// @param account The account. Nothing changes if it is not frozen.
    function unfreeze(IGuardedAccount account) external onlyRole(UNFREEZER_ROLE) {
        account.unfreeze();
    }

    /// @notice Sets the limit of all accounts that have no limit of their own.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @param limit Base units for each UTC day. Zero if the token cannot be spent.
    function setDefaultLimit(address token, uint96 limit) external onlyRole(POLICY_ROLE) {
        defaultLimit[token] = limit;
        emit DefaultLimitSet(token, limit);
    }

    /// @notice Sets the limit of one account.
    /// @param account The account.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @param limit Base units for each UTC day. Zero if the token cannot be spent.
    function setLimit(IGuardedAccount account, address token, uint96 limit) external onlyRole(POLICY_ROLE) {
        account.setLimit(token, limit);
    }

    /// @notice Removes the limit of one account, so that the default applies.
    /// @param account The account.
    /// @param token The ERC-20 token, or zero for the native coin.
    function removeLimit(IGuardedAccount account, address token) external onlyRole(POLICY_ROLE) {
        account.removeLimit(token);
    }

    /// @notice Sets whether an account may pay only allowed recipients.
    /// @param account The account.
    /// @param restricted True if only allowed recipients can be paid.
    function setRecipientsRestricted(IGuardedAccount account, bool restricted) external onlyRole(POLICY_ROLE) {
        account.setRecipientsRestricted(restricted);
    }

    /// @notice Allows or removes a recipient of an account.
    /// @param account The account.
    /// @param recipient The address that receives tokens or the native coin.
    /// @param allowed True if the recipient can be paid while recipients are restricted.
    function setRecipient(IGuardedAccount account, address recipient, bool allowed) external onlyRole(POLICY_ROLE) {
        account.setRecipient(recipient, allowed);
    }

    /// @notice Allows or removes a function that an account may call.
    /// @param account The account.
    /// @param target The contract to call.
    /// @param selector The function to call.
    /// @param allowed True if the account may call it.
    function setCall(IGuardedAccount account, address target, bytes4 selector, bool allowed)
        external
        onlyRole(POLICY_ROLE)
    {
        account.setCall(target, selector, allowed);
    }

    /// @notice Sets the cosigner of an account's ERC-1271 signatures.
    /// @param account The account.
    /// @param cosigner Zero if the account signs no messages.
    function setCosigner(IGuardedAccount account, address cosigner) external onlyRole(POLICY_ROLE) {
        account.setCosigner(cosigner);
    }

    /// @notice Removes the recovery address of an account.
    /// @param account The account.
    function removeRecovery(IGuardedAccount account) external onlyRole(UPGRADER_ROLE) {
        account.removeRecovery();
    }

    /// @notice Approves an implementation for all accounts, or withdraws the approval.
    /// @param implementation The implementation.
    /// @param approved True if accounts may upgrade to it.
    function approveImplementation(address implementation, bool approved) external onlyRole(UPGRADER_ROLE) {
        isApprovedImplementation[implementation] = approved;
        emit ImplementationApproved(implementation, approved);
    }
}
