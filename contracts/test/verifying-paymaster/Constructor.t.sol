// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {VerifyingPaymaster} from "../../src/VerifyingPaymaster.sol";
import {PaymasterFixture} from "./PaymasterFixture.sol";

/// @notice The constructor and `entryPoint` of `VerifyingPaymaster`
contract VerifyingPaymasterConstructorTest is PaymasterFixture {
    function test_setsTheSignerAndTheOwner() public view {
        assertEq(paymaster.SIGNER(), sponsor);
        assertEq(paymaster.owner(), admin);
    }

    function test_paysForOperationsOfTheEntryPoint08() public view {
        assertEq(address(paymaster.entryPoint()), ENTRY_POINT);
    }

    function test_namesItsDomain() public view {
        (, string memory name, string memory version, uint256 chainId, address verifyingContract,,) =
            paymaster.eip712Domain();
        assertEq(name, "Purser VerifyingPaymaster");
        assertEq(version, "1");
        assertEq(chainId, block.chainid);
        assertEq(verifyingContract, address(paymaster));
    }

    function test_refusesAZeroOwner() public {
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableInvalidOwner.selector, address(0)));
        new VerifyingPaymaster(sponsor, address(0));
    }
}
