import type { Callable, CommandFacts, Parameter } from '#schemas/types/command.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { ModuleCall } from '#schemas/types/module-call.ts';

import type { Step } from '../3-parse/ast.ts';

import type { KnownModule } from './modules.ts';
import { signatureOf, type Signature } from './signature.ts';

/** Nothing tells what the function does, so that it may do anything that code in this process can. */
const facts: Omit<Callable, 'name' | 'params'> = {
  implemented: true,
  effects: ['browser', 'network', 'fs-read', 'fs-write', 'process', 'db', 'env', 'state', 'clock'],
  needs: ['modules'],
  gate: 'packages',
  repeat: 'once',
  module: true,
};

/** The same as it stands in plans. */
export const moduleFacts: CommandFacts = {
  effects: facts.effects,
  needs: facts.needs,
  repeat: facts.repeat,
  gate: 'packages',
  module: true,
};

/** The parameters of every module call: `ModuleCall`. */
const params: readonly Parameter[] = [
  { name: 'module', about: 'The module.', schema: { type: 'string' }, required: true, text: 'later' },
  { name: 'export', about: 'Its function.', schema: { type: 'string' }, required: true, text: 'later' },
  { name: 'positional', about: 'Values by position.', schema: { type: 'array' }, required: false },
  { name: 'keywords', about: 'Values by name.', schema: { type: 'object' }, required: false },
] satisfies readonly (Parameter & { readonly name: keyof ModuleCall })[];

/** The signature of a function of a module under the name that the file writes. */
export function moduleSignature(command: string, module: KnownModule, name: string): Signature {
  const declared = module.params?.get(name);
  return {
    ...signatureOf({ ...facts, name: command, params }),
    module: { place: module.place, export: name, byStep: module.byStep },
    ...(declared && { takes: signatureOf({ ...facts, name: command, params: declared }) }),
  };
}

/** The same for a function of the program around the compiler, which needs no leave to run its own. */
export function functionSignature(name: string): Signature {
  const { gate: _, ...own } = { ...facts, needs: [] };
  return { ...signatureOf({ ...own, name, params }), module: { place: '', export: name, byStep: false } };
}

/** The same for a command that declares its parameters: all of them by name, as they were bound. */
export function bindDeclared({ place, export: name }: NonNullable<Signature['module']>, bound: JsonObject): JsonObject {
  return { module: place, export: name, keywords: bound };
}

/** Keywords as given, with the defaults beneath them; positional values in their order. */
export function bindModule(
  { positional, keywords }: Step,
  { place, export: name }: NonNullable<Signature['module']>,
  defaults: JsonObject | undefined,
): JsonObject {
  return {
    module: place,
    export: name,
    ...(positional === undefined ? {} : { positional }),
    ...(keywords === undefined && defaults === undefined ? {} : { keywords: { ...defaults, ...keywords } }),
  };
}
