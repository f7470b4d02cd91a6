import type { BankVerificationMethod } from "../foundation/vocabulary.ts";

/** What a user did in the browser with a link token: a public token, and the accounts that the user chose. */
export interface LinkedItem {
  readonly publicToken: string;
  /** The vendor's ids of the accounts that the user chose. */
  readonly accountIds: readonly string[];
}

/** A login at a bank. The access token is a secret that reads the accounts. */
export interface BankItem {
  readonly accessToken: string;
  readonly itemId: string;
}

export interface BankAccount {
  /** The vendor's id of the account. */
  readonly accountId: string;
  /** The account's name at the bank. */
  readonly name: string;
  /** The last digits of the account number. */
  readonly mask: string | null;
  /** `depository` for the accounts that can be linked. */
  readonly type: string;
  readonly subtype: string | null;
  /** Null if the account was verified by login, so that no verification is under way. */
  readonly verificationStatus: "pending" | "automatically_verified" | "failed" | null;
  /** Null until the account is verified. */
  readonly numbers: { readonly accountNumber: string; readonly routingNumber: string } | null;
}

export interface PostalAddress {
  readonly line1: string;
  readonly line2: string | null;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** The owner of a bank account, as the bank knows it. What the bank does not know is null. */
export interface BankAccountOwner {
  readonly legalName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: PostalAddress | null;
}

/** The state of a login at a bank. */
export interface BankItemState {
  readonly institutionName: string | null;
  /** The vendor's code of the error that a user must mend by linking again, such as `ITEM_LOGIN_REQUIRED`. */
  readonly errorCode: string | null;
}

/**
 * A vendor that connects bank accounts (Plaid Link, https://plaid.com/docs/link). Throws only `VendorError`.
 *
 * The access and public tokens are secrets: they appear in no error.
 */
export interface BankLink {
  /** Creates a token that starts the vendor's pages in a browser. */
  createLinkToken(link: {
    /** Purser's own id of the user, which must not be personal data. */
    readonly clientUserId: string;
    /** ISO 639-1, for example `en`. */
    readonly language: string;
    readonly redirectUri: string | null;
    readonly accountSubtypes: readonly ("checking" | "savings")[];
    readonly verificationMethod: BankVerificationMethod;
    /** The URL to which the vendor reports changes. */
    readonly webhookUrl: string;
    /** Set to repair an existing login (Plaid's update mode) instead of making a new one. */
    readonly accessToken: string | null;
  }): Promise<{ readonly linkToken: string; readonly expiresAt: Date }>;
  /** Returns what users linked with this token. */
  readLinkToken(linkToken: string): Promise<readonly LinkedItem[]>;
  /** Exchanges a public token. Throws `refused` if it is unknown, expired or used. */
  exchangePublicToken(publicToken: string): Promise<BankItem>;
  /** Throws `not_found` if the login has no such account. */
  readAccount(account: { readonly accessToken: string; readonly accountId: string }): Promise<BankAccount>;
  readOwner(account: { readonly accessToken: string; readonly accountId: string }): Promise<BankAccountOwner>;
  /** Returns from 0 to 100 how well the name matches the owner's, or null if the bank knows no name. */
  matchOwnerName(account: {
    readonly accessToken: string;
    readonly accountId: string;
    readonly legalName: string;
  }): Promise<number | null>;
  readItem(accessToken: string): Promise<BankItemState>;
  /** Ends the login. Succeeds if it has ended already. */
  removeItem(accessToken: string): Promise<void>;
}
