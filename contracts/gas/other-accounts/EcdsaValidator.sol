// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC7579Validator} from "@openzeppelin/contracts/interfaces/draft-IERC7579.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

/// @notice Lets one ECDSA key own an ERC-7579 account. Only for measuring gas.
contract EcdsaValidator is IERC7579Validator {
    mapping(address account => address owner) public ownerOf;

    function onInstall(bytes calldata owner) external {
        ownerOf[msg.sender] = address(bytes20(owner));
    }

    function onUninstall(bytes calldata) external {
        delete ownerOf[msg.sender];
    }

    function isModuleType(uint256 moduleType) external pure returns (bool) {
        return moduleType == 1;
    }

    function validateUserOp(PackedUserOperation calldata operation, bytes32 hash) external view returns (uint256) {
        return _isSigned(hash, operation.signature) ? 0 : 1;
    }

    function isValidSignatureWithSender(address, bytes32 hash, bytes calldata signature)
        external
        view
        returns (bytes4)
    {
        return _isSigned(hash, signature) ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }

    function _isSigned(bytes32 hash, bytes calldata signature) private view returns (bool) {
        return ECDSA.recover(MessageHashUtils.toEthSignedMessageHash(hash), signature) == ownerOf[msg.sender];
    }
}
