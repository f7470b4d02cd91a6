// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {ERC4337Utils} from "@openzeppelin/contracts/account/utils/ERC4337Utils.sol";
import {IEntryPoint, PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ERC7739} from "@openzeppelin/contracts/utils/cryptography/signers/draft-ERC7739.sol";
import {AccountStorage} from "./AccountStorage.sol";
import {SpendingPolicy} from "./SpendingPolicy.sol";
import {IAgentGuardian} from "./interfaces/IAgentGuardian.sol";
import {IGuardedAccount} from "./interfaces/IGuardedAccount.sol";

/// @title An agent's account that its guardian can freeze
/// @notice An ERC-4337 account for EntryPoint 0.8. The signer acts only through operations that a paymaster pays for. A
/// frozen account refuses operations in validation and in execution, and ERC-1271 signatures. A freeze starts a new
/// epoch, which is part of each operation's nonce: what was signed earlier is never valid again.
contract AgentAccount is Account, ERC7739, UUPSUpgradeable, SpendingPolicy {
    /// @notice A call of `executeBatch`.
    struct Call {
        /// @notice The contract to call, or the recipient of the native coin.
        address target;
        /// @notice The native coin to send, in wei.
        uint256 value;
        /// @notice The function and its arguments. Empty to send only the native coin.
        bytes data;
    }

    /// @notice How long a recovery waits, so that the guardian can stop it.
    uint48 public constant RECOVERY_DELAY = 3 days;

    /// @notice How long a recovery can be finished after its delay.
    uint48 public constant RECOVERY_WINDOW = 7 days;

    /// @dev EIP-712 type that the signer or a session key signs for an operation.
    bytes32 private constant OPERATION_TYPEHASH = keccak256("Operation(bytes32 userOpHash,uint48 validUntil)");

    /// @dev EIP-712 type that the cosigner signs for an ERC-1271 signature.
    bytes32 private constant COSIGNATURE_TYPEHASH = keccak256("Cosignature(bytes32 hash,uint32 epoch)");

    /// @dev The epoch in which this transaction has validated an operation.
    uint256 private transient _validatedEpoch;

    /// @notice The account has a new signer, and a new epoch has started.
    /// @param signer The new signer.
    /// @param epoch The new epoch.
    event SignerChanged(address indexed signer, uint32 epoch);

    /// @notice A session key was granted.
    /// @param key The address of the key.
    /// @param session What the key may do.
    event SessionGranted(address indexed key, AccountStorage.Session session);

    /// @notice A session key was revoked.
    /// @param key The address of the key.
    event SessionRevoked(address indexed key);

    /// @notice A recovery has started.
    /// @param newSigner The signer after the recovery.
    /// @param recoverableAt Unix time in seconds, from which the recovery can be finished.
    event RecoveryStarted(address indexed newSigner, uint48 recoverableAt);

    /// @notice A recovery has replaced the signer.
    /// @param newSigner The new signer.
    event RecoveryFinished(address indexed newSigner);

    /// @notice The account has a recovery address.
    /// @param recovery The address that may replace the signer after a delay.
    event RecoverySet(address indexed recovery);

    /// @notice The account is initialized.
    error AlreadyInitialized();

    /// @notice The signer is the zero address.
    error InvalidSigner();

    /// @notice The account is frozen.
    error AccountFrozen();

    /// @notice The operation was signed in another epoch.
    /// @param actual The epoch in the nonce of the operation.
    /// @param expected The account's epoch.
    error StaleEpoch(uint256 actual, uint256 expected);

    /// @notice The operation has no paymaster, and the account pays for no operation.
    error SelfPaidGas();

    /// @notice The session has no key, or it ends before it begins.
    error InvalidSession();

    /// @notice The key has no session in this epoch, or its session is for another token or another time.
    /// @param key The address of the key.
    /// @param token The token that the key was to transfer.
    error SessionDenied(address key, address token);

    /// @notice A transfer would exceed the limit of the session.
    /// @param key The address of the key.
    /// @param amount What was to be transferred, in base units.
    /// @param remaining What the key can still transfer, in base units.
    error SessionLimitExceeded(address key, uint256 amount, uint256 remaining);

    /// @notice The guardian has not approved the implementation.
    /// @param implementation The implementation to which the signer wants to upgrade.
    error UpgradeDenied(address implementation);

    /// @notice The caller is not the recovery address.
    error OnlyRecovery();

    /// @notice No recovery has started, its delay has not passed, or its window has.
    error RecoveryNotReady();

    /// @notice The account has a recovery address. Only the guardian can remove it.
    error RecoveryAlreadySet();

    /// @dev For functions that the signer calls: only by an operation, and not while frozen. The EntryPoint validates
    /// all operations of a bundle before it executes the first, so execution checks the freeze and the epoch again.
    modifier onlyOperation() {
        _checkEntryPoint();
        AccountStorage.State storage $ = AccountStorage.load();
        (bool isFrozen, uint256 currentEpoch) = ($.frozen, $.epoch);
        if (isFrozen) revert AccountFrozen();
        if (_validatedEpoch != currentEpoch) revert StaleEpoch(_validatedEpoch, currentEpoch);
        _;
    }

    modifier onlyRecovery() {
        if (msg.sender != AccountStorage.load().recovery) revert OnlyRecovery();
        _;
    }

    /// @param guardian The contract that guards all accounts of this implementation.
    constructor(IAgentGuardian guardian) EIP712("Purser AgentAccount", "1") SpendingPolicy(guardian) {}

    /// @notice Sets the signer and the recovery address, once.
    /// @param signer_ The key that signs operations.
    /// @param recovery_ The address that may replace a lost signer after a delay. Zero for none.
    function initialize(address signer_, address recovery_) external onlyProxy {
        AccountStorage.State storage $ = AccountStorage.load();
        if ($.signer != address(0)) revert AlreadyInitialized();
        if (signer_ == address(0)) revert InvalidSigner();
        $.signer = signer_;
        if (recovery_ != address(0)) $.recovery = recovery_;
    }

    /// @notice Makes a call within the rules of the account.
    /// @param target The contract to call, or the recipient of the native coin.
    /// @param value The native coin to send, in wei.
    /// @param data The function and its arguments. Empty to send only the native coin.
    function execute(address target, uint256 value, bytes calldata data) external onlyOperation {
        _call(target, value, data);
    }

    /// @notice Makes several calls within the rules of the account. All or none take effect.
    /// @param calls The calls, in their order.
    function executeBatch(Call[] calldata calls) external onlyOperation {
        for (uint256 i = 0; i < calls.length; ++i) {
            _call(calls[i].target, calls[i].value, calls[i].data);
        }
    }

    /// @notice Transfers a token for a session key. Validation requires the signature of that key.
    /// @param key The address of the session key.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @param recipient The address that is paid.
    /// @param amount In base units. Counts in the session's limit and in the account's.
    function executeAsSession(address key, address token, address recipient, uint256 amount) external onlyOperation {
        AccountStorage.State storage $ = AccountStorage.load();
        AccountStorage.Session storage session = $.sessions[key];
        // An earlier operation of the bundle can have replaced the session that was validated, so its times count
        // again.
        if (
            session.epoch != $.epoch || session.token != token || block.timestamp <= session.validAfter
                || block.timestamp > session.validUntil
        ) revert SessionDenied(key, token);
        uint256 remaining = session.limit - session.spent;
        if (amount > remaining) revert SessionLimitExceeded(key, amount, remaining);
        // Fits, because the sum is at most the limit, which has 112 bits.
        session.spent += uint112(amount);
        _transfer(token, recipient, amount);
    }

    /// @notice Grants a key the right to transfer a token. Replaces the key's session: use a new key instead, because
    /// operations that the key has signed stay valid. A freeze and a change of the signer end all sessions.
    /// @param key The address of the key.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @param limit Base units that the key may transfer in all.
    /// @param validAfter Unix time in seconds, after which the key is valid.
    /// @param validUntil Unix time in seconds, the last at which the key is valid.
    function grantSession(address key, address token, uint112 limit, uint48 validAfter, uint48 validUntil)
        external
        onlyOperation
    {
        if (key == address(0) || validUntil <= validAfter) revert InvalidSession();
        AccountStorage.State storage $ = AccountStorage.load();
        AccountStorage.Session memory session = AccountStorage.Session({
            token: token, validAfter: validAfter, validUntil: validUntil, limit: limit, spent: 0, epoch: $.epoch
        });
        $.sessions[key] = session;
        emit SessionGranted(key, session);
    }

    /// @notice Revokes a session key.
    /// @param key The address of the key.
    function revokeSession(address key) external onlyOperation {
        delete AccountStorage.load().sessions[key];
        emit SessionRevoked(key);
    }

    /// @notice Replaces the signer. Ends everything that was signed before, and all sessions.
    /// @param newSigner The new signer.
    function changeSigner(address newSigner) external onlyOperation {
        _setSigner(newSigner);
    }

    /// @inheritdoc IGuardedAccount
    function freeze() external onlyGuardian {
        AccountStorage.State storage $ = AccountStorage.load();
        if ($.frozen) return;
        $.frozen = true;
        emit Frozen(++$.epoch);
    }

    /// @inheritdoc IGuardedAccount
    function unfreeze() external onlyGuardian {
        AccountStorage.State storage $ = AccountStorage.load();
        if (!$.frozen) return;
        $.frozen = false;
        emit Unfrozen(++$.epoch);
    }

    /// @inheritdoc IGuardedAccount
    function setCosigner(address cosigner_) external onlyGuardian {
        AccountStorage.load().cosigner = cosigner_;
        emit CosignerSet(cosigner_);
    }

    /// @notice Sets the recovery address of an account that has none.
    /// @param recovery_ The address that may replace the signer after a delay.
    function setRecovery(address recovery_) external onlyOperation {
        AccountStorage.State storage $ = AccountStorage.load();
        if ($.recovery != address(0)) revert RecoveryAlreadySet();
        $.recovery = recovery_;
        emit RecoverySet(recovery_);
    }

    /// @notice Starts to replace the signer. Also possible while the account is frozen, which it stays.
    /// @param newSigner The signer after the recovery. Replaces that of a recovery that has started.
    function startRecovery(address newSigner) external onlyRecovery {
        if (newSigner == address(0)) revert InvalidSigner();
        AccountStorage.State storage $ = AccountStorage.load();
        $.pendingSigner = newSigner;
        $.recoverableAt = uint48(block.timestamp) + RECOVERY_DELAY;
        emit RecoveryStarted(newSigner, $.recoverableAt);
    }

    /// @notice Replaces the signer after the delay. Ends everything that was signed before, and all sessions. A change
    /// of the signer does not stop a recovery, because a stolen signer could make it.
    function finishRecovery() external onlyRecovery {
        AccountStorage.State storage $ = AccountStorage.load();
        (address newSigner, uint256 recoverableAt) = ($.pendingSigner, $.recoverableAt);
        // Unless a recovery has started, the time is zero and the window has passed.
        if (block.timestamp < recoverableAt) revert RecoveryNotReady();
        if (block.timestamp > recoverableAt + RECOVERY_WINDOW) revert RecoveryNotReady();
        _clearRecovery();
        _setSigner(newSigner);
        emit RecoveryFinished(newSigner);
    }

    /// @inheritdoc IGuardedAccount
    function cancelRecovery() external onlyGuardian {
        if (AccountStorage.load().recoverableAt == 0) return;
        _clearRecovery();
        emit RecoveryCanceled();
    }

    /// @inheritdoc IGuardedAccount
    function removeRecovery() external onlyGuardian {
        AccountStorage.load().recovery = address(0);
        _clearRecovery();
        emit RecoveryRemoved();
    }

    /// @notice Returns the key that signs operations.
    /// @return The address of the key.
    function signer() external view returns (address) {
        return AccountStorage.load().signer;
    }

    /// @notice Returns whether the account is frozen.
    /// @return True while it is frozen.
    function frozen() external view returns (bool) {
        return AccountStorage.load().frozen;
    }

    /// @notice Returns the epoch, which is the first 32 bits of each operation's nonce.
    /// @return The number of freezes, unfreezes and changes of the signer so far.
    function epoch() external view returns (uint32) {
        return AccountStorage.load().epoch;
    }

    /// @notice Returns the address that must sign ERC-1271 signatures in addition to the signer.
    /// @return Zero if the account signs no messages.
    function cosigner() external view returns (address) {
        return AccountStorage.load().cosigner;
    }

    /// @notice Returns the recovery address and the recovery that has started.
    /// @return recovery_ The address that may replace the signer after a delay. Zero if there is none.
    /// @return pendingSigner The signer after the recovery. Zero unless one has started.
    /// @return recoverableAt Unix time in seconds, from which it can be finished. Zero unless one has started.
    function recovery() external view returns (address recovery_, address pendingSigner, uint48 recoverableAt) {
        AccountStorage.State storage $ = AccountStorage.load();
        return ($.recovery, $.pendingSigner, $.recoverableAt);
    }

    /// @notice Returns the session of a key.
    /// @param key The address of the key.
    /// @return What the key may do. Without effect if its epoch is not the account's.
    function sessionOf(address key) external view returns (AccountStorage.Session memory) {
        return AccountStorage.load().sessions[key];
    }

    /// @notice Returns the next nonce of lane 0 in the account's epoch. Other lanes: `getNonce(epoch << 160 | lane)`.
    /// @return The nonce for an operation of the signer.
    function getNonce() public view override returns (uint256) {
        return getNonce(uint192(AccountStorage.load().epoch) << 160);
    }

    /// @notice Upgrades to an implementation that the guardian has approved.
    /// @param implementation The new implementation.
    /// @param data Must be empty: the signer alone must not choose how a new implementation is set up.
    function upgradeToAndCall(address implementation, bytes memory data) public payable override {
        if (data.length != 0) revert UpgradeDenied(implementation);
        super.upgradeToAndCall(implementation, data);
    }

    /// @inheritdoc Account
    function entryPoint() public pure override returns (IEntryPoint) {
        return ERC4337Utils.ENTRYPOINT_V08;
    }

    /// @notice Returns whether the signer and the cosigner signed a hash, as in ERC-1271. The signature is nested as in
    /// ERC-7739; its first part is the signer's 65 bytes and the cosigner's 65 bytes.
    /// @param hash The hash that was signed.
    /// @param signature The nested signature.
    /// @return `0x1626ba7e` if it is valid. `0xffffffff` otherwise, and always while the account is frozen.
    function isValidSignature(bytes32 hash, bytes calldata signature) public view override returns (bytes4) {
        return AccountStorage.load().frozen ? bytes4(0xffffffff) : super.isValidSignature(hash, signature);
    }

    /// @dev Validates an operation. The signature is the last second at which the operation is valid (6 bytes, big
    /// endian, not zero) and a signature of 65 bytes over the EIP-712 type `Operation`. The lane of a session's
    /// operation is the address of its key, so that it cannot use up the nonces of the signer. ERC-4337 requires a
    /// return value for a wrong signature; all else reverts.
    function _validateUserOp(PackedUserOperation calldata userOp, bytes32 userOpHash, bytes calldata signature)
        internal
        override
        returns (uint256)
    {
        AccountStorage.State storage $ = AccountStorage.load();
        (address key, bool isFrozen, uint256 currentEpoch) = ($.signer, $.frozen, $.epoch);
        if (isFrozen) revert AccountFrozen();
        if (userOp.nonce >> 224 != currentEpoch) revert StaleEpoch(userOp.nonce >> 224, currentEpoch);
        if (userOp.paymasterAndData.length == 0) revert SelfPaidGas();
        _validatedEpoch = currentEpoch;
        if (signature.length != 71) return ERC4337Utils.SIG_VALIDATION_FAILED;
        uint48 validUntil = uint48(bytes6(signature));
        bytes32 operationHash = _hashTypedDataV4(keccak256(abi.encode(OPERATION_TYPEHASH, userOpHash, validUntil)));
        uint48 validAfter = 0;
        if (bytes4(userOp.callData) == this.executeAsSession.selector) {
            key = address(uint160(uint256(bytes32(userOp.callData[4:36]))));
            AccountStorage.Session storage session = $.sessions[key];
            if (session.epoch != currentEpoch || uint160(userOp.nonce >> 64) != uint160(key)) {
                return ERC4337Utils.SIG_VALIDATION_FAILED;
            }
            validAfter = session.validAfter;
            if (session.validUntil < validUntil) validUntil = session.validUntil;
        }
        // For the EntryPoint, an end of zero means that there is none.
        if (validUntil == 0 || !_isSignedBy(key, operationHash, signature[6:])) {
            return ERC4337Utils.SIG_VALIDATION_FAILED;
        }
        return (uint256(validAfter) << 208) | (uint256(validUntil) << 160);
    }

    /// @dev The account pays for no operation: with the gas price, a stolen signer could send the native coin past its
    /// limit to a bundler. Validation refuses an operation without a paymaster, so nothing is ever missing.
    function _payPrefund(uint256) internal pure override {}

    /// @dev Validates an ERC-1271 signature, after `ERC7739` has unwrapped it. The cosigner's part is bound to the
    /// epoch, so that a freeze also ends messages that were signed before it.
    function _rawSignatureValidation(bytes32 hash, bytes calldata signature) internal view override returns (bool) {
        AccountStorage.State storage $ = AccountStorage.load();
        if ($.cosigner == address(0) || signature.length != 130) return false;
        bytes32 cosignedHash = _hashTypedDataV4(keccak256(abi.encode(COSIGNATURE_TYPEHASH, hash, $.epoch)));
        return _isSignedBy($.signer, hash, signature[:65]) && _isSignedBy($.cosigner, cosignedHash, signature[65:]);
    }

    /// @dev An upgrade needs an operation of the signer and the approval of the guardian.
    function _authorizeUpgrade(address implementation) internal view override onlyOperation {
        if (!GUARDIAN.isApprovedImplementation(implementation)) revert UpgradeDenied(implementation);
    }

    function _isSignedBy(address key, bytes32 hash, bytes calldata signature) private pure returns (bool) {
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(hash, signature);
        return failure == ECDSA.RecoverError.NoError && recovered == key;
    }

    function _setSigner(address newSigner) private {
        if (newSigner == address(0)) revert InvalidSigner();
        AccountStorage.State storage $ = AccountStorage.load();
        $.signer = newSigner;
        emit SignerChanged(newSigner, ++$.epoch);
    }

    function _clearRecovery() private {
        AccountStorage.State storage $ = AccountStorage.load();
        $.pendingSigner = address(0);
        $.recoverableAt = 0;
    }
}
