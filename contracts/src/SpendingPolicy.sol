// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {AccountStorage} from "./AccountStorage.sol";
import {IAgentGuardian} from "./interfaces/IAgentGuardian.sol";
import {IGuardedAccount} from "./interfaces/IGuardedAccount.sol";

/// @title What an account may call, and how much it may spend
/// @notice Denies by default. An account can transfer a token that has a limit, within that limit for each UTC day, and
/// call a function that the guardian has allowed. Only the guardian changes the rules.
abstract contract SpendingPolicy is IGuardedAccount {
    using SafeERC20 for IERC20;

    /// @notice The only caller that may freeze the account and change its rules.
    IAgentGuardian public immutable GUARDIAN;

    /// @dev Stands for the native coin where a token is named.
    address internal constant NATIVE_COIN = address(0);

    /// @notice A transfer would exceed the limit of the token for this UTC day.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @param amount What was to be transferred, in base units.
    /// @param remaining What can be transferred today, in base units.
    error LimitExceeded(address token, uint256 amount, uint256 remaining);

    /// @notice Recipients are restricted, and this one is not allowed.
    /// @param recipient The address that was to be paid.
    error RecipientDenied(address recipient);

    /// @notice The call is neither a transfer nor allowed.
    /// @param target The contract that was to be called.
    /// @param selector The function that was to be called.
    error CallDenied(address target, bytes4 selector);

    modifier onlyGuardian() {
        if (msg.sender != address(GUARDIAN)) revert OnlyGuardian();
        _;
    }

    /// @param guardian The contract that guards the account.
    constructor(IAgentGuardian guardian) {
        GUARDIAN = guardian;
    }

    /// @inheritdoc IGuardedAccount
    function setLimit(address token, uint96 limit) external onlyGuardian {
        AccountStorage.Spending storage spending = AccountStorage.load().spendings[token];
        spending.limit = limit;
        spending.hasLimit = true;
        emit LimitSet(token, limit);
    }

    /// @inheritdoc IGuardedAccount
    function removeLimit(address token) external onlyGuardian {
        AccountStorage.load().spendings[token].hasLimit = false;
        emit LimitRemoved(token);
    }

    /// @inheritdoc IGuardedAccount
    function setRecipientsRestricted(bool restricted) external onlyGuardian {
        AccountStorage.load().recipientsRestricted = restricted;
        emit RecipientsRestricted(restricted);
    }

    /// @inheritdoc IGuardedAccount
    function setRecipient(address recipient, bool allowed) external onlyGuardian {
        AccountStorage.load().recipients[recipient] = allowed;
        emit RecipientSet(recipient, allowed);
    }

    /// @inheritdoc IGuardedAccount
    function setCall(address target, bytes4 selector, bool allowed) external onlyGuardian {
        AccountStorage.load().calls[target][selector] = allowed;
        emit CallSet(target, selector, allowed);
    }

    /// @notice Returns the limit of a token, and what was spent today.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @return limit Base units for each UTC day. Zero if the token cannot be spent.
    /// @return spent Base units spent on the current UTC day.
    function limitOf(address token) external view returns (uint256 limit, uint256 spent) {
        AccountStorage.Spending storage spending = AccountStorage.load().spendings[token];
        limit = spending.hasLimit ? spending.limit : GUARDIAN.defaultLimit(token);
        spent = spending.day == _today() ? spending.spent : 0;
    }

    /// @notice Returns whether the account may pay only allowed recipients.
    /// @return restricted True if only allowed recipients can be paid.
    function recipientsRestricted() external view returns (bool restricted) {
        return AccountStorage.load().recipientsRestricted;
    }

    /// @notice Returns whether a recipient can be paid while recipients are restricted.
    /// @param recipient The address that receives tokens or the native coin.
    /// @return allowed True if the guardian has allowed the recipient.
    function isAllowedRecipient(address recipient) external view returns (bool allowed) {
        return AccountStorage.load().recipients[recipient];
    }

    /// @notice Returns whether the guardian has allowed a call.
    /// @param target The contract to call.
    /// @param selector The function to call.
    /// @return allowed True if the account may call it, unless the target has become a token.
    function isAllowedCall(address target, bytes4 selector) external view returns (bool allowed) {
        return AccountStorage.load().calls[target][selector];
    }

    /// @dev Makes a call of the signer if the rules allow it. Reverts as the target does.
    function _call(address target, uint256 value, bytes calldata data) internal {
        if (data.length == 0) return _transfer(NATIVE_COIN, target, value);
        bytes4 selector = bytes4(data);
        if (selector == IERC20.transfer.selector && data.length == 68 && value == 0 && target != NATIVE_COIN) {
            (address recipient, uint256 amount) = abi.decode(data[4:], (address, uint256));
            return _transfer(target, recipient, amount);
        }
        if (data.length < 4 || !AccountStorage.load().calls[target][selector]) revert CallDenied(target, selector);
        // Another function of a token could move it past its limit, for example `burn`.
        if (GUARDIAN.isToken(target)) revert CallDenied(target, selector);
        if (value != 0) _spend(NATIVE_COIN, target, value);
        Address.functionCallWithValue(target, data, value);
    }

    /// @dev Transfers a token or the native coin within its limit.
    function _transfer(address token, address recipient, uint256 amount) internal {
        _spend(token, recipient, amount);
        if (token != NATIVE_COIN) return IERC20(token).safeTransfer(recipient, amount);
        // The native coin calls the recipient, which a token could take for one of its functions.
        if (GUARDIAN.isToken(recipient)) revert CallDenied(recipient, 0);
        Address.sendValue(payable(recipient), amount);
    }

    /// @dev Reverts if recipients are restricted and this one is not allowed.
    function _checkRecipient(address recipient) internal view {
        AccountStorage.State storage $ = AccountStorage.load();
        if ($.recipientsRestricted && !$.recipients[recipient]) revert RecipientDenied(recipient);
    }

    /// @dev Checks the recipient, and counts an amount in today's limit. A token without a limit is refused even for an
    /// amount of zero, because its address can be any contract.
    function _spend(address token, address recipient, uint256 amount) private {
        _checkRecipient(recipient);
        AccountStorage.Spending storage spending = AccountStorage.load().spendings[token];
        // Reads the slot once, before the call of the guardian, and writes it once.
        bool hasLimit = spending.hasLimit;
        uint96 ownLimit = spending.limit;
        uint32 today = _today();
        uint256 spent = spending.day == today ? spending.spent : 0;
        uint256 limit = hasLimit ? ownLimit : GUARDIAN.defaultLimit(token);
        uint256 remaining = limit > spent ? limit - spent : 0;
        if (limit == 0 || amount > remaining) revert LimitExceeded(token, amount, remaining);
        // Fits, because the sum is at most the limit, which has 96 bits.
        (spending.spent, spending.day) = (uint96(spent + amount), today);
    }

    function _today() private view returns (uint32) {
        return uint32(block.timestamp / 1 days);
    }
}
