// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The storage of an account
/// @dev One ERC-7201 namespace, so that upgrades of the libraries cannot move it. Later versions only append.
library AccountStorage {
    /// @notice What the account may spend of a token, and has spent.
    struct Spending {
        /// @notice Base units for each UTC day. Used only if `hasLimit`.
        uint96 limit;
        /// @notice Base units spent on `day`.
        uint96 spent;
        /// @notice Days since 1970-01-01 UTC.
        uint32 day;
        /// @notice Whether the account has its own limit instead of the guardian's default.
        bool hasLimit;
    }

    /// @notice A key that may transfer one token.
    struct Session {
        /// @notice The ERC-20 token, or zero for the native coin.
        address token;
        /// @notice Unix time in seconds, after which the key is valid.
        uint48 validAfter;
        /// @notice Unix time in seconds, the last at which the key is valid. Zero if there is no session.
        uint48 validUntil;
        /// @notice Base units that the key may transfer in all.
        uint96 limit;
        /// @notice Base units that the key has transferred.
        uint96 spent;
        /// @notice The account's epoch at the grant. The session ends with it.
        uint32 epoch;
        /// @notice Which of the account's sessions this is, from 1. No session has the number of an earlier one.
        uint32 number;
    }

    /// @notice All state of an account.
    /// @custom:storage-location erc7201:purser.storage.AgentAccount
    struct State {
        // One slot: validation reads the signer, the freeze and the epoch together. The id of the epoch is its number
        // (32 bits) and its salt (48 bits).
        address signer;
        bool frozen;
        bool recipientsRestricted;
        uint80 epochId;
        // One slot. `recoverableAt` is zero unless a recovery has started.
        address recovery;
        uint48 recoverableAt;
        uint32 sessionCount;
        address pendingSigner;
        address cosigner;
        mapping(address token => Spending) spendings;
        mapping(address recipient => bool) recipients;
        mapping(address target => mapping(bytes4 selector => bool)) calls;
        mapping(address key => Session) sessions;
    }

    /// @dev keccak256(abi.encode(uint256(keccak256("purser.storage.AgentAccount")) - 1)) & ~bytes32(uint256(0xff))
    bytes32 internal constant SLOT = 0xb3470f445532ef324a86843ebd5c490636bd65d2b4753aeffc24d66bea112f00;

    /// @notice Returns the account's state.
    /// @return $ The state at the namespace's slot.
    function load() internal pure returns (State storage $) {
        assembly ("memory-safe") {
            $.slot := SLOT
        }
    }
}
