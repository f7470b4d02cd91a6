// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice A token with 6 decimals, which anyone can mint. Local networks have its code at the address of USDC, without a
/// call of the constructor.
contract MockToken is ERC20("", "") {
    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    function name() public pure override returns (string memory) {
        return "USD Coin";
    }

    function symbol() public pure override returns (string memory) {
        return "USDC";
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }
}
