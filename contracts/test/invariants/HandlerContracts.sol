// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPaymaster, PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AgentGuardian} from "../../src/AgentGuardian.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";

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

/// @notice A contract with the roles of a freezer and an unfreezer, which an account can call within a bundle.
contract FreezeSwitch {
    AgentGuardian private immutable GUARDIAN;

    constructor(AgentGuardian guardian) {
        GUARDIAN = guardian;
    }

    function press(IGuardedAccount account, bool twice, uint48 salt) external {
        GUARDIAN.freeze(account, salt);
        if (twice) GUARDIAN.unfreeze(account, AgentAccount(payable(address(account))).epochId(), salt);
    }
}

/// @notice A contract that is paid in the native coin by a function call.
contract Shop {
    function buy() external payable {}
}
