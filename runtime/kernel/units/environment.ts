import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

import type { Environment } from '../ports.ts';

/**
 * The environment of one unit: what was loaded to override, the process environment, what steps loaded beside it, what
 * the unit began with.
 */
export class UnitEnvironment implements Environment {
  readonly #process: Readonly<Record<string, string | undefined>>;
  readonly #host: Pick<Host, 'parseEnv'>;
  readonly #over = new Map<string, string>();
  readonly #beside = new Map<string, string>();
  readonly #under = new Map<string, string>();
  readonly #learn: (key: string, value: string) => void;
  readonly #declared: readonly string[] | undefined;

  /**
   * `learn` hears of every value that is loaded, so that secrets among them are masked. `declared`: the only keys that
   * steps may read; all without it.
   */
  constructor(
    host: Pick<Host, 'env' | 'parseEnv'>,
    learn: (key: string, value: string) => void,
    declared?: readonly string[],
  ) {
    this.#process = host.env;
    this.#host = host;
    this.#learn = learn;
    this.#declared = declared;
  }

  get(key: string): string | undefined {
    return this.#over.get(key) ?? this.#ofProcess(key) ?? this.#beside.get(key) ?? this.#under.get(key);
  }

  read(key: string, of?: 'process'): string | undefined {
    if (this.#declared?.includes(key) === false) throw fail.environmentKeyUndeclared({ key });
    return of === 'process' ? this.#ofProcess(key) : this.get(key);
  }

  load(values: Readonly<Record<string, string>>, options: { readonly override?: boolean } = {}): void {
    const { override } = options;
    const layer = override === undefined ? this.#under : override ? this.#over : this.#beside;
    for (const [key, value] of Object.entries(values)) {
      if (layer !== this.#beside || !layer.has(key)) layer.set(key, value);
      this.#learn(key, value);
    }
  }

  /** Remembers what is loaded now; what it yields forgets what was loaded since. */
  save(): () => void {
    const layers = [this.#over, this.#beside, this.#under].map((layer) => [layer, [...layer]] as const);
    return () => {
      for (const [layer, entries] of layers) refill(layer, entries);
    };
  }

  parse(text: string): Readonly<Record<string, string>> {
    return this.#host.parseEnv(text);
  }

  all(): Readonly<Record<string, string>> {
    const result: Record<string, string> = Object.fromEntries([...this.#under, ...this.#beside]);
    for (const [key, value] of Object.entries(this.#process)) if (value !== undefined) result[key] = value;
    return Object.assign(result, Object.fromEntries(this.#over));
  }

  #ofProcess(key: string): string | undefined {
    return Object.hasOwn(this.#process, key) ? this.#process[key] : undefined;
  }
}

function refill(layer: Map<string, string>, entries: readonly (readonly [string, string])[]): void {
  layer.clear();
  for (const [key, value] of entries) layer.set(key, value);
}
