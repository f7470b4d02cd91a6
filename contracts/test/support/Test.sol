// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.37;

import {Vm} from "./Vm.sol";

/// @notice The base of all tests: the cheatcodes, assertions, and the functions that forge calls to choose what the
/// invariant tests call.
abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev Tells forge that a contract that inherits this one contains tests.
    bool public constant IS_TEST = true;

    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    address[] private _targetContracts;
    address[] private _targetSenders;
    FuzzSelector[] private _targetSelectors;

    function targetContract(address account) internal {
        _targetContracts.push(account);
    }

    function targetSender(address account) internal {
        _targetSenders.push(account);
    }

    function targetSelector(FuzzSelector memory selector) internal {
        _targetSelectors.push(selector);
    }

    function targetContracts() external view returns (address[] memory) {
        return _targetContracts;
    }

    function targetSenders() external view returns (address[] memory) {
        return _targetSenders;
    }

    function targetSelectors() external view returns (FuzzSelector[] memory) {
        return _targetSelectors;
    }

    /// @notice Returns the address and the private key that belong to `name`, and labels the address in traces.
    function makeAccount(string memory name) internal returns (address account, uint256 privateKey) {
        privateKey = uint256(keccak256(bytes(name)));
        account = vm.addr(privateKey);
        vm.label(account, name);
    }

    function makeAddress(string memory name) internal returns (address account) {
        (account,) = makeAccount(name);
    }

    /// @notice Deploys a contract of `src`. The variable `CONTRACTS_OUT` names the folder with the bytecode to test.
    function deploy(string memory name, bytes memory constructorArguments) internal returns (address) {
        string memory folder = vm.envOr("CONTRACTS_OUT", string(""));
        string memory artifact = bytes(folder).length == 0
            ? string.concat(name, ".sol")
            : string.concat(folder, "/", name, ".sol/", name, ".json");
        return vm.deployCode(artifact, constructorArguments);
    }

    /// @notice Makes `account` the sender of the next call, with `balance`.
    function hoax(address account, uint256 balance) internal {
        vm.deal(account, balance);
        vm.prank(account);
    }

    function skipTime(uint256 durationSeconds) internal {
        vm.warp(vm.getBlockTimestamp() + durationSeconds);
    }

    /// @notice Returns `value` if it is in the range, otherwise a value of the range that depends on it.
    function bound(uint256 value, uint256 min, uint256 max) internal pure returns (uint256) {
        vm.assertLe(min, max, "bound: min is greater than max");
        if (value >= min && value <= max) return value;
        // The size cannot overflow: if the range is everything, the value is in it.
        return min + value % (max - min + 1);
    }

    function assertEq(bool left, bool right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(uint256 left, uint256 right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(address left, address right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(address left, address right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(bytes32 left, bytes32 right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(string memory left, string memory right) internal pure {
        vm.assertEq(left, right);
    }

    function assertEq(bytes memory left, bytes memory right) internal pure {
        vm.assertEq(left, right);
    }

    function assertNotEq(uint256 left, uint256 right) internal pure {
        vm.assertNotEq(left, right);
    }

    function assertNotEq(address left, address right) internal pure {
        vm.assertNotEq(left, right);
    }

    function assertLt(uint256 left, uint256 right) internal pure {
        vm.assertLt(left, right);
    }

    function assertLe(uint256 left, uint256 right) internal pure {
        vm.assertLe(left, right);
    }

    function assertGt(uint256 left, uint256 right) internal pure {
        vm.assertGt(left, right);
    }

    function assertGt(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertGt(left, right, reason);
    }

    function assertTrue(bool condition) internal pure {
        vm.assertTrue(condition);
    }

    function assertTrue(bool condition, string memory reason) internal pure {
        vm.assertTrue(condition, reason);
    }

    function assertFalse(bool condition) internal pure {
        vm.assertFalse(condition);
    }

    function assertFalse(bool condition, string memory reason) internal pure {
        vm.assertFalse(condition, reason);
    }
}
