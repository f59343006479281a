import type { CompileHost } from '#compiler/context.ts';
import type { Files } from '#schemas/types/host.ts';

/** A host that notes whether files, variables of the environment or the time were asked for. */
export function watchedHost(host: CompileHost): { readonly host: CompileHost; wasAsked(): boolean } {
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
