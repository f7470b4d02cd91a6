// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {FreezeSwitch} from "../support/FreezeSwitch.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

/// @notice What a thief of the signer can do. The name of each test says what it tries, and whether it is refused or a
/// known limit of `contracts/README.md`.
abstract contract AttackFixture is AccountFixture {
    FreezeSwitch internal freezeSwitch;

    function setUp() public virtual override {
        super.setUp();
        freezeSwitch = newFreezeSwitch();
    }

    /// @notice Returns a transfer of 1, in a lane, that the signer signs for an epoch that the account may have later.
    function transferFor(uint80 epochId, uint160 lane) internal view returns (PackedUserOperation memory op) {
        op = operation(abi.encodeCall(account.transfer, (epochId, address(token), recipient, 1)));
        op.nonce = (uint256(epochId >> 48) << 224) | (uint256(lane) << 64);
        return signForEpoch(withSponsor(op), signerKey, START + 1 days, epochId);
    }

    /// @notice Returns the id of a later epoch of the account, with a salt that a thief guesses.
    function guessedEpoch(uint32 later, uint48 salt) internal view returns (uint80) {
        return (uint80(account.epoch() + later) << 48) | salt;
    }

    /// @notice Returns a signed operation in a lane of its own.
    function signedInLane(uint160 lane, bytes memory callData) internal view returns (PackedUserOperation memory) {
        return signOperation(withSponsor(operationInLane(lane, callData)), signerKey, START + 1 days);
    }

    /// @notice A call of the account that freezes it, and at times unfreezes it.
    function pressCall(bool twice) internal view returns (bytes memory) {
        return abi.encodeCall(freezeSwitch.press, (account, twice, FREEZE_SALT));
    }

    function batchOf(AgentAccount.Call memory first, AgentAccount.Call memory second)
        internal
        view
        returns (bytes memory)
    {
        AgentAccount.Call[] memory calls = new AgentAccount.Call[](2);
        (calls[0], calls[1]) = (first, second);
        return abi.encodeCall(account.executeBatch, (account.epochId(), calls));
    }

    function transferOf(uint256 amount) internal view returns (AgentAccount.Call memory) {
        return AgentAccount.Call(address(token), 0, abi.encodeCall(token.transfer, (recipient, amount)));
    }

    function assertNothingPaid() internal view {
        assertEq(token.balanceOf(recipient), 0);
        assertEq(recipient.balance, 0);
    }
}
