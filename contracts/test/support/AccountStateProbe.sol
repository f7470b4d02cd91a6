// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountStorage} from "../../src/AccountStorage.sol";

/// @notice Declares the account's state as a variable, so that the compiler describes its layout.
contract AccountStateProbe {
    AccountStorage.State private _state;
}
