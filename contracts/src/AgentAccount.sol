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
/// epoch, whose id cannot be known before. Each signature and each call of an operation names the id of its epoch, so
/// nothing that was signed earlier is ever valid again.
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

    /// @dev EIP-712 type that the signer or a session key signs for an operation. `session` is the number of the key's
    /// session, and zero for the signer.
    bytes32 private constant OPERATION_TYPEHASH =
        keccak256("Operation(bytes32 userOpHash,uint48 validUntil,uint80 epochId,uint32 session)");

    /// @dev EIP-712 type that the cosigner signs for an ERC-1271 signature.
    bytes32 private constant COSIGNATURE_TYPEHASH = keccak256("Cosignature(bytes32 hash,uint80 epochId)");

    /// @notice The account has a new signer, and a new epoch has started.
    /// @param signer The new signer.
    /// @param epochId The id of the new epoch.
    event SignerChanged(address indexed signer, uint80 epochId);

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

    /// @notice The signer is the zero address, the cosigner or the recovery address: one key would do what two are for.
    error InvalidSigner();

    /// @notice The account is frozen.
    error AccountFrozen();

    /// @notice The operation was signed in another epoch, or the epoch to unfreeze is over.
    /// @param actual The number of the epoch in the operation's nonce; otherwise the id in the call.
    /// @param expected The number, or the id, of the account's epoch.
    error StaleEpoch(uint256 actual, uint256 expected);

    /// @notice The operation has no paymaster, and the account pays for no operation.
    error SelfPaidGas();

    /// @notice The session has no key, or it ends before it begins.
    error InvalidSession();

    /// @notice The key has no session with this number in this epoch, or the session is for another token.
    /// @param key The address of the key.
    /// @param token The token that the key was to transfer.
    error SessionDenied(address key, address token);

    /// @notice A transfer would exceed the limit of the session, or is of nothing.
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

    /// @notice The guardian has not approved the recovery address for this account.
    /// @param recovery The address that the signer wants to set.
    error RecoveryDenied(address recovery);

    /// @dev For functions that the signer calls: only by an operation, and not while frozen. The EntryPoint validates
    /// all operations of a bundle before it executes the first, so execution checks the freeze and the epoch again. It
    /// needs nothing that validation has left, so a bundler can estimate its gas by a call from the EntryPoint.
    modifier onlyOperation(uint80 epochId_) {
        _checkEntryPoint();
        _checkEpoch(epochId_);
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
        if (signer_ == address(0) || signer_ == recovery_) revert InvalidSigner();
        $.signer = signer_;
        if (recovery_ != address(0)) $.recovery = recovery_;
    }

    /// @notice Transfers a token or the native coin within the rules of the account.
    /// @param epochId_ The id of the account's epoch.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @param recipient The address that is paid.
    /// @param amount In base units.
    function transfer(uint80 epochId_, address token, address recipient, uint256 amount)
        external
        onlyOperation(epochId_)
    {
        _transfer(token, recipient, amount);
    }

    /// @notice Makes a call within the rules of the account.
    /// @param epochId_ The id of the account's epoch.
    /// @param target The contract to call, or the recipient of the native coin.
    /// @param value The native coin to send, in wei.
    /// @param data The function and its arguments. Empty to send only the native coin.
    function execute(uint80 epochId_, address target, uint256 value, bytes calldata data)
        external
        onlyOperation(epochId_)
    {
        _call(target, value, data);
    }

    /// @notice Makes several calls within the rules of the account. All or none take effect.
    /// @param epochId_ The id of the account's epoch. A call that ends the epoch ends the batch.
    /// @param calls The calls, in their order.
    function executeBatch(uint80 epochId_, Call[] calldata calls) external onlyOperation(epochId_) {
        for (uint256 i = 0; i < calls.length; ++i) {
            _checkEpoch(epochId_);
            _call(calls[i].target, calls[i].value, calls[i].data);
        }
    }

    /// @notice Transfers a token for a session key. Validation requires the signature of that key.
    /// @param epochId_ The id of the account's epoch.
    /// @param key The address of the session key.
    /// @param number The number of the session.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @param recipient The address that is paid.
    /// @param amount In base units. Counts in the session's limit and in the account's.
    function executeAsSession(
        uint80 epochId_,
        address key,
        uint32 number,
        address token,
        address recipient,
        uint256 amount
    ) external onlyOperation(epochId_) {
        AccountStorage.Session storage session = _requireSession(key, number, token, amount);
        // The EntryPoint has compared the session's times, which never change. The sum fits, because it is at most the
        // limit, which has 96 bits.
        session.spent += uint96(amount);
        _transfer(token, recipient, amount);
    }

    /// @notice Grants a key the right to transfer a token. Replaces the key's session, and ends what the key has signed
    /// for it. A freeze and a change of the signer end all sessions.
    /// @param epochId_ The id of the account's epoch.
    /// @param key The address of the key.
    /// @param token The ERC-20 token, or zero for the native coin.
    /// @param limit Base units that the key may transfer in all.
    /// @param validAfter Unix time in seconds, after which the key is valid.
    /// @param validUntil Unix time in seconds, the last at which the key is valid.
    function grantSession(
        uint80 epochId_,
        address key,
        address token,
        uint96 limit,
        uint48 validAfter,
        uint48 validUntil
    ) external onlyOperation(epochId_) {
        if (key == address(0) || validUntil <= validAfter) revert InvalidSession();
        AccountStorage.State storage $ = AccountStorage.load();
        AccountStorage.Session memory session = AccountStorage.Session({
            token: token,
            validAfter: validAfter,
            validUntil: validUntil,
            limit: limit,
            spent: 0,
            epoch: epoch(),
            number: ++$.sessionCount
        });
        $.sessions[key] = session;
        emit SessionGranted(key, session);
    }

    /// @notice Revokes a session key.
    /// @param epochId_ The id of the account's epoch.
    /// @param key The address of the key.
    function revokeSession(uint80 epochId_, address key) external onlyOperation(epochId_) {
        delete AccountStorage.load().sessions[key];
        emit SessionRevoked(key);
    }

    /// @notice Replaces the signer. Ends everything that was signed before, and all sessions.
    /// @param epochId_ The id of the account's epoch.
    /// @param newSigner The new signer.
    function changeSigner(uint80 epochId_, address newSigner) external onlyOperation(epochId_) {
        _setSigner(newSigner);
    }

    /// @inheritdoc IGuardedAccount
    function freeze(uint48 salt) external onlyGuardian returns (uint80 id) {
        AccountStorage.load().frozen = true;
        id = _startEpoch(salt);
        emit Frozen(id);
    }

    /// @inheritdoc IGuardedAccount
    function unfreeze(uint80 frozenId, uint48 salt) external onlyGuardian {
        AccountStorage.State storage $ = AccountStorage.load();
        if (frozenId != $.epochId) revert StaleEpoch(frozenId, $.epochId);
        if (!$.frozen) return;
        $.frozen = false;
        emit Unfrozen(_startEpoch(salt));
    }

    /// @inheritdoc IGuardedAccount
    function setCosigner(address cosigner_) external onlyGuardian {
        AccountStorage.State storage $ = AccountStorage.load();
        if (cosigner_ == $.signer) revert InvalidSigner();
        $.cosigner = cosigner_;
        emit CosignerSet(cosigner_);
    }

    /// @notice Sets the recovery address of an account that has none. The guardian must have approved it for this
    /// account, so that a thief of the signer cannot set one that takes the account during a freeze.
    /// @param epochId_ The id of the account's epoch.
    /// @param recovery_ The address that may replace the signer after a delay.
    function setRecovery(uint80 epochId_, address recovery_) external onlyOperation(epochId_) {
        AccountStorage.State storage $ = AccountStorage.load();
        if ($.recovery != address(0)) revert RecoveryAlreadySet();
        if (GUARDIAN.approvedRecovery(address(this)) != recovery_) revert RecoveryDenied(recovery_);
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

    /// @notice Returns the number of the epoch, which is the first 32 bits of each operation's nonce.
    /// @return The number of freezes, unfreezes and changes of the signer so far.
    function epoch() public view returns (uint32) {
        return uint32(AccountStorage.load().epochId >> 48);
    }

    /// @notice Returns the id of the epoch, which each operation and each cosignature names.
    /// @return The number of the epoch (32 bits) and its salt (48 bits), which cannot be known before the epoch starts.
    function epochId() external view returns (uint80) {
        return AccountStorage.load().epochId;
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
    /// @return What the key may do, and the number of the session. Without effect if its epoch is not the account's.
    function sessionOf(address key) external view returns (AccountStorage.Session memory) {
        return AccountStorage.load().sessions[key];
    }

    /// @notice Returns the next nonce of lane 0 in the account's epoch. Other lanes: `getNonce(epoch << 160 | lane)`.
    /// @return The nonce for an operation of the signer.
    function getNonce() public view override returns (uint256) {
        return getNonce(uint192(epoch()) << 160);
    }

    /// @notice Upgrades to an implementation that the guardian has approved.
    /// @param epochId_ The id of the account's epoch.
    /// @param implementation The new implementation.
    function upgrade(uint80 epochId_, address implementation) external onlyOperation(epochId_) {
        super.upgradeToAndCall(implementation, "");
    }

    /// @notice Always refused: `upgrade` names the epoch, and lets no one choose how a new implementation is set up.
    /// @param implementation The new implementation.
    function upgradeToAndCall(address implementation, bytes memory) public payable override {
        revert UpgradeDenied(implementation);
    }

    /// @inheritdoc Account
    function entryPoint() public pure override returns (IEntryPoint) {
        return ERC4337Utils.ENTRYPOINT_V08;
    }

    /// @notice Returns whether the signer and the cosigner signed a hash, as in ERC-1271. The signature is nested as in
    /// ERC-7739; its first part is the signer's 65 bytes and the cosigner's 65 bytes.
    /// @param hash The hash that was signed.
    /// @param signature The nested signature.
    /// @return `0x1626ba7e` if it is valid, and `0x77390001` for the request that detects ERC-7739. `0xffffffff` otherwise,
    /// and always while the account is frozen.
    function isValidSignature(bytes32 hash, bytes calldata signature) public view override returns (bytes4) {
        return AccountStorage.load().frozen ? bytes4(0xffffffff) : super.isValidSignature(hash, signature);
    }

    /// @dev Validates an operation. The signature is the last second at which the operation is valid (6 bytes, big
    /// endian, not zero) and a signature of 65 bytes over the EIP-712 type `Operation`. The lane of a session's
    /// operation is the address of its key, so that it cannot use up the nonces of the signer. Refuses what the session
    /// does not allow, so that its key cannot make a paymaster pay for what must fail. ERC-4337 requires a return value
    /// for a wrong signature; all else reverts.
    function _validateUserOp(PackedUserOperation calldata userOp, bytes32 userOpHash, bytes calldata signature)
        internal
        view
        override
        returns (uint256)
    {
        AccountStorage.State storage $ = AccountStorage.load();
        (address key, bool isFrozen, uint80 currentId) = ($.signer, $.frozen, $.epochId);
        if (isFrozen) revert AccountFrozen();
        if (userOp.nonce >> 224 != currentId >> 48) revert StaleEpoch(userOp.nonce >> 224, currentId >> 48);
        if (userOp.paymasterAndData.length == 0) revert SelfPaidGas();
        if (signature.length != 71) return ERC4337Utils.SIG_VALIDATION_FAILED;
        uint48 validUntil = uint48(bytes6(signature));
        (uint48 validAfter, uint48 end, uint32 number) = (0, validUntil, 0);
        if (bytes4(userOp.callData) == this.executeAsSession.selector) {
            AccountStorage.Session storage session;
            (key, session) = _sessionIn(userOp.callData[4:]);
            if (uint160(userOp.nonce >> 64) != uint160(key)) return ERC4337Utils.SIG_VALIDATION_FAILED;
            (validAfter, number) = (session.validAfter, session.number);
            if (session.validUntil < end) end = session.validUntil;
        }
        bytes32 operationHash = keccak256(abi.encode(OPERATION_TYPEHASH, userOpHash, validUntil, currentId, number));
        // For the EntryPoint, an end of zero means that there is none.
        if (end == 0 || !_isSignedBy(key, _hashTypedDataV4(operationHash), signature[6:])) {
            return ERC4337Utils.SIG_VALIDATION_FAILED;
        }
        return (uint256(validAfter) << 208) | (uint256(end) << 160);
    }

    /// @dev The account pays for no operation: with the gas price, a stolen signer could send the native coin past its
    /// limit to a bundler. Validation refuses an operation without a paymaster, so nothing is ever missing.
    function _payPrefund(uint256) internal pure override {}

    /// @dev Validates an ERC-1271 signature, after `ERC7739` has unwrapped it. The cosigner's part is bound to the
    /// epoch, so that a freeze also ends messages that were signed before it.
    function _rawSignatureValidation(bytes32 hash, bytes calldata signature) internal view override returns (bool) {
        AccountStorage.State storage $ = AccountStorage.load();
        if ($.cosigner == address(0) || signature.length != 130) return false;
        bytes32 cosignedHash = _hashTypedDataV4(keccak256(abi.encode(COSIGNATURE_TYPEHASH, hash, $.epochId)));
        return _isSignedBy($.signer, hash, signature[:65]) && _isSignedBy($.cosigner, cosignedHash, signature[65:]);
    }

    /// @dev An upgrade needs the approval of the guardian, and `upgrade` an operation of the signer.
    function _authorizeUpgrade(address implementation) internal view override {
        if (!GUARDIAN.isApprovedImplementation(implementation)) revert UpgradeDenied(implementation);
    }

    function _isSignedBy(address key, bytes32 hash, bytes calldata signature) private pure returns (bool) {
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(hash, signature);
        return failure == ECDSA.RecoverError.NoError && recovered == key;
    }

    function _checkEpoch(uint80 epochId_) private view {
        AccountStorage.State storage $ = AccountStorage.load();
        (bool isFrozen, uint80 currentId) = ($.frozen, $.epochId);
        if (isFrozen) revert AccountFrozen();
        if (epochId_ != currentId) revert StaleEpoch(epochId_, currentId);
    }

    /// @dev Starts an epoch. Its salt depends on the hash of the last block, so that no one can sign for the epoch before,
    /// and on a number that the guardian's caller keeps secret until it sends its transaction.
    function _startEpoch(uint256 salt) private returns (uint80 id) {
        AccountStorage.State storage $ = AccountStorage.load();
        bytes32 mixed = keccak256(abi.encode($.epochId, blockhash(block.number - 1), salt));
        // The number starts again from zero after 2^32 epochs, because a freeze must never fail.
        id = ((($.epochId >> 48) + 1) << 48) | uint48(uint256(mixed));
        $.epochId = id;
    }

    function _setSigner(address newSigner) private {
        AccountStorage.State storage $ = AccountStorage.load();
        // Without a cosigner, its address is zero.
        if (newSigner == address(0) || newSigner == $.cosigner) revert InvalidSigner();
        $.signer = newSigner;
        emit SignerChanged(newSigner, _startEpoch(uint160(newSigner)));
    }

    /// @dev Returns the key and its session, if this call of `executeAsSession` is of this epoch and the session allows it.
    function _sessionIn(bytes calldata arguments)
        private
        view
        returns (address key, AccountStorage.Session storage session)
    {
        (uint80 epochId_, uint32 number, address token, address recipient, uint256 amount) =
            (0, 0, address(0), address(0), 0);
        (epochId_, key, number, token, recipient, amount) =
            abi.decode(arguments, (uint80, address, uint32, address, address, uint256));
        _checkEpoch(epochId_);
        _checkRecipient(recipient);
        session = _requireSession(key, number, token, amount);
    }

    /// @dev Returns the session of a key, if it has this number and allows to transfer the amount of this token.
    function _requireSession(address key, uint32 number, address token, uint256 amount)
        private
        view
        returns (AccountStorage.Session storage session)
    {
        session = AccountStorage.load().sessions[key];
        if (session.number != number || session.epoch != epoch() || session.token != token) {
            revert SessionDenied(key, token);
        }
        uint256 remaining = session.limit - session.spent;
        if (amount == 0 || amount > remaining) revert SessionLimitExceeded(key, amount, remaining);
    }

    function _clearRecovery() private {
        AccountStorage.State storage $ = AccountStorage.load();
        $.pendingSigner = address(0);
        $.recoverableAt = 0;
    }
}
