// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.37;

import {Test} from "./Test.sol";

/// @notice Deploys the real EntryPoint 0.8 at its canonical address, from the bytecode in its npm package. Its source is
/// under the GPL, so that no test imports it.
abstract contract CanonicalEntryPoint is Test {
    address internal constant ENTRY_POINT = 0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108;
    bytes32 private constant SALT = 0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9;
    address private constant DEPLOYER = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    bytes private constant DEPLOYER_CODE =
        hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

    function deployEntryPoint() internal {
        vm.etch(DEPLOYER, DEPLOYER_CODE);
        string memory artifact = vm.readFile("../node_modules/@account-abstraction/contracts/artifacts/EntryPoint.json");
        (bool success,) = DEPLOYER.call(abi.encodePacked(SALT, vm.parseJsonBytes(artifact, ".bytecode")));
        assertTrue(success, "the EntryPoint was not deployed");
        assertGt(ENTRY_POINT.code.length, 0, "the EntryPoint has another address");
        vm.label(ENTRY_POINT, "EntryPoint");
    }
}
