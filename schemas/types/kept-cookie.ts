/** A cookie of any site with all its marks, in the words of Playwright's storage states. */
export interface KeptCookie {
  readonly name: string;
  readonly value: string;
  /** Begins with a dot where subdomains get the cookie, too. */
  readonly domain: string;
  readonly path: string;
  /** Seconds since 1970; -1: until the session ends. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None';
}
