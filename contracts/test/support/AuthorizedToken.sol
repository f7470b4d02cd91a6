// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @notice A token that, as USDC does since its version 2.2, accepts the ERC-1271 signature of a contract for a transfer
/// and for an allowance.
contract AuthorizedToken is ERC20("USD Coin", "USDC"), EIP712("USD Coin", "2") {
    error InvalidSignature();
    error AuthorizationUsed();

    mapping(address owner => mapping(bytes32 nonce => bool)) private _isUsed;

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }

    function transferWithAuthorization(address from, address to, uint256 value, bytes32 nonce, bytes calldata signature)
        external
    {
        if (_isUsed[from][nonce]) revert AuthorizationUsed();
        if (!SignatureChecker.isValidSignatureNow(from, digestOfTransfer(from, to, value, nonce), signature)) {
            revert InvalidSignature();
        }
        _isUsed[from][nonce] = true;
        _transfer(from, to, value);
    }

    function permit(address owner, address spender, uint256 value, bytes32 nonce, bytes calldata signature) external {
        if (_isUsed[owner][nonce]) revert AuthorizationUsed();
        if (!SignatureChecker.isValidSignatureNow(owner, digestOfPermit(owner, spender, value, nonce), signature)) {
            revert InvalidSignature();
        }
        _isUsed[owner][nonce] = true;
        _approve(owner, spender, value);
    }

    function digestOfTransfer(address from, address to, uint256 value, bytes32 nonce) public view returns (bytes32) {
        return _digest(
            "TransferWithAuthorization(address from,address to,uint256 value,bytes32 nonce)", from, to, value, nonce
        );
    }

    function digestOfPermit(address owner, address spender, uint256 value, bytes32 nonce)
        public
        view
        returns (bytes32)
    {
        return _digest(
            "Permit(address owner,address spender,uint256 value,bytes32 nonce)", owner, spender, value, nonce
        );
    }

    function _digest(string memory structType, address from, address to, uint256 value, bytes32 nonce)
        private
        view
        returns (bytes32)
    {
        return _hashTypedDataV4(keccak256(abi.encode(keccak256(bytes(structType)), from, to, value, nonce)));
    }
}
