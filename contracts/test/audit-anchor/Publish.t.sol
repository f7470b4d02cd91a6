// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AuditAnchor} from "../../src/AuditAnchor.sol";
import {IArbSys} from "../../src/interfaces/IArbSys.sol";
import {Test} from "../support/Test.sol";
import {Vm} from "../support/Vm.sol";

/// @notice `AuditAnchor.publish`
contract AuditAnchorPublishTest is Test, IArbSys {
    bytes32 private constant STREAM = keccak256("stream");
    bytes32 private constant OTHER_STREAM = keccak256("other stream");

    AuditAnchor private anchor;
    address private publisher;
    address private stranger;

    function setUp() public {
        anchor = AuditAnchor(deploy("AuditAnchor", ""));
        (publisher, stranger) = (makeAddress("publisher"), makeAddress("stranger"));
        vm.roll(1_000);
    }

    function test_logsEachCheckpointAndNamesTheBlockOfTheNewest() public {
        AuditAnchor.Checkpoint[] memory both = checkpoints(STREAM, 7, 2);
        both[1].stream = OTHER_STREAM;
        for (uint256 i = 0; i < 2; ++i) {
            vm.expectEmit(address(anchor));
            emit AuditAnchor.CheckpointPublished(publisher, both[i].stream, both[i].sequence, both[i].json);
        }
        publishAs(publisher, both);
        assertNewest(publisher, STREAM, 7, 1_000);
        assertNewest(publisher, OTHER_STREAM, 8, 1_000);
        vm.roll(1_005);
        publishAs(publisher, checkpoints(STREAM, 8, 1));
        assertNewest(publisher, STREAM, 8, 1_005);
        assertNewest(publisher, OTHER_STREAM, 8, 1_000);
    }

    function test_skipsWhatIsNotNewerButNotWhatComesAfterIt() public {
        publishAs(publisher, checkpoints(STREAM, 7, 1));
        vm.roll(1_001);
        AuditAnchor.Checkpoint[] memory mixed = checkpoints(STREAM, 6, 3);
        mixed[1].json = "another text";
        vm.recordLogs();
        publishAs(publisher, mixed);
        assertEq(vm.getRecordedLogs().length, 1);
        assertNewest(publisher, STREAM, 8, 1_001);
    }

    function test_aStrangerPublishesOnlyInItsOwnName() public {
        publishAs(publisher, checkpoints(STREAM, 7, 1));
        vm.expectEmit(address(anchor));
        emit AuditAnchor.CheckpointPublished(stranger, STREAM, 9, text(9));
        publishAs(stranger, checkpoints(STREAM, 9, 1));
        assertNewest(publisher, STREAM, 7, 1_000);
        assertNewest(stranger, STREAM, 9, 1_000);
    }

    function test_aHighestSequenceEndsAStream() public {
        publishAs(publisher, checkpoints(STREAM, type(uint64).max, 1));
        publishAs(publisher, checkpoints(STREAM, 7, 1));
        assertNewest(publisher, STREAM, type(uint64).max, 1_000);
    }

    function test_refusesMoreThanFifty() public {
        publishAs(publisher, checkpoints(STREAM, 1, 50));
        assertNewest(publisher, STREAM, 50, 1_000);
        AuditAnchor.Checkpoint[] memory tooMany = checkpoints(STREAM, 51, 51);
        vm.prank(publisher);
        vm.expectRevert(AuditAnchor.TooManyCheckpoints.selector);
        anchor.publish(tooMany);
    }

    function test_namesTheBlockOfArbitrumThere() public {
        vm.etch(address(100), address(this).code);
        publishAs(publisher, checkpoints(STREAM, 1, 1));
        assertNewest(publisher, STREAM, 1, 123_456);
    }

    /// @inheritdoc IArbSys
    function arbBlockNumber() external pure returns (uint256) {
        return 123_456;
    }

    /// forge-config: default.fuzz.runs = 256
    function testFuzz_theHighestSequenceIsTheNewest(uint64[] memory sequences) public {
        uint64 highest;
        for (uint256 i = 0; i < sequences.length; ++i) {
            vm.recordLogs();
            publishAs(publisher, checkpoints(STREAM, sequences[i], 1));
            Vm.Log[] memory logs = vm.getRecordedLogs();
            assertEq(logs.length, sequences[i] > highest ? 1 : 0);
            if (sequences[i] > highest) {
                highest = sequences[i];
                assertEq(abi.decode(logs[0].data, (string)), text(highest));
            }
            assertNewest(publisher, STREAM, highest, highest == 0 ? 0 : 1_000);
        }
    }

    function publishAs(address sender, AuditAnchor.Checkpoint[] memory list) private {
        vm.prank(sender, stranger);
        anchor.publish(list);
    }

    function assertNewest(address sender, bytes32 stream, uint64 sequence, uint64 blockNumber) private view {
        (uint64 newestSequence, uint64 newestBlock) = anchor.newest(sender, stream);
        assertEq(newestSequence, sequence);
        assertEq(newestBlock, blockNumber);
    }

    /// @notice Returns `count` checkpoints with consecutive sequences.
    function checkpoints(bytes32 stream, uint64 first, uint64 count)
        private
        pure
        returns (AuditAnchor.Checkpoint[] memory list)
    {
        list = new AuditAnchor.Checkpoint[](count);
        for (uint64 i = 0; i < count; ++i) {
            uint64 sequence = first + i;
            list[i] = AuditAnchor.Checkpoint(stream, sequence, text(sequence));
        }
    }

    function text(uint64 sequence) private pure returns (string memory) {
        return string.concat("checkpoint ", vm.toString(uint256(sequence)));
    }
}
