export interface FilesyncLogin {
  readonly token: string;
  /** Another service with the same interface, for all that is asked. */
  readonly endpoint?: string | undefined;
}
