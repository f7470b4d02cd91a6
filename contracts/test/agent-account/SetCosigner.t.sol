// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

contract SetCosignerTest is AccountFixture {
    function test_setsTheCosignerAndEmitsIt() public {
        vm.expectEmit(address(account));
        emit IGuardedAccount.CosignerSet(cosigner);
        setCosigner(cosigner);
        assertEq(account.cosigner(), cosigner);
        assertEq(account.epoch(), 0);
    }

    function test_removesTheCosigner() public {
        setCosigner(cosigner);
        vm.expectEmit(address(account));
        emit IGuardedAccount.CosignerSet(address(0));
        setCosigner(address(0));
        assertEq(account.cosigner(), address(0));
    }

    function setCosigner(address newCosigner) private {
        vm.prank(policyManager);
        guardian.setCosigner(account, newCosigner);
    }
}
