// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The functions of an account that only its guardian may call
interface IGuardedAccount {
    /// @notice The account was frozen.
    /// @param epochId The id of the new epoch. Nothing that was signed in an earlier epoch is valid again.
    event Frozen(uint80 epochId);

    /// @notice The account was unfrozen.
    /// @param epochId The id of the new epoch. Nothing that was signed while the account was frozen is valid.
    event Unfrozen(uint80 epochId);

    /// @notice The account's own limit of a token was set.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @param limit Base units for each UTC day.
    event LimitSet(address indexed token, uint256 limit);

    /// @notice The account's own limit of a token was removed. The guardian's default applies.
    /// @param token The ERC-20 token, or zero for the native coin.
    event LimitRemoved(address indexed token);

    /// @notice Whether the account may pay only allowed recipients was set.
    /// @param restricted True if only allowed recipients can be paid.
    event RecipientsRestricted(bool restricted);

    /// @notice A recipient was allowed or removed.
    /// @param recipient The address that receives tokens or the native coin.
    /// @param allowed True if the recipient can be paid while recipients are restricted.
    event RecipientSet(address indexed recipient, bool allowed);

    /// @notice A call was allowed or removed.
    /// @param target The contract that is called.
    /// @param selector The function that is called.
    /// @param allowed True if the account may call it.
    event CallSet(address indexed target, bytes4 indexed selector, bool allowed);

    /// @notice The cosigner of ERC-1271 signatures was set.
    /// @param cosigner Zero if the account signs no messages.
    event CosignerSet(address indexed cosigner);

    /// @notice A recovery was stopped.
    event RecoveryCanceled();

    /// @notice The account has no recovery address any more.
    event RecoveryRemoved();

    /// @notice The caller is not the guardian.
    error OnlyGuardian();

    /// @notice Refuses every operation and every signature from now on, and ends everything that was signed before,
    /// even after the account is unfrozen. A frozen account starts a new epoch, so that an `unfreeze` that was sent
    /// before does not lift this freeze.
    /// @param salt 48 random bits, from which the account makes the salt of the new epoch.
    /// @return epochId The id of the new epoch.
    function freeze(uint48 salt) external returns (uint80 epochId);

    /// @notice Accepts operations and signatures of the new epoch again. Does nothing if the account is not frozen.
    /// @param frozenId The id of the epoch to end. Reverts if the account has another.
    /// @param salt 48 random bits, from which the account makes the salt of the new epoch.
    function unfreeze(uint80 frozenId, uint48 salt) external;

    /// @notice Sets what the account may spend of a token in a UTC day, instead of the guardian's default.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @param limit In base units. Zero if the token cannot be spent.
    function setLimit(address token, uint96 limit) external;

    /// @notice Removes the account's own limit, so that the guardian's default applies.
    /// @param token The ERC-20 token, or zero for the native coin.
    function removeLimit(address token) external;

    /// @notice Sets whether the account may pay only allowed recipients.
    /// @param restricted True if only allowed recipients can be paid.
    function setRecipientsRestricted(bool restricted) external;

    /// @notice Allows or removes a recipient.
    /// @param recipient The address that receives tokens or the native coin.
    /// @param allowed True if the recipient can be paid while recipients are restricted.
    function setRecipient(address recipient, bool allowed) external;

    /// @notice Allows or removes a function of a contract.
    /// @param target The contract to call.
    /// @param selector The function to call.
    /// @param allowed True if the account may call it.
    function setCall(address target, bytes4 selector, bool allowed) external;

    /// @notice Sets the address that must sign each ERC-1271 signature in addition to the signer. The limits do not
    /// apply to what a signature allows, so the cosigner must check it. Reverts for the signer itself.
    /// @param cosigner Zero if the account signs no messages, as at first.
    function setCosigner(address cosigner) external;

    /// @notice Stops the recovery that has started, if any.
    function cancelRecovery() external;

    /// @notice Removes the recovery address and stops the recovery that has started. The signer may then set another.
    function removeRecovery() external;
}
