import type { StepInfo } from '#runtime/kernel/ports.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly modules: Modules;
  }
}

/**
 * Modules of others: packages that are installed beside the action file or above it, and files of the project. Whatever
 * is asked for, the gate `packages` and the list of allowed modules are looked at before anything of it is read.
 */
export interface Modules {
  /**
   * Loads a module as a plan names it: a package, or a file by its path from the project root. With `#export`, that
   * function must be there.
   */
  load(name: string): Promise<void>;
  /** The same, and puts its functions, or the one behind `#`, into the table that callback runs read. */
  loadForCallbacks(name: string): Promise<void>;
  /** A function by `<file>#<export>`; the file stands beside the action file. */
  reference(text: string): Promise<ModuleFunction>;
  /** A function of a module as a plan names it. */
  find(place: string, name: string): Promise<ModuleFunction>;
  /**
   * Calls a function, and ends it where the time of its step is over and it holds the process: until it returns,
   * nothing else is done. What it would have returned never comes then.
   */
  within(step: Pick<StepInfo, 'deadline'>, call: () => unknown): Promise<unknown>;
  /** Loads the plugins of the project, in the order of their names; one that cannot be loaded is named and left out. */
  plugins(): Promise<readonly LoadedPlugin[]>;
}

/** A package of the project that says `svc.actions` in its `package.json`. */
export interface LoadedPlugin {
  readonly name: string;
  readonly version: string | null;
  /** `./file#function`, as its `package.json` has it. */
  readonly target: string;
  /** Sorted. Empty where it was left out: all of its commands are there, or none. */
  readonly commands: readonly string[];
  /** Effects that it declares, by command. */
  readonly effects: Readonly<Record<string, readonly string[]>>;
  /** Reason that it was left out. */
  readonly error: string | null;
  readonly functions: Readonly<Record<string, ModuleFunction>>;
}

/** Takes values as they are. An exported class makes an object of itself. */
export type ModuleFunction = (...values: readonly unknown[]) => unknown;
