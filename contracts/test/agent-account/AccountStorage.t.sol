// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountStorage} from "../../src/AccountStorage.sol";
import {RecoveryFixture} from "../support/RecoveryFixture.sol";

/// @notice The layout that upgrades must keep.
contract AccountStorageTest is RecoveryFixture {
    uint256 private constant SLOT = uint256(AccountStorage.SLOT);

    function test_startsAtTheSlotOfItsNamespace() public pure {
        bytes32 expected =
            keccak256(abi.encode(uint256(keccak256("purser.storage.AgentAccount")) - 1)) & ~bytes32(uint256(0xff));
        assertEq(AccountStorage.SLOT, expected);
        AccountStorage.State storage state = AccountStorage.load();
        bytes32 slot;
        assembly ("memory-safe") {
            slot := state.slot
        }
        assertEq(slot, expected);
    }

    function test_packsTheSignerTheFlagsAndTheEpochInTheFirstSlot() public {
        assertEq(load(0), uint160(signer));
        freeze();
        assertEq(load(0), uint160(signer) | (1 << 160) | epochBits(1));
        unfreeze();
        freeze();
        assertEq(load(0), uint160(signer) | (1 << 160) | epochBits(3));
        unfreeze();
        vm.prank(policyManager);
        guardian.setRecipientsRestricted(account, true);
        assertEq(load(0), uint160(signer) | (1 << 168) | epochBits(4));
        uint80 epochId = account.epochId();
        vm.prank(ENTRY_POINT);
        account.changeSigner(epochId, newSigner);
        assertEq(load(0), uint160(newSigner) | (1 << 168) | epochBits(5));
    }

    function test_startsAgainFromZeroAfterTheLastEpoch() public {
        uint256 last = uint256(type(uint32).max) << 224;
        vm.store(address(account), bytes32(SLOT), bytes32(uint160(signer) | last));
        assertEq(account.epoch(), type(uint32).max);
        freeze();
        assertEq(load(0), uint160(signer) | (1 << 160) | epochBits(0));
        unfreeze();
        handle(signedOperation(transferCall(recipient, 1)));
        assertEq(token.balanceOf(recipient), 1);
    }

    function test_packsTheRecoveryInTheSecondSlot() public {
        assertEq(load(1), uint160(recoverer));
        startRecovery();
        assertEq(load(1), uint160(recoverer) | (uint256(START + 3 days) << 160));
        assertEq(load(2), uint160(newSigner));
    }

    function test_keepsTheCosignerInTheFourthSlot() public {
        vm.prank(policyManager);
        guardian.setCosigner(account, cosigner);
        assertEq(load(3), uint160(cosigner));
    }

    function test_packsTheSpendingOfATokenInOneSlot() public {
        setLimit(address(token), 50e6);
        handle(signedOperation(transferCall(recipient, 20e6)));
        bytes32 slot = keccak256(abi.encode(token, SLOT + 4));
        uint256 day = START / 1 days;
        assertEq(uint256(vm.load(address(account), slot)), 50e6 | (20e6 << 96) | (day << 192) | (1 << 224));
    }

    function test_keepsRecipientsAndCallsInTheNextSlots() public {
        vm.startPrank(policyManager);
        guardian.setRecipient(account, recipient, true);
        guardian.setCall(account, stranger, 0x01020304, true);
        bytes32 recipientSlot = keccak256(abi.encode(recipient, SLOT + 5));
        bytes32 targetSlot = keccak256(abi.encode(stranger, SLOT + 6));
        bytes32 callSlot = keccak256(abi.encode(bytes4(0x01020304), targetSlot));
        assertEq(uint256(vm.load(address(account), recipientSlot)), 1);
        assertEq(uint256(vm.load(address(account), callSlot)), 1);
    }

    function test_packsASessionInTwoSlots() public {
        freeze();
        unfreeze();
        grantSession(address(token), 10e6);
        handle(sessionOperation(address(token), 4e6));
        uint256 slot = uint256(keccak256(abi.encode(sessionSigner, SLOT + 7)));
        uint256 times = (uint256(START - 1) << 160) | (uint256(START + 1 hours) << 208);
        assertEq(uint256(vm.load(address(account), bytes32(slot))), uint160(address(token)) | times);
        assertEq(uint256(vm.load(address(account), bytes32(slot + 1))), 10e6 | (4e6 << 96) | (2 << 192) | (1 << 224));
    }

    /// @dev The epoch's number and salt in the first slot. The salt is the account's secret until it starts the epoch.
    function epochBits(uint32 number) private view returns (uint256) {
        assertEq(account.epoch(), number);
        assertGt(uint48(account.epochId()), 0);
        return uint256(account.epochId()) << 176;
    }

    function load(uint256 offset) private view returns (uint256) {
        return uint256(vm.load(address(account), bytes32(SLOT + offset)));
    }
}
