// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title What an account asks its guardian
interface IAgentGuardian {
    /// @notice Returns what an account without its own limit may spend of a token in a UTC day.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @return limit In base units of the token. Zero if the token cannot be spent.
    function defaultLimit(address token) external view returns (uint256 limit);

    /// @notice Returns whether a contract is a token, which accounts move only by `transfer`.
    /// @param target The contract, or zero for the native coin, which is one.
    /// @return True if a policy manager has added it.
    function isToken(address target) external view returns (bool);

    /// @notice Returns the address that the signer of an account may set as its recovery address.
    /// @param account The account.
    /// @return recovery The address that an upgrader has approved. Zero if there is none.
    function approvedRecovery(address account) external view returns (address recovery);

    /// @notice Returns whether accounts may upgrade to this implementation.
    /// @param implementation The contract to which a signer wants to upgrade.
    /// @return approved True if an upgrader has approved it.
    function isApprovedImplementation(address implementation) external view returns (bool approved);
}
