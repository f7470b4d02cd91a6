// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPaymaster, PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";

/// @notice Pays for every operation. Without a signature to check, the campaign is faster.
contract OpenPaymaster is IPaymaster {
    function validatePaymasterUserOp(PackedUserOperation calldata, bytes32, uint256)
        external
        pure
        returns (bytes memory context, uint256 validationData)
    {
        return ("", 0);
    }

    function postOp(PostOpMode, bytes calldata, uint256, uint256) external pure {}
}
