// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {AgentAccount} from "./AgentAccount.sol";
import {AgentAccountFactory} from "./AgentAccountFactory.sol";
import {IAgentGuardian} from "./interfaces/IAgentGuardian.sol";
import {TokenFunctions} from "./TokenFunctions.sol";
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

    /// @notice May approve implementations and recovery addresses, and remove recovery addresses. An upgrade and a new
    /// recovery address also need the account's signer.
    bytes32 public constant UPGRADER_ROLE = keccak256("UPGRADER_ROLE");

    /// @dev One slot, so that a transfer reads one.
    struct Token {
        uint96 defaultLimit;
        bool isToken;
    }

    mapping(address token => Token) private _tokens;

    /// @inheritdoc IAgentGuardian
    mapping(address account => address recovery) public approvedRecovery;

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

    /// @notice A recovery address was approved for an account, or its approval was withdrawn.
    /// @param account The account.
    /// @param recovery The address that its signer may set. Zero for none.
    event RecoveryApproved(address indexed account, address indexed recovery);

    /// @notice A contract is a token for all accounts from now on.
    /// @param token The contract.
    event TokenAdded(address indexed token);

    /// @notice `freezeBatch` could not freeze an account, because it is not deployed, no account, or reverted.
    /// @param account The account.
    event FreezeFailed(address indexed account);

    /// @notice What the factory returned to `deployAndFreeze` is not frozen. Use the factory of the accounts.
    /// @param account What the factory returned.
    error NotFrozen(address account);

    /// @notice The target is a token, or the function moves tokens or calls other contracts.
    /// @param target The contract to call.
    /// @param selector The function to call.
    error CallNotAllowable(address target, bytes4 selector);

    /// @notice Only a token can have a limit. Add it with `addToken` first.
    /// @param token The contract.
    error NotToken(address token);

    /// @param admin Grants and revokes roles. The roles are not part of the creation code, so that a key that was replaced
    /// has no role in a deployment on another chain.
    /// @param adminDelaySeconds How long a change of the admin waits.
    constructor(address admin, uint48 adminDelaySeconds) AccessControlDefaultAdminRules(adminDelaySeconds, admin) {
        // The native coin.
        _tokens[address(0)].isToken = true;
    }

    /// @notice Freezes an account.
    /// @param account The account. A frozen account starts a new epoch.
    /// @param salt 48 random bits, from which the account makes the salt of its new epoch.
    function freeze(IGuardedAccount account, uint48 salt) external onlyRole(FREEZER_ROLE) {
        account.freeze(salt);
    }

    /// @notice Freezes accounts. An event names each address that is not deployed, is no account or reverts.
    /// @param accounts The accounts.
    /// @param salt 48 random bits, from which each account makes the salt of its new epoch.
    function freezeBatch(IGuardedAccount[] calldata accounts, uint48 salt) external onlyRole(FREEZER_ROLE) {
        for (uint256 i = 0; i < accounts.length; ++i) {
            address account = address(accounts[i]);
            // Much more gas than a freeze takes, and so little that one address cannot stop the batch.
            (bool success, bytes memory result) =
                account.call{gas: 100_000}(abi.encodeCall(IGuardedAccount.freeze, (salt)));
            // An account returns the id of its new epoch. An address without code or another contract does not.
            if (!success || result.length != 32) emit FreezeFailed(account);
        }
    }

    /// @notice Deploys an account and freezes it. If it is already deployed, only freezes it.
    /// @param factory The factory of the account.
    /// @param signer The key that signs operations.
    /// @param recovery The address that may replace a lost signer after a delay. Zero for none.
    /// @param accountSalt Distinguishes accounts of one signer.
    /// @param salt 48 random bits, from which the account makes the salt of its new epoch.
    /// @return account The address of the account.
    function deployAndFreeze(
        AgentAccountFactory factory,
        address signer,
        address recovery,
        bytes32 accountSalt,
        uint48 salt
    ) external onlyRole(FREEZER_ROLE) returns (address account) {
        account = factory.createAccount(signer, recovery, accountSalt);
        IGuardedAccount(account).freeze(salt);
        if (!AgentAccount(payable(account)).frozen()) revert NotFrozen(account);
    }

    /// @notice Deploys an account and sets its rules in one transaction, so that no operation executes in between. If it is
    /// already deployed, only sets the rules.
    /// @param factory The factory of the account.
    /// @param signer The key that signs operations.
    /// @param recovery The address that may replace a lost signer after a delay. Zero for none.
    /// @param accountSalt Distinguishes accounts of one signer.
    /// @param rules Calls of this contract, for example `setLimit`, each with the role that it needs.
    /// @return account The address of the account.
    function deployAndConfigure(
        AgentAccountFactory factory,
        address signer,
        address recovery,
        bytes32 accountSalt,
        bytes[] calldata rules
    ) external onlyRole(POLICY_ROLE) returns (address account) {
        account = factory.createAccount(signer, recovery, accountSalt);
        for (uint256 i = 0; i < rules.length; ++i) {
            Address.functionDelegateCall(address(this), rules[i]);
        }
    }

    /// @notice Stops the recovery of an account.
    /// @param account The account. Nothing changes if no recovery has started.
    function cancelRecovery(IGuardedAccount account) external onlyRole(FREEZER_ROLE) {
        account.cancelRecovery();
    }

    /// @notice Unfreezes an account.
    /// @param account The account. Nothing changes if it is not frozen.
    /// @param frozenId The id of the epoch to end. Reverts if the account has another, because it was frozen again.
    /// @param salt 48 random bits, from which the account makes the salt of its new epoch.
    function unfreeze(IGuardedAccount account, uint80 frozenId, uint48 salt) external onlyRole(UNFREEZER_ROLE) {
        account.unfreeze(frozenId, salt);
    }

    /// @notice Makes a contract a token for all accounts, for ever: it moves only by `transfer`, and none of its functions
    /// can be called, also where one was allowed. Only a token can have a limit.
    /// @param token The ERC-20 token.
    function addToken(address token) external onlyRole(POLICY_ROLE) {
        _tokens[token].isToken = true;
        emit TokenAdded(token);
    }

    /// @notice Sets the limit of all accounts that have no limit of their own.
    /// @param token A token that was added, or zero for the native coin.
    /// @param limit Base units for each UTC day. Zero if the token cannot be spent.
    function setDefaultLimit(address token, uint96 limit) external onlyRole(POLICY_ROLE) {
        _checkToken(token);
        _tokens[token].defaultLimit = limit;
        emit DefaultLimitSet(token, limit);
    }

    /// @notice Sets the limit of one account.
    /// @param account The account.
    /// @param token A token that was added, or zero for the native coin.
    /// @param limit Base units for each UTC day. Zero if the token cannot be spent.
    function setLimit(IGuardedAccount account, address token, uint96 limit) external onlyRole(POLICY_ROLE) {
        _checkToken(token);
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

    /// @notice Allows or removes a function that an account may call. Refuses to allow one of a token, and those of
    /// `TokenFunctions` of any contract.
    /// @param account The account.
    /// @param target The contract to call.
    /// @param selector The function to call.
    /// @param allowed True if the account may call it.
    function setCall(IGuardedAccount account, address target, bytes4 selector, bool allowed)
        external
        onlyRole(POLICY_ROLE)
    {
        if (allowed && (_tokens[target].isToken || TokenFunctions.contains(selector))) {
            revert CallNotAllowable(target, selector);
        }
        account.setCall(target, selector, allowed);
    }

    /// @notice Sets the cosigner of an account's ERC-1271 signatures.
    /// @param account The account.
    /// @param cosigner Zero if the account signs no messages.
    function setCosigner(IGuardedAccount account, address cosigner) external onlyRole(POLICY_ROLE) {
        account.setCosigner(cosigner);
    }

    /// @notice Approves the recovery address that the signer of an account may set.
    /// @param account The account.
    /// @param recovery The address that may replace the signer after a delay. Zero withdraws the approval.
    function approveRecovery(address account, address recovery) external onlyRole(UPGRADER_ROLE) {
        approvedRecovery[account] = recovery;
        emit RecoveryApproved(account, recovery);
    }

    /// @notice Removes the recovery address of an account, and the approval of one.
    /// @param account The account.
    function removeRecovery(IGuardedAccount account) external onlyRole(UPGRADER_ROLE) {
        approvedRecovery[address(account)] = address(0);
        emit RecoveryApproved(address(account), address(0));
        account.removeRecovery();
    }

    /// @notice Approves an implementation for all accounts, or withdraws the approval.
    /// @param implementation The implementation.
    /// @param approved True if accounts may upgrade to it.
    function approveImplementation(address implementation, bool approved) external onlyRole(UPGRADER_ROLE) {
        isApprovedImplementation[implementation] = approved;
        emit ImplementationApproved(implementation, approved);
    }

    /// @inheritdoc IAgentGuardian
    function defaultLimit(address token) external view returns (uint256 limit) {
        return _tokens[token].defaultLimit;
    }

    /// @inheritdoc IAgentGuardian
    function isToken(address target) external view returns (bool) {
        return _tokens[target].isToken;
    }

    function _checkToken(address token) private view {
        if (!_tokens[token].isToken) revert NotToken(token);
    }
}
