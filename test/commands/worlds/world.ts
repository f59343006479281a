import type { Settings } from '#runtime/kernel/ports.ts';

/** Makes what an example finds when it runs (`given: [name]`): the module `worlds/<name>.ts` exports `world`. */
export type MakeWorld = (around: WorldSurroundings) => Promise<World>;

export interface WorldSurroundings {
  /** The empty folder in which examples run: working directory and folder of the action file. */
  readonly root: string;
}

export interface World extends AsyncDisposable {
  /** Steps that run before the example's own and open what it uses. */
  readonly before?: readonly unknown[];
  /** Steps that bring what `before` opened back to its beginning, so that examples can share it. */
  readonly reset?: readonly unknown[];
  /** Values of `${ENV.…}`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Partial<Settings>;
}
