// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AgentAccount} from "../../src/AgentAccount.sol";
import {AgentAccountFactory} from "../../src/AgentAccountFactory.sol";
import {AgentGuardian} from "../../src/AgentGuardian.sol";
import {AccountFixture} from "../support/AccountFixture.sol";

/// @notice `AgentAccountFactory.accountOf`
contract AgentAccountFactoryAccountOfTest is AccountFixture {
    function test_dependsOnEachArgument() public view {
        address[4] memory addresses = [
            factory.accountOf(signer, recoverer, SALT_ZERO),
            factory.accountOf(stranger, recoverer, SALT_ZERO),
            factory.accountOf(signer, stranger, SALT_ZERO),
            factory.accountOf(signer, recoverer, bytes32(uint256(1)))
        ];
        for (uint256 i = 0; i < addresses.length; ++i) {
            for (uint256 k = 0; k < i; ++k) {
                assertNotEq(addresses[i], addresses[k]);
            }
        }
    }

    function test_signerAndRecoveryAddressCannotBeSwapped() public view {
        assertNotEq(factory.accountOf(signer, recoverer, SALT_ZERO), factory.accountOf(recoverer, signer, SALT_ZERO));
    }

    function test_isTheSameBeforeAndAfterTheDeployment() public {
        address predicted = factory.accountOf(signer, recoverer, SALT_ZERO);
        factory.createAccount(signer, recoverer, SALT_ZERO);
        assertEq(factory.accountOf(signer, recoverer, SALT_ZERO), predicted);
    }

    function test_dependsOnTheImplementationAndSoOnTheGuardian() public {
        AgentGuardian otherGuardian = new AgentGuardian(admin, ADMIN_DELAY);
        address expected = factory.accountOf(signer, recoverer, SALT_ZERO);
        assertEq(addressWith(implementation), expected, "the factory depends on something else");
        assertNotEq(addressWith(new AgentAccount(guardian)), expected);
        assertNotEq(addressWith(new AgentAccount(otherGuardian)), expected);
    }

    function test_dependsOnTheFactory() public {
        AgentAccountFactory otherFactory = new AgentAccountFactory(address(implementation));
        assertNotEq(
            otherFactory.accountOf(signer, recoverer, SALT_ZERO), factory.accountOf(signer, recoverer, SALT_ZERO)
        );
    }

    function test_namesItsImplementation() public view {
        assertEq(factory.IMPLEMENTATION(), address(implementation));
    }

    /// @notice Returns the address that an account of this implementation has with a factory at the same address.
    function addressWith(AgentAccount otherImplementation) private returns (address predicted) {
        bytes memory code = address(factory).code;
        vm.etch(address(factory), address(new AgentAccountFactory(address(otherImplementation))).code);
        predicted = factory.accountOf(signer, recoverer, SALT_ZERO);
        vm.etch(address(factory), code);
    }
}
