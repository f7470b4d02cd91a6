// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPaymaster, PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {FreezeSwitch} from "../support/FreezeSwitch.sol";
import {AttackFixture} from "./AttackFixture.sol";

/// @notice A paymaster whose validation calls the switch, between the validations of two operations of a bundle.
contract PressingPaymaster is IPaymaster {
    FreezeSwitch private immutable SWITCH;

    constructor(FreezeSwitch freezeSwitch) {
        SWITCH = freezeSwitch;
    }

    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32, uint256)
        external
        returns (bytes memory context, uint256 validationData)
    {
        SWITCH.press(AgentAccount(payable(op.sender)), true, 7);
        return ("", 0);
    }

    function postOp(PostOpMode, bytes calldata, uint256, uint256) external pure {}
}

/// @notice The EntryPoint validates all operations of a bundle before it executes the first.
contract BundleAttackTest is AttackFixture {
    function test_refused_executesAnEarlierOperationBecauseALaterEpochValidated() public {
        PressingPaymaster pressing = new PressingPaymaster(freezeSwitch);
        entryPoint.depositTo{value: 1 ether}(address(pressing));
        PackedUserOperation memory early = operation(transferCall(recipient, 5));
        early.paymasterAndData = abi.encodePacked(pressing, uint128(300_000), uint128(0));
        early = signOperation(early, signerKey, START + 1 days);
        uint256 snapshot = vm.snapshotState();
        freezeSwitch.press(account, true, 7);
        PackedUserOperation memory late = transferFor(account.epochId(), 0);
        vm.revertToState(snapshot);
        handleBundle(bundleOf(early, late));
        assertEq(account.epoch(), 2);
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_refused_continuesABatchThatFroze() public {
        continueABatch(false, abi.encodeWithSelector(AgentAccount.AccountFrozen.selector));
    }

    function test_refused_continuesABatchThatFrozeAndUnfroze() public {
        uint256 snapshot = vm.snapshotState();
        freezeSwitch.press(account, true, FREEZE_SALT);
        uint80 next = account.epochId();
        vm.revertToState(snapshot);
        continueABatch(true, abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, 0, next));
    }

    function test_refused_executesAfterAnEarlierOperationOfAnotherAccountFroze() public {
        AgentAccount victim = account;
        account = createAccount(stranger, address(0));
        setCall(address(freezeSwitch), freezeSwitch.press.selector, true);
        bytes memory press = abi.encodeCall(freezeSwitch.press, (victim, false, FREEZE_SALT));
        PackedUserOperation memory first = operation(executeCall(address(freezeSwitch), 0, press));
        first = signOperation(withSponsor(first), uint256(keccak256("stranger")), START + 1 days);
        account = victim;
        handleBundle(bundleOf(first, signedOperation(transferCall(recipient, 1))));
        assertTrue(account.frozen());
        assertNothingPaid();
    }

    function test_refused_usesASessionThatTheBundleRevokes() public {
        grantSession(address(token), 5);
        PackedUserOperation memory second = sessionOperation(address(token), 5);
        handleBundle(bundleOf(signedOperation(abi.encodeCall(account.revokeSession, (0, sessionSigner))), second));
        assertNothingPaid();
    }

    function test_refused_usesASessionThatTheBundleReplaces() public {
        grantSession(address(token), 5);
        PackedUserOperation memory second = sessionOperation(address(token), 5);
        bytes memory grant =
            abi.encodeCall(account.grantSession, (0, sessionSigner, address(token), 5, START - 1, START + 1));
        handleBundle(bundleOf(signedOperation(grant), second));
        assertEq(account.sessionOf(sessionSigner).number, SESSION + 1);
        assertNothingPaid();
    }

    function test_refused_spendsTheLimitTwiceInTwoLanes() public {
        handleBundle(
            bundleOf(
                signedInLane(1, transferCall(recipient, DEFAULT_LIMIT)),
                signedInLane(2, transferCall(recipient, DEFAULT_LIMIT))
            )
        );
        assertEq(token.balanceOf(recipient), DEFAULT_LIMIT);
    }

    function continueABatch(bool twice, bytes memory reason) private {
        setCall(address(freezeSwitch), freezeSwitch.press.selector, true);
        AgentAccount.Call memory press = AgentAccount.Call(address(freezeSwitch), 0, pressCall(twice));
        bytes memory callData = batchOf(press, transferOf(1));
        PackedUserOperation memory op = signedOperation(callData);
        expectExecutionRevert(op, reason);
        handle(op);
        assertNothingPaid();
    }
}
