// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IArbSys} from "./interfaces/IArbSys.sol";

/// @title Stores signed checkpoints of audit chains
/// @notice A stored checkpoint cannot be changed or deleted. Anyone can publish. Readers accept only the checkpoints of one
/// publisher, the sender of the transaction.
contract AuditAnchor {
    /// @notice The most checkpoints in one transaction.
    uint256 public constant MAX_CHECKPOINTS = 50;

    /// @notice A checkpoint of a stream.
    /// @param stream The SHA-256 of the tenant's id, a space, and the name of the audit chain, in UTF-8.
    /// @param sequence The number of entries that it covers.
    /// @param json The signed checkpoint as canonical JSON (RFC 8785).
    struct Checkpoint {
        bytes32 stream;
        uint64 sequence;
        string json;
    }

    /// @notice Where the newest checkpoint of a stream is.
    /// @param sequence Its sequence. Zero if there is none.
    /// @param blockNumber The number of the block whose logs contain it.
    struct Newest {
        uint64 sequence;
        uint64 blockNumber;
    }

    /// @notice The newest checkpoint of each publisher and stream.
    mapping(address publisher => mapping(bytes32 stream => Newest)) public newest;

    /// @notice A checkpoint was published.
    /// @param publisher Who has published it.
    /// @param stream The SHA-256 of the tenant's id, a space, and the name of the audit chain.
    /// @param sequence The number of entries that it covers.
    /// @param json The signed checkpoint as canonical JSON.
    event CheckpointPublished(address indexed publisher, bytes32 indexed stream, uint64 indexed sequence, string json);

    /// @notice The transaction has more checkpoints than are allowed.
    error TooManyCheckpoints();

    /// @notice Publishes checkpoints. Skips each whose sequence is not higher than that of the newest one of its stream, so
    /// that a transaction can be repeated.
    /// @param checkpoints The checkpoints, at most fifty.
    function publish(Checkpoint[] calldata checkpoints) external {
        if (checkpoints.length > MAX_CHECKPOINTS) revert TooManyCheckpoints();
        uint64 blockNumber = _blockNumber();
        for (uint256 i = 0; i < checkpoints.length; ++i) {
            Checkpoint calldata checkpoint = checkpoints[i];
            Newest storage last = newest[msg.sender][checkpoint.stream];
            if (checkpoint.sequence <= last.sequence) continue;
            (last.sequence, last.blockNumber) = (checkpoint.sequence, blockNumber);
            emit CheckpointPublished(msg.sender, checkpoint.stream, checkpoint.sequence, checkpoint.json);
        }
    }

    /// @dev On Arbitrum, whose system contract is at the address 100, `block.number` is that of another chain.
    function _blockNumber() private view returns (uint64) {
        address arbSys = address(100);
        return uint64(arbSys.code.length == 0 ? block.number : IArbSys(arbSys).arbBlockNumber());
    }
}
