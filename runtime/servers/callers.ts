import type { AccessList } from './access-list.ts';
import { isBearer, isSecret } from './secret.ts';

/** Somebody who may call a server, with commands of their own. */
export interface Caller {
  /** Absent for whoever knows the secret that all share, and where none is asked for. */
  readonly name?: string;
  /** Null: none is asked for. */
  readonly secret: string | null;
  readonly access: AccessList;
}

/** Everybody who may call a server, told apart by their secrets. */
export class Callers {
  readonly #all: readonly Caller[];

  /** Several callers have different secrets. */
  constructor(all: readonly Caller[]) {
    this.#all = all;
  }

  /** An empty secret is none. */
  get askForSecret(): boolean {
    return this.#all.every(({ secret }) => secret !== null && secret !== '');
  }

  bySecret(given: string | undefined): Caller | undefined {
    return this.#whose((secret) => isSecret(given, secret));
  }

  /** The same by the header `authorization`. */
  byBearer(header: string | undefined): Caller | undefined {
    return this.#whose((secret) => isBearer(header, secret));
  }

  /** Whether a command is there for anybody. */
  allows(command: string): boolean {
    return this.#all.some(({ access }) => access.allows(command));
  }

  /** Looks at all of them: time does not tell which one came near. */
  #whose(isIts: (secret: string) => boolean): Caller | undefined {
    return this.#all.filter(({ secret }) => secret === null || isIts(secret))[0];
  }
}
