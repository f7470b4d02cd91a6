// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AccountWatch, Outcome} from "./AccountWatch.sol";
import {SignerHandler} from "./SignerHandler.sol";

/// @notice What the guardian and the recovery address do, and the time. The campaign calls its functions at random.
contract Handler is SignerHandler {
    /// @dev The recovery that has started, as its callers know it.
    struct Recovery {
        address signer;
        uint256 readyAt;
    }

    mapping(uint256 account => Recovery) private _recoveries;

    function setUp() public override {
        super.setUp();
        implementations = [implementation, new AgentAccount(guardian), new AgentAccount(guardian)];
    }

    function freeze(uint256 seed) external watched(seed) {
        uint256 index = random(COUNT);
        vm.prank(freezer);
        guardian.freeze(accounts[index]);
        count(Outcome.Freeze);
    }

    function freezeBatch(uint256 seed) external watched(seed) {
        IGuardedAccount[] memory batch = new IGuardedAccount[](random(3));
        for (uint256 i = 0; i < batch.length; ++i) {
            batch[i] = accounts[random(COUNT)];
        }
        vm.prank(freezer);
        guardian.freezeBatch(batch);
    }

    function unfreeze(uint256 seed) external watched(seed) {
        uint256 index = random(COUNT);
        vm.prank(unfreezer);
        guardian.unfreeze(accounts[index]);
        count(Outcome.Unfreeze);
    }

    function unfreezeAll(uint256 seed) external watched(seed) {
        bytes[] memory calls = new bytes[](COUNT);
        for (uint256 i = 0; i < COUNT; ++i) {
            calls[i] = abi.encodeCall(guardian.unfreeze, (accounts[i]));
        }
        vm.prank(unfreezer);
        guardian.multicall(calls);
    }

    /// @notice Changes a limit. The authorized token always has one: without it, its allowed functions can move it.
    function changeLimit(uint256 seed) external watched(seed) {
        uint256 index = random(COUNT);
        uint256 asset = random(COUNT);
        uint96 limit = uint96(asset == AUTHORIZED ? 1 + random(5000) : random(5) * random(1000));
        uint256 kind = random(3);
        vm.prank(policyManager);
        if (kind == 0) {
            guardian.setDefaultLimit(assets[asset], limit);
            defaultLimits[asset] = limit;
        } else if (kind == 1) {
            guardian.setLimit(accounts[index], assets[asset], limit);
            (limits[index][asset].isOwn, limits[index][asset].amount) = (true, limit);
        } else {
            guardian.removeLimit(accounts[index], assets[asset]);
            limits[index][asset].isOwn = false;
        }
        count(Outcome.LimitChange);
    }

    function changeRules(uint256 seed) external watched(seed) {
        uint256 index = random(COUNT);
        uint256 kind = random(5);
        address payee = anyRecipient();
        bool allowed = random(3) != 0;
        vm.prank(policyManager);
        if (kind == 0) guardian.setRecipientsRestricted(accounts[index], !allowed);
        else if (kind == 1) guardian.setRecipient(accounts[index], payee, allowed);
        else if (kind == 2) guardian.setCall(accounts[index], assets[AUTHORIZED], IERC20.approve.selector, allowed);
        else if (kind == 3) guardian.setCall(accounts[index], assets[AUTHORIZED], IERC20.transferFrom.selector, allowed);
        else guardian.setCosigner(accounts[index], allowed ? cosigner : address(0));
    }

    /// @notice Approves an implementation or withdraws the approval. One is never approved.
    function approveImplementation(uint256 seed) external watched(seed) {
        address next = address(implementations[random(2)]);
        bool approved = random(3) != 0;
        vm.prank(upgrader);
        guardian.approveImplementation(next, approved);
        isApproved[next] = approved;
    }

    function startRecovery(uint256 seed) external watched(seed) {
        _startRecovery(random(COUNT));
    }

    /// @notice Finishes a recovery, at times before its delay has passed.
    function finishRecovery(uint256 seed) external watched(seed) {
        uint256 index = random(COUNT);
        Recovery storage recovery = _recoveries[index];
        if (recovery.readyAt == 0 && random(2) == 0) _startRecovery(index);
        uint256 time = vm.getBlockTimestamp();
        if (recovery.readyAt > time && random(4) != 0) vm.warp(recovery.readyAt - random(2));
        bool ready = recovery.readyAt != 0 && recovery.readyAt <= vm.getBlockTimestamp();
        consent.account = index;
        consent.signer = ready ? recovery.signer : address(0);
        vm.prank(recoverer);
        try accounts[index].finishRecovery() {
            count(Outcome.Recovery);
            delete _recoveries[index];
        } catch {}
    }

    function cancelRecovery(uint256 seed) external watched(seed) {
        uint256 index = random(COUNT);
        vm.prank(freezer);
        guardian.cancelRecovery(accounts[index]);
        if (_recoveries[index].readyAt != 0) count(Outcome.RecoveryCanceled);
        delete _recoveries[index];
    }

    /// @notice Moves to the last second of the day, to the next day, or by some hours.
    function passTime(uint256 seed) external watched(seed) {
        uint256 time = vm.getBlockTimestamp();
        uint256 nextDay = (time / 1 days + 1) * 1 days;
        uint256 kind = random(3);
        if (kind == 0) vm.warp(nextDay - 1);
        else if (kind == 1) vm.warp(nextDay);
        else vm.warp(time + random(36 hours));
        if (vm.getBlockTimestamp() / 1 days != time / 1 days) count(Outcome.NewDay);
    }

    function _startRecovery(uint256 index) private {
        address newSigner = anySigner();
        vm.prank(recoverer);
        accounts[index].startRecovery(newSigner);
        _recoveries[index] = Recovery(newSigner, vm.getBlockTimestamp() + 3 days);
    }
}
