import type { Callable, CommandFacts } from '#schemas/types/command.ts';

/** Facts about a command for the kernel. */
export function factsOf(info: Callable): CommandFacts {
  const secret = info.params.filter((parameter) => parameter.secret === true).map(({ name }) => name);
  const lists = info.params.flatMap(({ name, list }) =>
    list === 'run' || list === 'background' ? [[name, list] as const] : [],
  );
  return {
    effects: info.effects,
    needs: info.needs,
    repeat: info.repeat,
    ...(info.gate === undefined ? {} : { gate: info.gate }),
    ...(info.verdict === undefined ? {} : { verdict: info.verdict }),
    ...(secret.length === 0 ? {} : { secret }),
    ...(info.variables?.from === undefined ? {} : { sets: info.variables.from }),
    ...(lists.length === 0 ? {} : { lists: Object.fromEntries(lists) }),
    ...(info.preview === undefined ? {} : { preview: true }),
    ...(info.module === undefined ? {} : { module: true }),
  };
}
