// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentAccount} from "../../src/AgentAccount.sol";
import {AgentGuardian} from "../../src/AgentGuardian.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";

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
