// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentAccount} from "../../src/AgentAccount.sol";
import {IAgentGuardian} from "../../src/interfaces/IAgentGuardian.sol";

/// @notice A later version of the account.
contract NextAccount is AgentAccount {
    event Migrated(address caller);

    constructor(IAgentGuardian guardian) AgentAccount(guardian) {}

    function version() external pure returns (uint256) {
        return 2;
    }

    function migrate() external {
        emit Migrated(msg.sender);
    }
}

/// @notice A contract that is no implementation of a proxy.
contract NoImplementation {}

/// @notice An implementation for another kind of proxy.
contract OtherProxyImplementation {
    bytes32 public constant proxiableUUID = keccak256("another slot");
}
