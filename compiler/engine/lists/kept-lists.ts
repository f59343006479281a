import type { CompileHost } from '#compiler/context.ts';
import type { CompiledActions } from '#runtime/kernel/linked.ts';
import type { Files } from '#schemas/types/host.ts';

/** Most characters of all texts that are kept; the one that was not asked for longest goes first. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** Most lists, and the longest text of one. */
const MOST_LISTS = 1024;
const LONGEST = 64 * 1024;

/**
 * Action lists as they were compiled, by their whole text and by what their ids begin with. Only lists of which the
 * compiler looked at nothing but the text are kept, and none of what a caller may do: that is asked for at each use.
 */
export class KeptLists {
  readonly #lists = new Map<string, CompiledActions>();
  #characters = 0;

  /** The list of a text; `compile` makes it where none is kept, with a host that tells what it was asked for. */
  async list(
    text: string,
    prefix: string,
    host: CompileHost,
    compile: (host: CompileHost) => Promise<CompiledActions>,
  ): Promise<CompiledActions> {
    if (text.length > LONGEST) return compile(host);
    const key = `${prefix} ${text}`;
    const known = this.#lists.get(key);
    if (known) {
      // The order of the table is the order of use.
      this.#lists.delete(key);
      this.#lists.set(key, known);
      return known;
    }
    const watched = watchedHost(host);
    const compiled = await compile(watched.host);
    if (!watched.wasAsked()) this.#keep(key, compiled);
    return compiled;
  }

  #keep(key: string, compiled: CompiledActions): void {
    if (!this.#lists.has(key)) this.#characters += key.length;
    this.#lists.set(key, compiled);
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= MOST_LISTS && this.#characters <= MOST_CHARACTERS) return;
      this.#lists.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}

/** A host that notes whether files, variables of the environment or the time were asked for. */
function watchedHost(host: CompileHost): { readonly host: CompileHost; wasAsked(): boolean } {
  let wasAsked = false;
  const noting = <Asked extends object>(asked: Asked): Asked =>
    new Proxy(asked, {
      get: (target, name) => {
        wasAsked = true;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
      has: (target, name) => {
        wasAsked = true;
        return Reflect.has(target, name);
      },
      ownKeys: (target) => {
        wasAsked = true;
        return Reflect.ownKeys(target);
      },
    });
  const { cwd, digest, parseEnv, match, files, env, clock } = host;
  return {
    host: {
      cwd,
      digest,
      parseEnv,
      match,
      files: noting<Files>(files),
      env: noting(env),
      clock: noting(clock),
    },
    wasAsked: () => wasAsked,
  };
}
