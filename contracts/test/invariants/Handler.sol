// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {Outcome, Rule} from "./AccountWatch.sol";
import {AuthorizedToken} from "../support/AuthorizedToken.sol";
import {BundleHandler} from "./BundleHandler.sol";

/// @notice What the guardian and the recovery address do, and the time. The campaign calls its functions at random.
contract Handler is BundleHandler {
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
        guardian.freeze(accounts[index], uint48(random(1 << 48)));
        count(Outcome.Freeze);
    }

    function freezeBatch(uint256 seed) external watched(seed) {
        IGuardedAccount[] memory batch = new IGuardedAccount[](random(3));
        for (uint256 i = 0; i < batch.length; ++i) {
            batch[i] = accounts[random(COUNT)];
        }
        vm.prank(freezer);
        guardian.freezeBatch(batch, uint48(random(1 << 48)));
    }

    function unfreeze(uint256 seed) external watched(seed) {
        uint256 index = random(COUNT);
        uint80 id = seen[index].epochId;
        bool isEarlier = id != 0 && random(4) == 0;
        // The epoch before, or the same number with another salt, as after a reorganisation.
        if (isEarlier) id = random(2) == 0 ? id - (1 << 48) : id ^ 1;
        vm.prank(unfreezer);
        try guardian.unfreeze(accounts[index], id, uint48(random(1 << 48))) {
            if (isEarlier) breakRule(Rule.UnfreezeNamesTheFreeze);
            count(Outcome.Unfreeze);
        } catch {
            if (isEarlier && seen[index].frozen) count(Outcome.UnfreezeOfAnEarlierFreezeRefused);
        }
    }

    function unfreezeAll(uint256 seed) external watched(seed) {
        bytes[] memory calls = new bytes[](COUNT);
        for (uint256 i = 0; i < COUNT; ++i) {
            calls[i] = abi.encodeCall(guardian.unfreeze, (accounts[i], seen[i].epochId, uint48(random(1 << 48))));
        }
        vm.prank(unfreezer);
        guardian.multicall(calls);
    }

    /// @notice Changes or removes a limit, at times to zero.
    function changeLimit(uint256 seed) external watched(seed) {
        uint256 index = random(COUNT);
        uint256 asset = random(COUNT);
        uint96 limit = uint96(random(5) * random(1000));
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
        if (limit == 0 && kind != 2) count(Outcome.LimitOfZero);
    }

    function changeRules(uint256 seed) external watched(seed) {
        uint256 index = random(COUNT);
        uint256 kind = random(4);
        address payee = anyRecipient();
        bool allowed = random(3) != 0;
        if (kind == 2) return _allowTokenFunction(index);
        vm.prank(policyManager);
        if (kind == 0) {
            guardian.setRecipientsRestricted(accounts[index], !allowed);
        } else if (kind == 1) {
            guardian.setRecipient(accounts[index], payee, allowed);
        } else {
            guardian.setCosigner(accounts[index], allowed ? cosigner : address(0));
        }
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

    /// @notice Finishes a recovery, at times a second before its window or a second after it.
    function finishRecovery(uint256 seed) external watched(seed) {
        uint256 index = random(COUNT);
        Recovery storage recovery = _recoveries[index];
        if (recovery.readyAt + 7 days < vm.getBlockTimestamp() && random(2) == 0) _startRecovery(index);
        (uint256 start, uint256 end) = (recovery.readyAt, recovery.readyAt + 7 days);
        uint256 time = [start - (start == 0 ? 0 : 1), start, end, end + 1][random(4)];
        if (time < vm.getBlockTimestamp()) time = vm.getBlockTimestamp();
        vm.warp(time);
        bool ready = start != 0 && start <= time && time <= end;
        consent.account = index;
        consent.signer = ready ? recovery.signer : address(0);
        vm.prank(recoverer);
        try accounts[index].finishRecovery() {
            count(Outcome.Recovery);
            delete _recoveries[index];
        } catch {
            if (start != 0 && !ready) count(Outcome.RecoveryOutsideItsWindowRefused);
        }
    }

    function cancelRecovery(uint256 seed) external watched(seed) {
        uint256 index = random(COUNT);
        vm.prank(freezer);
        guardian.cancelRecovery(accounts[index]);
        if (_recoveries[index].readyAt != 0) count(Outcome.RecoveryCanceled);
        delete _recoveries[index];
    }

    /// @notice The guardian removes the recovery address, or the signer sets the one that the guardian has approved. At
    /// times, a thief of the signer tries to set a stranger.
    function changeRecoveryAddress(uint256 seed) external watched(seed) {
        uint256 index = anyAccount();
        if (random(3) == 0) {
            vm.prank(upgrader);
            guardian.removeRecovery(accounts[index]);
            delete _recoveries[index];
            count(Outcome.RecoveryAddressRemoved);
            return;
        }
        (address before,,) = accounts[index].recovery();
        address next = before == address(0) && random(2) == 0 ? recoverer : stranger;
        if (next == recoverer) {
            vm.prank(upgrader);
            guardian.approveRecovery(address(accounts[index]), recoverer);
        }
        if (!operate(index, abi.encodeCall(AgentAccount.setRecovery, (seen[index].epochId, next)))) return;
        if (next == recoverer) return count(Outcome.RecoveryAddressSet);
        vm.prank(stranger);
        try accounts[index].startRecovery(stranger) {
            breakRule(Rule.StrangersAreRefused);
        } catch {
            count(Outcome.RecoveryAddressKept);
        }
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
        // Without a recovery address, the account refuses it.
        try accounts[index].startRecovery(newSigner) {
            _recoveries[index] = Recovery(newSigner, vm.getBlockTimestamp() + 3 days);
        } catch {}
    }

    /// @dev A function that moves tokens cannot be allowed, nor any function of a contract that has ever had a limit.
    function _allowTokenFunction(uint256 index) private {
        bytes4[3] memory selectors =
            [IERC20.approve.selector, IERC20.transferFrom.selector, AuthorizedToken.burn.selector];
        bytes4 selector = selectors[random(3)];
        vm.prank(policyManager);
        try guardian.setCall(accounts[index], assets[AUTHORIZED], selector, true) {
            breakRule(Rule.SpendingStaysInTheLimit);
        } catch {
            count(Outcome.TokenFunctionRefused);
        }
    }
}
