// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Placeholder} from "../src/Placeholder.sol";
import {CanonicalEntryPoint} from "./support/CanonicalEntryPoint.sol";

contract PlaceholderTest is CanonicalEntryPoint {
    Placeholder private placeholder;

    function setUp() public {
        placeholder = new Placeholder();
        deployEntryPoint();
        targetContract(address(placeholder));
    }

    function test_set() public {
        vm.expectEmit(address(placeholder));
        emit Placeholder.ValueSet(7);
        placeholder.set(7);
        vm.snapshotGasLastCall("placeholder", "set");
        assertEq(placeholder.value(), 7);
        vm.expectRevert(abi.encodeWithSelector(Placeholder.TooLarge.selector, 1001));
        placeholder.set(1001);
    }

    function test_sign() public {
        (address account, uint256 key) = makeAccount("signer");
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256("x"));
        assertEq(ecrecover(keccak256("x"), v, r, s), account);
        assertNotEq(placeholder.clone(0), address(0), "clone");
    }

    function testFuzz_set(uint256 value) public {
        value = bound(value, 0, 1000);
        placeholder.set(value);
        assertEq(placeholder.value(), value);
    }

    function invariant_smallValue() public view {
        assertLe(placeholder.value(), 1000);
    }
}
