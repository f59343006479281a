import type { Clock, Random } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Scope } from '../scope.ts';

/** Everything that references and conditions of one step can see. */
export interface Surroundings {
  readonly scope: Scope;
  readonly world: World;
  /** The current dataset row; numbers count from 1. */
  readonly row?: { readonly number: number; readonly values: JsonObject };
  /** Inside the list of a watch. */
  readonly event?: Readonly<Record<string, string>>;
  /** The step's own result, where `expect` and `save_as` are worked out. */
  readonly result?: { readonly value: unknown };
  /** Nothing is called: what only a real run could know is unknown. */
  readonly dry: boolean;
}

/** Facts that stay the same for all steps of a unit. */
export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly run: { readonly id: string; readonly startedAt: number };
  readonly folders: { readonly cwd: string; readonly root: string; readonly here: string; readonly home?: string };
  /** `${MATRIX.key}`: the combination of the unit. */
  readonly matrix: JsonObject;
  /** `${ENV.KEY}`; of the process alone `${env:KEY}`. */
  environment(key: string, of?: 'process'): string | undefined;
  isSecretKey(key: string): boolean;
  /** Text of a secret file; rejects with a failure where there is none. */
  secretFile(name: string): Promise<string>;
  /** The run's temporary folder, made on first use. */
  temporary(): Promise<string>;
}

/**
 * Findings made while one step's values are filled. Its parts are made only when needed: most steps hold no
 * reference.
 */
export class Filling {
  #secrets: Map<unknown, string> | undefined;
  #fetched: Map<string, string> | undefined;
  /** Some value came from a reference: the arguments must be checked now. */
  dynamic = false;
  /** Values under way; all must come before the rest can be filled again. */
  waiting: Promise<void>[] | undefined;

  /** Secrets among the values with what is shown instead, also those too short to be searched for in texts. */
  get secrets(): ReadonlyMap<unknown, string> | undefined {
    return this.#secrets;
  }

  /** Nothing is no secret. */
  addSecret(value: unknown, shown = '***'): void {
    if (value === null || value === undefined) return;
    (this.#secrets ??= new Map()).set(value, shown);
  }

  /** A value that takes time, begun once; undefined until it has come. */
  fetch(key: string, begin: () => Promise<string>): string | undefined {
    const value = this.#fetched?.get(key);
    if (value === undefined)
      (this.waiting ??= []).push(begin().then((text) => void (this.#fetched ??= new Map()).set(key, text)));
    return value;
  }
}

/** Stands for a value that only a real run could know. */
export class Unknown {
  readonly $unknown: Json;

  constructor(text: string) {
    this.$unknown = text;
  }
}
