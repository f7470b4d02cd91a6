// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountFixture} from "../support/AccountFixture.sol";

contract GetNonceTest is AccountFixture {
    function test_returnsTheNextNonceOfTheSigner() public {
        assertEq(account.getNonce(), 0);
        handle(signedOperation(transferCall(recipient, 1)));
        assertEq(account.getNonce(), 1);
    }

    function test_returnsTheNonceOfTheCurrentEpoch() public {
        handle(signedOperation(transferCall(recipient, 1)));
        freeze();
        assertEq(account.getNonce(), 1 << 224);
        unfreeze();
        assertEq(account.getNonce(), 2 << 224);
        handle(signedOperation(transferCall(recipient, 1)));
        assertEq(account.getNonce(), (2 << 224) + 1);
    }

    function test_returnsTheNonceOfALane() public {
        handle(signOperation(withSponsor(operationInLane(7, transferCall(recipient, 1))), signerKey, START + 1));
        assertEq(account.getNonce(), 0);
        assertEq(account.getNonce(7), (7 << 64) + 1);
        freeze();
        unfreeze();
        uint192 epochAndLane = (uint192(2) << 160) | 7;
        assertEq(account.getNonce(epochAndLane), uint256(epochAndLane) << 64);
    }
}
