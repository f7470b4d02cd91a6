// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title What every chain of Arbitrum has at the address 100
interface IArbSys {
    /// @notice Returns the number of the present block.
    /// @return number The number that its logs name.
    function arbBlockNumber() external view returns (uint256 number);
}
