import { factsOf } from '#compiler/phases/6-plan/facts.ts';
import { moduleSignature } from '#compiler/phases/4-resolve/module-call.ts';
import type { KnownModule } from '#compiler/phases/4-resolve/modules.ts';
import { commandPrefix, parseModuleRef } from '#grammar/module-ref/parse.ts';
import type { CommandFacts } from '#schemas/types/command.ts';
import type { Value } from '#schemas/types/plan.ts';

/** A function of a module as a plan would hold calls of it. */
export interface KnownCall {
  readonly facts: CommandFacts;
  readonly args: Readonly<Record<string, Value>>;
}

/**
 * The call of a command of one of these modules, which stand beside the action file or are installed; undefined for
 * other names.
 */
export function moduleCall(command: string, modules: readonly string[]): KnownCall | undefined {
  const [known] = modules
    .map(knownModule)
    .filter(({ prefix }) => command.startsWith(`${prefix}_`))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  if (!known) return undefined;
  const { info, module } = moduleSignature(command, known, command.slice(known.prefix.length + 1));
  return {
    facts: factsOf(info),
    args: { module: { lit: module?.place ?? '' }, export: { lit: module?.export ?? '' } },
  };
}

function knownModule(name: string): KnownModule {
  const ref = parseModuleRef(name);
  if (!ref) throw new Error(`"${name}" names no module`);
  const at = { source: 'session.yaml', route: [], part: 'value' } as const;
  return { kind: ref.kind, place: ref.name, prefix: commandPrefix(ref), exports: undefined, byStep: false, at };
}
