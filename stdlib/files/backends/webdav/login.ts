/** Address of a server, and the login there. */
export interface WebdavLogin {
  /** Address of the base folder, http or https. */
  readonly baseUrl: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Lets private networks and this machine in, unless that is denied. */
  readonly allowPrivate: boolean;
  readonly timeoutMs: number;
  /** False: any certificate; text: path of a bundle, or a folder, of trusted authorities. */
  readonly verify: boolean | string;
}
