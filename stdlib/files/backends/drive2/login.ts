export interface Drive2Login {
  readonly token: string;
  /** Another service with the same interface, such as that of a national cloud. */
  readonly endpoint?: string | undefined;
  /** Proof that a sign-in has left to renew the token with. */
  readonly renewal?: Renewal | undefined;
}

/** Origin of a token, and what it is renewed with. */
export interface Renewal extends Pick<DeviceCode, 'clientId' | 'scopes' | 'authority'> {
  readonly tenant: string;
  readonly refreshToken: string;
  readonly expiresAt: number;
}

export interface DeviceCode {
  readonly clientId: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
  readonly seconds: number;
  readonly endpoint?: string | undefined;
  /** Address at which people of another cloud sign in. */
  readonly authority?: string | undefined;
}

export interface SignedIn {
  readonly expires_in: number;
  readonly scope: string;
}
