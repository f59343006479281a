export interface Drive3Login {
  readonly token: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** File with the `refresh_token`, which is rewritten at each renewal: every one is good once. */
  readonly tokenPath?: string | undefined;
  /** Another service with the same interface, for all that is asked. */
  readonly endpoint?: string | undefined;
}
