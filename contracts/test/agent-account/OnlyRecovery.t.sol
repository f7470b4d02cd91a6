// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentAccount} from "../../src/AgentAccount.sol";
import {RecoveryFixture} from "../support/RecoveryFixture.sol";

contract OnlyRecoveryTest is RecoveryFixture {
    function test_refusesEveryoneElseWithAPowerOverTheAccount() public {
        address[7] memory callers =
            [signer, address(guardian), admin, freezer, ENTRY_POINT, address(account), address(factory)];
        for (uint256 i = 0; i < callers.length; ++i) {
            assertRefused(callers[i]);
        }
    }

    function testFuzz_refusesAnyOtherCaller(address caller) public {
        vm.assume(caller != recoverer);
        assertRefused(caller);
    }

    function testFuzz_refusesAnyoneIfTheAccountHasNoRecoveryAddress(address caller) public {
        vm.assume(caller != address(0));
        account = createAccount(stranger, address(0));
        assertRefused(caller);
    }

    function assertRefused(address caller) private {
        vm.startPrank(caller);
        vm.expectRevert(AgentAccount.OnlyRecovery.selector);
        account.startRecovery(newSigner);
        vm.expectRevert(AgentAccount.OnlyRecovery.selector);
        account.finishRecovery();
        vm.stopPrank();
    }
}
