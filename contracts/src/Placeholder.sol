// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {LibClone} from "solady/utils/LibClone.sol";

contract Placeholder is IERC1271 {
    uint256 public value;

    error TooLarge(uint256 value);

    event ValueSet(uint256 indexed value);

    function set(uint256 newValue) external {
        if (newValue > 1000) revert TooLarge(newValue);
        value = newValue;
        emit ValueSet(newValue);
    }

    function clone(bytes32 salt) external returns (address) {
        return LibClone.deployDeterministicERC1967(address(this), salt);
    }

    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0xffffffff;
    }
}
