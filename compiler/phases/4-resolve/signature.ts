import type { Callable, Parameter } from '#schemas/types/command.ts';
import { isList, isObject } from '#schemas/types/json.ts';
import type { Value } from '#schemas/types/plan.ts';

import type { ControlForm } from '../1-read/control-forms.ts';

/** Effects of one call. */
export interface Flow {
  readonly defines: readonly string[];
  /** Whether it may define names that only a run knows, or run steps that do anything. */
  readonly isOpen: boolean;
  readonly opens?: string;
  readonly closes?: string;
  readonly uses?: string;
  /** Things beside sessions that it makes, needs and ends, as the facts name them. */
  readonly makes?: string;
  readonly needs?: string;
  readonly ends?: string;
  /** Kind of things of which it ends all, and kind of which it ends one that only a run knows. */
  readonly endsAll?: string;
  readonly endsSome?: string;
  /** Thing that is held while its steps run. */
  readonly holds?: string;
  readonly addsEnvironment: boolean;
}

/** Values of parameters that a call does not give. */
export type StandardArguments = Readonly<Record<string, Value>>;

/** A command as calls are bound to it: what is asked for at every call, worked out once a name. */
export interface Signature {
  readonly info: Callable;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly positional: readonly Parameter[];
  /** Values of parameters that are not given: one for all calls. */
  readonly defaults: ReadonlyMap<string, Value>;
  /** Parameters without such a value. */
  readonly bare: readonly string[];
  /** Arguments that calls have at the least, by the bare parameters that are absent: kept by who makes nodes. */
  readonly standards: Map<number | string, StandardArguments>;
  /** Parameters that judge an answer. */
  readonly judging: readonly Parameter[];
  /** Takes all further positional values as its list; the last of `positional`. */
  readonly variadic: Parameter | undefined;
  /** Parameters that hold steps which run. */
  readonly blocks: readonly Parameter[];
  /** Whether it holds no steps and adds no module: its calls need no more than their arguments bound. */
  readonly isPlain: boolean;
  /** Parameters whose references are left alone: text for later, and lists that are data. */
  readonly opaque: ReadonlySet<string>;
  /**
   * Parameters in whose values no references are looked for: the opaque ones and those that hold steps.
   * Undefined: there are none.
   */
  readonly untouched: ReadonlySet<string> | undefined;
  /** Parameters in a small language. */
  readonly languages: readonly Parameter[];
  /** Those that are filled when they are used; undefined: none. */
  readonly templates: readonly Parameter[] | undefined;
  /** Parameters whose values name something. */
  readonly roles: readonly Parameter[];
  /** Parameters whose values are secret. */
  readonly secrets: ReadonlySet<string>;
  /** Whether calls change what is known: variables, sessions, environment. */
  readonly hasFlow: boolean;
  /** Effects of every call; undefined where its arguments decide. */
  readonly flow: Flow | undefined;
  /** The function of a module that is called in place of a command, and whether a step must have added the module. */
  readonly module?: { readonly place: string; readonly export: string; readonly byStep: boolean };
  /** Parameters that such a function declares, as those of a command. */
  readonly takes?: Signature;
  /** No call: a control form, whose parameters are its keys. */
  readonly control?: ControlForm;
}

export function signatureOf(info: Callable): Signature {
  const positional = info.params.filter((parameter) => parameter.keyword_only !== true);
  const { variables, sessions } = info;
  const blocks = info.params.filter(({ list }) => list === 'run' || list === 'background');
  const opaque = new Set(
    info.params.filter(({ text, list }) => text === 'later' || list === 'data').map(({ name }) => name),
  );
  const untouched = new Set([...opaque, ...blocks.map(({ name }) => name)]);
  const defaults = info.params.flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, { lit: value }] as const],
  );
  return {
    info,
    parameters: new Map(info.params.map((parameter) => [parameter.name, parameter])),
    positional,
    defaults: new Map(defaults),
    bare: info.params.filter(({ default: value }) => value === undefined).map(({ name }) => name),
    standards: new Map(),
    judging: info.params.filter(({ judges }) => judges !== undefined),
    variadic: positional.find((parameter) => parameter.variadic === true),
    blocks,
    isPlain: blocks.length === 0 && info.modules === undefined,
    opaque,
    untouched: untouched.size === 0 ? undefined : untouched,
    languages: info.params.filter(({ language }) => language !== undefined),
    templates: info.params.some(({ sees }) => sees !== undefined)
      ? info.params.filter(({ sees }) => sees !== undefined)
      : undefined,
    roles: info.params.filter(({ role }) => role !== undefined),
    secrets: new Set(info.params.filter(({ secret }) => secret === true).map(({ name }) => name)),
    hasFlow:
      variables !== undefined ||
      sessions !== undefined ||
      info.handles !== undefined ||
      info.environment !== undefined ||
      info.steps !== undefined,
    flow: fixedFlow(info),
  };
}

function fixedFlow(info: Callable): Flow | undefined {
  const defines = info.variables?.defines ?? [];
  const { sessions, handles } = info;
  const isChosen = sessions?.named !== undefined || sessions?.by !== undefined;
  if (defines.some((name) => name.includes(':')) || handles !== undefined || isChosen) return undefined;
  return { defines, isOpen: info.steps === 'unknown', ...sessions, addsEnvironment: info.environment === 'loads' };
}

/** Whether null is a value of the parameter, or means that it is not given. */
export function takesNull(parameter: Parameter): boolean {
  return allowsNull(parameter.schema);
}

function allowsNull(schema: Parameter['schema']): boolean {
  const { type, enum: values, anyOf, oneOf } = schema;
  if ('const' in schema) return schema['const'] === null;
  if (isList(values)) return values.includes(null);
  const branches = isList(anyOf) ? anyOf : isList(oneOf) ? oneOf : undefined;
  if (branches !== undefined) return branches.some((branch) => isObject(branch) && allowsNull(branch));
  return type === undefined || type === 'null' || (isList(type) && type.includes('null'));
}
