// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {Outcome} from "./AccountWatch.sol";
import {FreezeSwitch} from "../support/FreezeSwitch.sol";
import {SignerHandler} from "./SignerHandler.sol";

/// @notice Bundles of two operations, both of which pass validation. The first then ends what the second was signed for,
/// so that the second must move nothing.
abstract contract BundleHandler is SignerHandler {
    /// @notice An operation of another account freezes the account, and at times also unfreezes it.
    function freezeWithinABundle(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        uint256 other = (index + 1) % COUNT;
        bool twice = random(2) == 0;
        bytes memory press = abi.encodeCall(FreezeSwitch.press, (accounts[other], twice, uint48(random(1 << 48))));
        PackedUserOperation memory first =
            signed(index, abi.encodeCall(AgentAccount.execute, (seen[index].epochId, address(freezeSwitch), 0, press)));
        if (!submitBundle(bundleOf(first, signed(other, executeCall(other, random(COUNT), recipient, 1))))) return;
        count(twice ? Outcome.UnfreezeWithinABundle : Outcome.FreezeWithinABundle);
        // What was signed before is stale, although the account looks as before.
        if (twice) ++seen[other].changes;
    }

    function changeSignerWithinABundle(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        PackedUserOperation memory second = signed(index, executeCall(index, random(COUNT), recipient, 1));
        consent.account = index;
        consent.signer = anySigner();
        bytes memory callData = abi.encodeCall(AgentAccount.changeSigner, (seen[index].epochId, consent.signer));
        if (submitBundle(bundleOf(signed(index, callData), second))) count(Outcome.SignerChangeWithinABundle);
    }

    function endSessionWithinABundle(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        uint256 asset = random(COUNT);
        requireSession(index, asset);
        consent.account = index;
        consent.signer = anySigner();
        bytes memory callData = random(2) == 0
            ? abi.encodeCall(AgentAccount.revokeSession, (seen[index].epochId, sessionSigner))
            : abi.encodeCall(AgentAccount.changeSigner, (seen[index].epochId, consent.signer));
        PackedUserOperation memory second =
            signedWith(sessionKey, index, sessionNonce(index), sessionCall(index, asset, 1));
        if (submitBundle(bundleOf(signed(index, callData), second))) count(Outcome.SessionEndWithinABundle);
    }
}
