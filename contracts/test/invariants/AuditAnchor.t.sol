// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AuditAnchor} from "../../src/AuditAnchor.sol";
import {Test} from "../support/Test.sol";
import {Vm} from "../support/Vm.sol";

/// @notice Publishes at random as two publishers, and keeps what the logs say.
contract AnchorHandler is Test {
    AuditAnchor public immutable ANCHOR = AuditAnchor(deploy("AuditAnchor", ""));
    mapping(address publisher => mapping(bytes32 stream => AuditAnchor.Newest)) public logged;
    bool public hasFallen;

    function publish(uint256 publisher, uint256 stream, uint64[3] calldata sequences) external {
        AuditAnchor.Checkpoint[] memory list = new AuditAnchor.Checkpoint[](3);
        for (uint256 i = 0; i < 3; ++i) {
            list[i] = AuditAnchor.Checkpoint(bytes32((stream + i) % 3), sequences[i] % 1_000, "text");
        }
        vm.recordLogs();
        vm.prank(address(uint160(publisher % 2 + 1)));
        ANCHOR.publish(list);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            address sender = address(uint160(uint256(logs[i].topics[1])));
            uint64 sequence = uint64(uint256(logs[i].topics[3]));
            AuditAnchor.Newest storage last = logged[sender][logs[i].topics[2]];
            hasFallen = hasFallen || sequence <= last.sequence;
            (last.sequence, last.blockNumber) = (sequence, uint64(block.number));
        }
        vm.roll(block.number + 1);
    }
}

/// @notice What holds for every publisher and stream after every sequence of transactions.
contract AuditAnchorInvariantTest is Test {
    AnchorHandler private handler;

    function setUp() public {
        handler = new AnchorHandler();
        targetContract(address(handler));
    }

    /// forge-config: default.invariant.runs = 64
    /// forge-config: default.invariant.depth = 100
    function invariant_storageNamesTheLastLogAndSequencesOnlyRise() public view {
        assertFalse(handler.hasFallen());
        for (uint160 publisher = 1; publisher <= 2; ++publisher) {
            for (uint256 stream = 0; stream < 3; ++stream) {
                (uint64 sequence, uint64 blockNumber) = handler.ANCHOR().newest(address(publisher), bytes32(stream));
                (uint64 loggedSequence, uint64 loggedBlock) = handler.logged(address(publisher), bytes32(stream));
                assertEq(sequence, loggedSequence);
                assertEq(blockNumber, loggedBlock);
            }
        }
    }
}
