import type { IncomingMessage } from 'node:http';

const NAME = 'svc_dashboard';
/** Most people who are signed in at once; the oldest sign-in is forgotten first. */
const MOST = 100;

/** Browsers that have given the secret, known by a random token in a cookie that scripts and other sites do not get. */
export class SignedIn {
  readonly #token: () => string;
  readonly #tokens = new Set<string>();

  constructor(token: () => string) {
    this.#token = token;
  }

  /** The cookie of one more. */
  add(): string {
    const token = this.#token();
    this.#tokens.add(token);
    const [oldest] = this.#tokens;
    if (this.#tokens.size > MOST && oldest !== undefined) this.#tokens.delete(oldest);
    return `${NAME}=${token}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /**
   * Whether a request is signed in, by a look into a table: a digest of the table's own is compared there, and
   * tokens are random.
   */
  has({ headers }: IncomingMessage): boolean {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
    return pairs.some((pair) => pair.startsWith(`${NAME}=`) && this.#tokens.has(pair.slice(NAME.length + 1)));
  }
}
