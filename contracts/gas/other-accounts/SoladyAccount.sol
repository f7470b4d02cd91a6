// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC4337} from "solady/accounts/ERC4337.sol";
import {ERC4337Factory} from "solady/accounts/ERC4337Factory.sol";

/// @notice Solady's account, to which a concrete contract adds only its name.
contract SoladyAccount is ERC4337 {
    /// @dev The EntryPoint 0.8, as for every measured account. Solady's default is 0.7.
    function entryPoint() public pure override returns (address) {
        return 0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108;
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("SoladyAccount", "1");
    }
}

/// @notice Deploys minimal ERC-1967 proxies.
contract SoladyAccountFactory is ERC4337Factory {
    constructor(address account) ERC4337Factory(account) {}
}
