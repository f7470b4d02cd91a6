// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.37;

/// @notice The cheatcodes of forge that the tests use. The package forge-std is not official on npm.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    // Callers
    function prank(address caller) external;
    function prank(address caller, address origin) external;
    function startPrank(address caller) external;
    function stopPrank() external;

    // Block and transaction
    function warp(uint256 timestampSeconds) external;
    function roll(uint256 blockNumber) external;
    function chainId(uint256 id) external;
    function getBlockTimestamp() external view returns (uint256);

    // State
    function deal(address account, uint256 balance) external;
    function etch(address account, bytes calldata code) external;
    function load(address account, bytes32 slot) external view returns (bytes32);
    function store(address account, bytes32 slot, bytes32 value) external;
    function snapshotState() external returns (uint256 id);
    function revertToState(uint256 id) external returns (bool);

    // Keys and signatures
    function addr(uint256 privateKey) external pure returns (address);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function signCompact(uint256 privateKey, bytes32 digest) external pure returns (bytes32 r, bytes32 vs);

    // Expectations
    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function expectRevert(bytes calldata data) external;
    function expectEmit(address emitter) external;

    // Recordings
    function record() external;
    function accesses(address account) external view returns (bytes32[] memory reads, bytes32[] memory writes);
    function recordLogs() external;
    function getRecordedLogs() external view returns (Log[] memory);

    // Gas; the snapshots are written to `snapshots/GROUP.json`
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256 gasUsed);

    // Fuzzing
    function assume(bool condition) external pure;

    // Artifacts, names, environment and text
    function deployCode(string calldata artifact, bytes calldata constructorArguments) external returns (address);
    function readFile(string calldata path) external view returns (string memory);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function setEnv(string calldata name, string calldata value) external;
    function envOr(string calldata name, uint256 defaultValue) external view returns (uint256);
    function envOr(string calldata name, string calldata defaultValue) external view returns (string memory);
    function label(address account, string calldata name) external;
    function split(string calldata text, string calldata separator) external pure returns (string[] memory);
    function toString(uint256 value) external pure returns (string memory);
    function toString(bytes calldata value) external pure returns (string memory);

    // Assertions
    function assertEq(bool left, bool right) external pure;
    function assertEq(uint256 left, uint256 right) external pure;
    function assertEq(uint256 left, uint256 right, string calldata reason) external pure;
    function assertEq(address left, address right) external pure;
    function assertEq(address left, address right, string calldata reason) external pure;
    function assertEq(bytes32 left, bytes32 right) external pure;
    function assertEq(string calldata left, string calldata right) external pure;
    function assertEq(bytes calldata left, bytes calldata right) external pure;
    function assertNotEq(address left, address right) external pure;
    function assertNotEq(uint256 left, uint256 right) external pure;
    function assertLt(uint256 left, uint256 right) external pure;
    function assertLe(uint256 left, uint256 right) external pure;
    function assertLe(uint256 left, uint256 right, string calldata reason) external pure;
    function assertGt(uint256 left, uint256 right) external pure;
    function assertGt(uint256 left, uint256 right, string calldata reason) external pure;
    function assertTrue(bool condition) external pure;
    function assertTrue(bool condition, string calldata reason) external pure;
    function assertFalse(bool condition) external pure;
    function assertFalse(bool condition, string calldata reason) external pure;
}
