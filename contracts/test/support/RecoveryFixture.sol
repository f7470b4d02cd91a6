// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountFixture} from "./AccountFixture.sol";

/// @notice An account that has a recovery address, and the signer after its recovery.
abstract contract RecoveryFixture is AccountFixture {
    address internal newSigner;
    uint256 internal newSignerKey;

    function setUp() public virtual override {
        super.setUp();
        (newSigner, newSignerKey) = makeAccount("newSigner");
        account = createAccount(signer, recoverer);
    }

    function startRecovery() internal {
        vm.prank(recoverer);
        account.startRecovery(newSigner);
    }

    function finishRecovery() internal {
        vm.prank(recoverer);
        account.finishRecovery();
    }

    function cancelRecovery() internal {
        vm.prank(freezer);
        guardian.cancelRecovery(account);
    }

    function assertRecovery(address expectedSigner, uint256 expectedTime) internal view {
        (address recovery, address pendingSigner, uint48 recoverableAt) = account.recovery();
        assertEq(recovery, recoverer);
        assertEq(pendingSigner, expectedSigner);
        assertEq(recoverableAt, expectedTime);
    }
}
