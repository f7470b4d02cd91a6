// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

/// @notice What the EntryPoint 0.8 knows about a paymaster.
struct DepositInfo {
    uint256 deposit;
    bool staked;
    uint112 stake;
    uint32 unstakeDelaySec;
    uint48 withdrawTime;
}

interface IDepositInfo {
    function getDepositInfo(address account) external view returns (DepositInfo memory);
}

/// @notice The paymaster, whose owner is the admin.
abstract contract PaymasterFixture is AccountFixture {
    function depositInfo() internal view returns (DepositInfo memory) {
        return IDepositInfo(ENTRY_POINT).getDepositInfo(address(paymaster));
    }

    /// @notice Expects that only the owner may make the call. The call is not made for the owner.
    function assertOnlyOwner(bytes memory call) internal {
        address[6] memory callers = [sponsor, signer, bundler, address(account), ENTRY_POINT, stranger];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.prank(callers[i]);
            (bool success, bytes memory returned) = address(paymaster).call(call);
            assertFalse(success, "a stranger was accepted");
            assertEq(returned, abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, callers[i]));
        }
    }

    /// @notice Returns a transfer of 1 USDC that the paymaster pays for.
    function sponsoredTransfer() internal view returns (PackedUserOperation memory) {
        return signedOperation(transferCall(recipient, 1e6));
    }

    /// @notice Signs the operation again with the account's signer, so that only the paymaster can refuse it.
    function resign(PackedUserOperation memory op) internal view returns (PackedUserOperation memory) {
        return signOperation(op, signerKey, START + 1 days);
    }

    /// @notice Expects that the EntryPoint refuses the operation with this error.
    function expectFailedOp(string memory reason) internal {
        vm.expectRevert(abi.encodeWithSelector(FailedOp.selector, 0, reason));
    }
}
