import type { ModuleFunction } from './port.ts';

/**
 * Functions of modules that callback runs may call beside commands, by `<module>_<function>`. Commands of action lists
 * fill it, programs read it; a module that is added again replaces its functions.
 */
export class CallbackTable {
  readonly #functions = new Map<string, ModuleFunction>();

  add(functions: Readonly<Record<string, ModuleFunction>>): void {
    for (const [name, each] of Object.entries(functions)) this.#functions.set(name, each);
  }

  get(name: string): ModuleFunction | undefined {
    return this.#functions.get(name);
  }

  /** Sorted. */
  get names(): readonly string[] {
    return [...this.#functions.keys()].sort();
  }
}
