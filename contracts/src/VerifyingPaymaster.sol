// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {PaymasterSigner} from "@openzeppelin/contracts/account/paymaster/extensions/PaymasterSigner.sol";
import {ERC4337Utils} from "@openzeppelin/contracts/account/utils/ERC4337Utils.sol";
import {IEntryPoint, PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {Calldata} from "@openzeppelin/contracts/utils/Calldata.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// @title Pays for operations that the platform has signed
/// @notice The data of the paymaster is `validAfter` (6 bytes), `validUntil` (6 bytes) and the signer's 65 bytes over the
/// EIP-712 type `UserOperationRequest`. Validation reads no storage, so ERC-7562 requires no stake.
contract VerifyingPaymaster is PaymasterSigner, Ownable2Step {
    /// @notice The key whose signature makes the paymaster pay. A new key needs a new paymaster.
    address public immutable SIGNER;

    /// @param signer The key whose signature makes the paymaster pay.
    /// @param owner The address that may withdraw the deposit and the stake.
    constructor(address signer, address owner) EIP712("Purser VerifyingPaymaster", "1") Ownable(owner) {
        SIGNER = signer;
    }

    /// @notice Adds the value to the deposit at the EntryPoint, from which operations are paid.
    function deposit() external payable {
        _deposit(msg.value);
    }

    /// @notice Withdraws from the deposit.
    /// @param recipient The address that receives the native coin.
    /// @param amount In wei.
    function withdraw(address payable recipient, uint256 amount) external onlyOwner {
        _withdraw(recipient, amount);
    }

    /// @notice Adds the value to the stake, which bundlers ask of a paymaster that pays for many operations.
    /// @param unstakeDelaySeconds How long the stake stays locked after `unlockStake`. Never less than before.
    function addStake(uint32 unstakeDelaySeconds) external payable onlyOwner {
        _addStake(msg.value, unstakeDelaySeconds);
    }

    /// @notice Starts the delay after which the stake can be withdrawn.
    function unlockStake() external onlyOwner {
        _unlockStake();
    }

    /// @notice Withdraws the stake after its delay.
    /// @param recipient The address that receives the native coin.
    function withdrawStake(address payable recipient) external onlyOwner {
        _withdrawStake(recipient);
    }

    /// @notice Returns the EntryPoint whose operations are paid.
    /// @return The EntryPoint 0.8.
    function entryPoint() public pure override returns (IEntryPoint) {
        return ERC4337Utils.ENTRYPOINT_V08;
    }

    /// @dev Refuses an end of zero, which would mean that there is none: without a signature, validation fails.
    function _decodePaymasterUserOp(PackedUserOperation calldata userOp)
        internal
        pure
        override
        returns (uint48 validAfter, uint48 validUntil, bytes calldata signature)
    {
        (validAfter, validUntil, signature) = super._decodePaymasterUserOp(userOp);
        if (validUntil == 0) signature = Calldata.emptyBytes();
    }

    /// @dev Never reverts, so that a wrong signature fails as ERC-4337 requires.
    function _rawSignatureValidation(bytes32 hash, bytes calldata signature) internal view override returns (bool) {
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(hash, signature);
        return failure == ECDSA.RecoverError.NoError && recovered == SIGNER;
    }
}
