// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Paymaster} from "@openzeppelin/contracts/account/paymaster/Paymaster.sol";
import {ERC4337Utils} from "@openzeppelin/contracts/account/utils/ERC4337Utils.sol";
import {IEntryPoint, PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// @title Pays for operations that the platform has signed
/// @notice The data of the paymaster is `validAfter` (6 bytes), `validUntil` (6 bytes) and the signer's 65 bytes over
/// the EIP-712 type `UserOperationRequest`. Validation reads no storage, so ERC-7562 requires no stake.
contract VerifyingPaymaster is Paymaster, EIP712, Ownable2Step {
    /// @notice The key whose signature makes the paymaster pay. A new key needs a new paymaster.
    address public immutable SIGNER;

    /// @notice The most gas that an operation may ask for its execution. The EntryPoint charges a tenth of what is asked
    /// and not used.
    uint128 public constant MAX_CALL_GAS = 1_000_000;

    /// @notice The most gas that an operation may ask for `postOp`, which this paymaster does not need. The EntryPoint
    /// charges nothing for so little.
    uint128 public constant MAX_POST_OP_GAS = 40_000;

    /// @dev The EIP-712 type of OpenZeppelin's `PaymasterSigner`. That contract needs 2,100 gas more for each
    /// operation.
    bytes32 private constant USER_OPERATION_REQUEST_TYPEHASH = keccak256(
        "UserOperationRequest(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,uint256 paymasterVerificationGasLimit,uint256 paymasterPostOpGasLimit,uint48 validAfter,uint48 validUntil)"
    );

    /// @notice The operation asks for more gas than the paymaster pays for.
    error GasLimitTooHigh();

    /// @notice Without an owner, no one could withdraw the deposit.
    error OwnerRequired();

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

    /// @notice Always refused.
    function renounceOwnership() public pure override {
        revert OwnerRequired();
    }

    /// @notice Returns the EntryPoint whose operations are paid.
    /// @return The EntryPoint 0.8.
    function entryPoint() public pure override returns (IEntryPoint) {
        return ERC4337Utils.ENTRYPOINT_V08;
    }

    /// @dev A wrong signature fails with a return value, as ERC-4337 requires.
    function _validatePaymasterUserOp(PackedUserOperation calldata userOp, bytes32, uint256)
        internal
        view
        override
        returns (bytes memory, uint256)
    {
        bytes calldata paymasterAndData = userOp.paymasterAndData;
        if (paymasterAndData.length != 129) return ("", ERC4337Utils.SIG_VALIDATION_FAILED);
        bytes32 gasLimits = bytes32(paymasterAndData[20:52]);
        uint48 validAfter = uint48(bytes6(paymasterAndData[52:58]));
        uint48 validUntil = uint48(bytes6(paymasterAndData[58:64]));
        bytes32 requestHash = _requestHash(userOp, gasLimits, validAfter, validUntil);
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(requestHash, paymasterAndData[64:]);
        // For the EntryPoint, an end of zero means that there is none.
        if (validUntil == 0 || failure != ECDSA.RecoverError.NoError || recovered != SIGNER) {
            return ("", ERC4337Utils.SIG_VALIDATION_FAILED);
        }
        if (uint128(uint256(userOp.accountGasLimits)) > MAX_CALL_GAS || uint128(uint256(gasLimits)) > MAX_POST_OP_GAS) {
            revert GasLimitTooHigh();
        }
        return ("", (uint256(validAfter) << 208) | (uint256(validUntil) << 160));
    }

    function _requestHash(PackedUserOperation calldata userOp, bytes32 gasLimits, uint48 validAfter, uint48 validUntil)
        private
        view
        returns (bytes32)
    {
        bytes memory request = abi.encode(
            USER_OPERATION_REQUEST_TYPEHASH,
            userOp.sender,
            userOp.nonce,
            keccak256(userOp.initCode),
            keccak256(userOp.callData),
            userOp.accountGasLimits,
            userOp.preVerificationGas,
            userOp.gasFees,
            uint256(gasLimits) >> 128,
            uint128(uint256(gasLimits)),
            validAfter,
            validUntil
        );
        return _hashTypedDataV4(keccak256(request));
    }
}
