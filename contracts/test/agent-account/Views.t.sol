// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountStorage} from "../../src/AccountStorage.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

/// @notice Functions that only read. The tests of each function that writes read what it has written.
contract ViewsTest is AccountFixture {
    function test_trustsTheEntryPoint08() public view {
        assertEq(address(account.entryPoint()), ENTRY_POINT);
    }

    function test_namesItsGuardian() public view {
        assertEq(address(account.GUARDIAN()), address(guardian));
    }

    function test_namesTheDomainOfItsSignatures() public view {
        (bytes1 fields, string memory name, string memory version, uint256 chainId, address verifyingContract,,) =
            account.eip712Domain();
        assertEq(bytes32(fields), bytes32(bytes1(0x0f)));
        assertEq(name, "Purser AgentAccount");
        assertEq(version, "1");
        assertEq(chainId, block.chainid);
        assertEq(verifyingContract, address(account));
    }

    function test_returnsNoSessionOfAnUnknownKey() public view {
        AccountStorage.Session memory none;
        assertEq(abi.encode(account.sessionOf(stranger)), abi.encode(none));
    }
}
