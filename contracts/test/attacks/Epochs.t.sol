// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {AttackFixture} from "./AttackFixture.sol";

/// @notice What is signed in one epoch and sent in another.
contract EpochAttackTest is AttackFixture {
    function test_refused_signsForTheEpochAfterAFreezeAndAnUnfreeze() public {
        PackedUserOperation memory withoutSalt = transferFor(guessedEpoch(2, 0), 0);
        PackedUserOperation memory withThisSalt = transferFor(guessedEpoch(2, uint48(account.epochId())), 1);
        freeze();
        unfreeze();
        assertFalse(submit(withoutSalt));
        assertFalse(submit(withThisSalt));
        assertNothingPaid();
    }

    function test_refused_signsASeriesForTheNextTenFreezes() public {
        PackedUserOperation[] memory series = new PackedUserOperation[](20);
        for (uint32 i = 0; i < series.length; ++i) {
            series[i] = transferFor(guessedEpoch(i + 1, FREEZE_SALT), i);
        }
        for (uint256 i = 0; i < series.length; ++i) {
            if (i % 2 == 0) freeze();
            else unfreeze();
            for (uint256 k = 0; k < series.length; ++k) {
                assertFalse(submit(series[k]));
            }
        }
        assertNothingPaid();
    }

    function test_refused_knowsWhatTheGuardianAlwaysChooses() public {
        // In another block, the same choice gives another salt.
        PackedUserOperation memory op = transferFor(nextEpochId(account), 0);
        vm.roll(block.number + 1);
        uint80 frozenId = nextEpochId(account);
        freeze();
        assertEq(account.epochId(), frozenId);
        PackedUserOperation memory next = transferFor(nextEpochId(account), 0);
        vm.roll(block.number + 1);
        unfreeze();
        assertFalse(submit(op));
        assertFalse(submit(next));
        assertNothingPaid();
    }

    function test_refused_signsWhileFrozenForTheTimeAfterIt() public {
        freeze();
        PackedUserOperation memory op = transferFor(account.epochId(), 0);
        PackedUserOperation memory guessed = transferFor(guessedEpoch(1, uint48(account.epochId())), 0);
        unfreeze();
        assertFalse(submit(op));
        assertFalse(submit(guessed));
        assertNothingPaid();
    }

    function test_refused_namesTheNewEpochInTheCallOrInTheSignatureAlone() public {
        freeze();
        unfreeze();
        uint80 current = account.epochId();
        PackedUserOperation memory op = transferFor(current ^ 1, 0);
        assertFalse(submit(op));
        // The signature names the epoch, and the call another: it is accepted and fails.
        assertTrue(submit(signForEpoch(op, signerKey, START + 1 days, current)));
        op = transferFor(current, 1);
        assertFalse(submit(signForEpoch(op, signerKey, START + 1 days, current ^ 1)));
        assertNothingPaid();
        assertTrue(submit(transferFor(current, 1)));
    }

    function test_refused_keepsAnOperationUntilTheSignerIsTheSameAgain() public {
        PackedUserOperation memory op = transferFor(guessedEpoch(2, 0), 0);
        PackedUserOperation memory early = transferFor(account.epochId(), 1);
        vm.startPrank(ENTRY_POINT);
        account.changeSigner(0, stranger);
        uint80 current = account.epochId();
        account.changeSigner(current, signer);
        vm.stopPrank();
        assertFalse(submit(op));
        assertFalse(submit(early));
        assertNothingPaid();
    }

    function test_refused_startsAnEpochItselfToKnowItsSalt() public {
        vm.prank(ENTRY_POINT);
        account.changeSigner(0, signer);
        PackedUserOperation memory op = transferFor(guessedEpoch(2, uint48(account.epochId())), 0);
        PackedUserOperation memory early = transferFor(account.epochId(), 0);
        freeze();
        unfreeze();
        assertFalse(submit(op));
        assertFalse(submit(early));
        assertNothingPaid();
    }

    function test_refused_liftsASecondFreezeByTheUnfreezeOfTheFirst() public {
        freeze();
        uint80 first = account.epochId();
        freeze();
        uint80 id = account.epochId();
        uint80[4] memory others = [first, id ^ 1, id + (1 << 48), 0];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.prank(unfreezer);
            vm.expectRevert(abi.encodeWithSelector(AgentAccount.StaleEpoch.selector, others[i], id));
            guardian.unfreeze(account, others[i], FREEZE_SALT);
        }
        assertTrue(account.frozen());
    }

    function test_refused_hasAMessageCosignedForALaterEpoch() public {
        vm.prank(policyManager);
        guardian.setCosigner(account, cosigner);
        bytes memory now_ = messageFor(account.epochId());
        bytes memory later = messageFor(guessedEpoch(2, uint48(account.epochId())));
        assertEq(bytes32(account.isValidSignature("hash", now_)), bytes32(bytes4(0x1626ba7e)));
        freeze();
        bytes memory during = messageFor(account.epochId());
        unfreeze();
        bytes memory truncated = messageFor(uint8(account.epochId()));
        assertEq(bytes32(account.isValidSignature("hash", now_)), bytes32(bytes4(0xffffffff)));
        assertEq(bytes32(account.isValidSignature("hash", later)), bytes32(bytes4(0xffffffff)));
        assertEq(bytes32(account.isValidSignature("hash", during)), bytes32(bytes4(0xffffffff)));
        assertEq(bytes32(account.isValidSignature("hash", truncated)), bytes32(bytes4(0xffffffff)));
    }

    function messageFor(uint80 epochId) private view returns (bytes memory) {
        return personalSignature(account, signerKey, "hash", epochId);
    }
}
