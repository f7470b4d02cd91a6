// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {RecoveryFixture} from "../support/RecoveryFixture.sol";

/// @notice Each function of the guardian that an account has changes only its own field.
contract AgentGuardianOwnFieldTest is RecoveryFixture {
    uint256 private constant FROZEN = 1 << 1;
    uint256 private constant EPOCH = 1 << 2;
    uint256 private constant RESTRICTED = 1 << 3;
    uint256 private constant RECIPIENT = 1 << 4;
    uint256 private constant CALL = 1 << 5;
    uint256 private constant COSIGNER = 1 << 6;
    uint256 private constant RECOVERY = 1 << 7;
    uint256 private constant PENDING = 1 << 8;
    uint256 private constant LIMIT = 1 << 9;

    /// @dev Every field differs from its first value.
    function setUp() public override {
        super.setUp();
        setCall(stranger, 0x01020304, true);
        vm.startPrank(policyManager);
        guardian.setLimit(account, address(token), 50e6);
        guardian.setCosigner(account, cosigner);
        guardian.setRecipient(account, recipient, true);
        guardian.setRecipientsRestricted(account, true);
        vm.stopPrank();
        grantSession(address(token), 10e6);
        handle(sessionOperation(address(token), 5e6));
        startRecovery();
    }

    function test_changesOneField() public {
        assertChanges(abi.encodeCall(account.freeze, (FREEZE_SALT)), FROZEN | EPOCH);
        assertEachOtherFunctionChangesItsField();
    }

    function test_changesOneFieldWhileFrozen() public {
        freeze();
        assertChanges(abi.encodeCall(account.freeze, (FREEZE_SALT)), EPOCH);
        assertChanges(abi.encodeCall(account.unfreeze, (account.epochId(), FREEZE_SALT)), FROZEN | EPOCH);
        assertEachOtherFunctionChangesItsField();
    }

    function assertEachOtherFunctionChangesItsField() private {
        assertChanges(abi.encodeCall(account.setRecipientsRestricted, (false)), RESTRICTED);
        assertChanges(abi.encodeCall(account.setRecipient, (recipient, false)), RECIPIENT);
        assertChanges(abi.encodeCall(account.setCall, (stranger, 0x01020304, false)), CALL);
        assertChanges(abi.encodeCall(account.setCosigner, (stranger)), COSIGNER);
        assertChanges(abi.encodeCall(account.setLimit, (address(token), 60e6)), LIMIT);
        assertChanges(abi.encodeCall(account.removeLimit, (address(token))), LIMIT);
        assertChanges(abi.encodeCall(account.cancelRecovery, ()), PENDING);
        assertChanges(abi.encodeCall(account.removeRecovery, ()), RECOVERY | PENDING);
    }

    /// @dev Makes the call as the guardian, compares the fields, and undoes it.
    function assertChanges(bytes memory data, uint256 expected) private {
        uint256 snapshot = vm.snapshotState();
        bytes32[13] memory before = fields();
        (bool success,) = callAccount(address(guardian), data);
        assertTrue(success, vm.toString(data));
        bytes32[13] memory current = fields();
        for (uint256 i = 0; i < before.length; ++i) {
            assertTrue((before[i] != current[i]) == (expected & (1 << i) != 0), vm.toString(data));
        }
        vm.revertToState(snapshot);
    }

    function fields() private view returns (bytes32[13] memory) {
        (address recovery, address pendingSigner, uint48 recoverableAt) = account.recovery();
        (uint256 limit, uint256 spent) = account.limitOf(address(token));
        return [
            keccak256(abi.encode(account.signer())),
            keccak256(abi.encode(account.frozen())),
            keccak256(abi.encode(account.epochId())),
            keccak256(abi.encode(account.recipientsRestricted())),
            keccak256(abi.encode(account.isAllowedRecipient(recipient))),
            keccak256(abi.encode(account.isAllowedCall(stranger, 0x01020304))),
            keccak256(abi.encode(account.cosigner())),
            keccak256(abi.encode(recovery)),
            keccak256(abi.encode(pendingSigner, recoverableAt)),
            bytes32(limit),
            bytes32(spent),
            keccak256(abi.encode(account.sessionOf(sessionSigner))),
            vm.load(address(account), ERC1967Utils.IMPLEMENTATION_SLOT)
        ];
    }
}
