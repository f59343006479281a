import type { Catalogue } from '#compiler/catalogue.ts';
import type { CommandInfo } from '#schemas/types/command.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';

import { CONTROL_FORMS, isControlWord } from '../1-read/control-forms.ts';
import { isBodyKey, isStepOption } from '../1-read/vocabulary.ts';

import type { WrittenAction, WrittenBody } from './migration-step.ts';

export interface Visitor {
  readonly body: (body: WrittenBody) => void;
  readonly action: (action: WrittenAction) => void;
}

/** A list of actions still to be walked. */
interface Pending {
  readonly list: readonly Json[];
  readonly route: Route;
  readonly isGraph: boolean;
}

/**
 * Visits every body and every action of a file that a migration could want to change: those with an old name,
 * with parameters that have other names, or with steps inside. Steps that cannot be read are passed over: parse
 * speaks of them.
 */
export async function walk(value: Json, source: SourceId, catalogue: Catalogue, visitor: Visitor): Promise<void> {
  const at = (route: Route, part: 'key' | 'value') => ({ source, route, part });
  const found: Pending[] = [];
  const body = (holder: Json, route: Route, nested: boolean): void => {
    if (isList(holder)) found.push({ list: holder, route, isGraph: nested && holder.some(isNode) });
    if (!isObject(holder)) return;
    visitor.body({ value: holder, route, nested, at });
    for (const key of Object.keys(holder)) {
      const holds = isBodyKey(key) || (!nested && (key === 'setup' || key === 'teardown'));
      const list = holder[key];
      if (holds && isList(list)) found.push({ list, route: [...route, key], isGraph: key === 'nodes' });
    }
  };
  body(value, [], false);
  const lookUp = new LookUp(catalogue);
  await lookUp.prepare(defaultNames(value));
  for (const action of defaultActions(value, lookUp, at)) visitor.action(action);
  for (let next = found.pop(); next !== undefined; next = found.pop()) {
    const { names, forms } = namesIn(next);
    for (const index of forms) for (const [route, nested] of controlBlocks(next, index)) body(nested, route, true);
    await lookUp.prepare(names);
    if (![...names].some((name) => lookUp.get(name) !== undefined)) continue;
    actionsOf(next, lookUp, (action) => {
      visitor.action({ ...action, at });
      for (const [parameter, nested] of blocksOf(action)) body(nested, parameter, true);
    });
  }
}

type Action = Omit<WrittenAction, 'at'> & {
  readonly positional: readonly Json[] | undefined;
  readonly parametersRoute: Route;
};

/** Facts about a name whose actions a migration may want to change. */
interface Known {
  readonly command: string;
  readonly isDeclared: boolean;
  readonly isAlias: boolean;
  readonly info: CommandInfo | undefined;
  /** Whether every action of the name is wanted; else those that have one of these parameters. */
  readonly isWanted: boolean;
  readonly aliases: readonly string[];
}

/** Facts about names, looked up once each: undefined where no migration can want anything. */
class LookUp {
  readonly #catalogue: Catalogue;
  readonly #known = new Map<string, Known | undefined>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  async prepare(names: ReadonlySet<string>): Promise<void> {
    const fresh = [...names].filter((name) => !this.#known.has(name));
    if (fresh.length === 0) return;
    await this.#catalogue.prepare(fresh.map((name) => this.#catalogue.replacement(name) ?? name));
    for (const name of fresh) {
      const command = this.#catalogue.replacement(name) ?? name;
      const info = this.#catalogue.get(command);
      const isWanted =
        command !== name || info?.params.some(({ list }) => list === 'run' || list === 'background') === true;
      const aliases = info?.params.flatMap((parameter) => parameter.aliases ?? []) ?? [];
      this.#known.set(
        name,
        isWanted || aliases.length > 0
          ? {
              command,
              isDeclared: this.#catalogue.has(name),
              isAlias: this.#catalogue.isAlias(name),
              info,
              isWanted,
              aliases,
            }
          : undefined,
      );
    }
  }

  get(name: string) {
    return this.#known.get(name);
  }

  isCommand(name: string): boolean {
    return this.#catalogue.has(name) || this.#catalogue.replacement(name) !== undefined;
  }
}

/** Names that actions may call, and indexes of elements that are control forms. */
function namesIn({ list, isGraph }: Pending): {
  readonly names: ReadonlySet<string>;
  readonly forms: readonly number[];
} {
  const names = new Set<string>();
  const forms: number[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const action = actionOf(list[index] ?? null, isGraph);
    if (typeof action === 'string') names.add(action);
    else if (isList(action)) {
      if (typeof action[0] === 'string') names.add(action[0]);
    } else if (isObject(action))
      for (const key in action) {
        if (isStepOption(key)) continue;
        names.add(key);
        if (isControlWord(key) && forms.at(-1) !== index) forms.push(index);
      }
  }
  return { names, forms };
}

/** The blocks of the control form at an index, with their routes. */
function* controlBlocks({ list, route, isGraph }: Pending, index: number): Generator<readonly [Route, Json]> {
  const action = actionOf(list[index] ?? null, isGraph);
  if (!isObject(action)) return;
  for (const key in action) {
    if (!isControlWord(key)) continue;
    const at = isGraph ? [...route, index, 'action'] : [...route, index];
    for (const { name, list: holds } of CONTROL_FORMS[key].params)
      if (holds === 'run' && isList(action[name])) yield [[...at, name], action[name]];
  }
}

/** The action of an element; in a graph only nodes hold one. */
function actionOf(element: Json, isGraph: boolean): Json {
  if (!isGraph) return element;
  return isObject(element) && Object.hasOwn(element, 'action') ? (element['action'] ?? null) : null;
}

function actionsOf({ list, route, isGraph }: Pending, lookUp: LookUp, visit: (action: Action) => void): void {
  for (let index = 0; index < list.length; index += 1) {
    const element = list[index] ?? null;
    const action = actionOf(element, isGraph);
    const name = nameOf(action, lookUp);
    const known = name === undefined ? undefined : lookUp.get(name);
    if (name === undefined || known === undefined || !(known.isWanted || hasAlias(action, name, known.aliases)))
      continue;
    visit({ name, ...known, ...shapeOf(action, name, isGraph ? [...route, index, 'action'] : [...route, index]) });
  }
}

/** Whether one of the parameters is given by another name. */
function hasAlias(action: Json, name: string, aliases: readonly string[]): boolean {
  const parameters = isList(action)
    ? isList(action[1])
      ? action[2]
      : action[1]
    : isObject(action)
      ? action[name]
      : undefined;
  return isObject(parameters) && aliases.some((alias) => Object.hasOwn(parameters, alias));
}

function nameOf(action: Json, lookUp: LookUp): string | undefined {
  if (typeof action === 'string') return action;
  if (isList(action)) return typeof action[0] === 'string' ? action[0] : undefined;
  if (!isObject(action)) return undefined;
  let only: string | undefined;
  let count = 0;
  for (const key in action) {
    if (isStepOption(key)) continue;
    count += 1;
    only ??= key;
  }
  return count <= 1 ? only : Object.keys(action).find((key) => !isStepOption(key) && lookUp.isCommand(key));
}

function shapeOf(
  action: Json,
  name: string,
  route: Route,
): Pick<Action, 'nameRoute' | 'namePart' | 'keywords' | 'positional' | 'parametersRoute'> {
  if (isList(action)) {
    const [, first, second] = action;
    const keywordsAt = isList(first) ? 2 : 1;
    const keywords = keywordsAt === 2 ? second : first;
    return {
      nameRoute: [...route, 0],
      namePart: 'value',
      keywords: isObject(keywords) ? { value: keywords, route: [...route, keywordsAt] } : undefined,
      positional: isList(first) ? first : undefined,
      parametersRoute: [...route, 1],
    };
  }
  if (!isObject(action))
    return { nameRoute: route, namePart: 'value', keywords: undefined, positional: undefined, parametersRoute: route };
  const parameters = action[name] ?? null;
  const parametersRoute = [...route, name];
  return {
    nameRoute: parametersRoute,
    namePart: 'key',
    keywords: isObject(parameters) ? { value: parameters, route: parametersRoute } : undefined,
    positional: isList(parameters) ? parameters : undefined,
    parametersRoute,
  };
}

/** The values of parameters that hold steps which run, with their routes. */
function blocksOf({ info, keywords, positional, parametersRoute }: Action): readonly (readonly [Route, Json])[] {
  if (info === undefined) return [];
  const order = info.params.filter((parameter) => parameter.keyword_only !== true);
  return info.params.flatMap((parameter): readonly (readonly [Route, Json])[] => {
    if (parameter.list === undefined || parameter.list === 'data') return [];
    const named = [parameter.name, ...(parameter.aliases ?? [])].find(
      (name) => keywords !== undefined && Object.hasOwn(keywords.value, name),
    );
    if (named !== undefined && keywords !== undefined)
      return [[[...keywords.route, named], keywords.value[named] ?? null]];
    const position = order.indexOf(parameter);
    const value = position < 0 ? undefined : positional?.[position];
    return value === undefined ? [] : [[[...parametersRoute, position], value]];
  });
}

function isNode(value: Json): boolean {
  return isObject(value) && Object.hasOwn(value, 'action') && Object.hasOwn(value, 'id');
}

function writtenDefaults(value: Json): JsonObject | undefined {
  const meta = isObject(value) ? value['meta'] : undefined;
  const defaults = isObject(meta) ? meta['defaults'] : undefined;
  return isObject(defaults) ? defaults : undefined;
}

function defaultNames(value: Json): ReadonlySet<string> {
  return new Set(Object.keys(writtenDefaults(value) ?? {}));
}

/** Commands stand as keys in `meta.defaults` too. */
function defaultActions(value: Json, lookUp: LookUp, at: WrittenAction['at']): readonly WrittenAction[] {
  return Object.entries(writtenDefaults(value) ?? {}).flatMap(([name, parameters]) => {
    const known = lookUp.get(name);
    if (known === undefined) return [];
    const route = ['meta', 'defaults', name];
    return [
      {
        name,
        ...known,
        nameRoute: route,
        namePart: 'key' as const,
        keywords: isObject(parameters) ? { value: parameters, route } : undefined,
        at,
      },
    ];
  });
}
