// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {AgentAccount} from "../../src/AgentAccount.sol";
import {IGuardedAccount} from "../../src/interfaces/IGuardedAccount.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

/// @notice The guardian, with two accounts, of which the second has a recovery address.
abstract contract GuardianFixture is AccountFixture {
    AgentAccount internal secondAccount;

    function setUp() public virtual override {
        super.setUp();
        secondAccount = createAccount(signer, recoverer);
    }

    /// @notice Expects that the holder of this role can make the call, and that everyone else is refused.
    function assertOnlyRole(bytes memory call, address holder, bytes32 role) internal {
        address[8] memory callers =
            [admin, freezer, unfreezer, policyManager, upgrader, signer, address(account), stranger];
        for (uint256 i = 0; i < callers.length; ++i) {
            if (callers[i] != holder) assertRefused(call, callers[i], role);
        }
        vm.prank(holder);
        (bool success,) = address(guardian).call(call);
        assertTrue(success, "the holder of the role was refused");
    }

    /// @notice Expects that this caller is refused for the lack of this role.
    function assertRefused(bytes memory call, address caller, bytes32 role) internal {
        vm.prank(caller);
        (bool success, bytes memory returned) = address(guardian).call(call);
        assertFalse(success, "a caller without the role was accepted");
        assertEq(
            returned, abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, caller, role)
        );
    }

    /// @notice Returns a batch of the two accounts.
    function bothAccounts() internal view returns (IGuardedAccount[] memory accounts) {
        return batch(account, secondAccount);
    }

    function batch(IGuardedAccount first, IGuardedAccount second)
        internal
        pure
        returns (IGuardedAccount[] memory accounts)
    {
        accounts = new IGuardedAccount[](2);
        (accounts[0], accounts[1]) = (first, second);
    }
}
