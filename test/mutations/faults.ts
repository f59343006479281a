import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Parameter } from '#schemas/types/command.ts';
import type { Catalogue } from '#compiler/catalogue.ts';
import type { Route } from '#schemas/types/place.ts';

/** A file with one mistake, and where that stands. */
export interface Faulty {
  readonly value: Json;
  readonly route: Route;
  readonly part: 'key' | 'value';
}

/** Place for a planted fault. */
export interface Ground {
  readonly value: JsonObject;
  readonly steps: readonly Json[];
  /** The last step, and the command and parameters of it where they are given by name. */
  readonly last: number;
  readonly command: string | undefined;
  readonly params: JsonObject | undefined;
  readonly declared: readonly Parameter[];
}

export type Fault = (ground: Ground) => Faulty | undefined;

export function groundOf(value: JsonObject, catalogue: Catalogue): Ground | undefined {
  const steps = value['actions'];
  if (steps === undefined || !isList(steps) || steps.length === 0) return undefined;
  const last = steps.length - 1;
  const step = steps[last];
  const command = isObject(step) ? Object.keys(step).find((key) => catalogue.has(key)) : undefined;
  const written = command === undefined || !isObject(step) ? undefined : step[command];
  const params = isObject(written) ? written : undefined;
  const declared = command === undefined ? [] : (catalogue.get(command)?.params ?? []);
  return { value, steps, last, command, params, declared };
}

/** The file with other steps. */
function withSteps({ value }: Ground, steps: readonly Json[]): JsonObject {
  return { ...value, actions: steps };
}

/** The file with one more step, and the fault at a route from there. */
function plus(
  ground: Ground,
  step: Json,
  way: Route,
  part: Faulty['part'] = 'value',
  before: readonly Json[] = [],
): Faulty {
  const steps = [...ground.steps, ...before, step];
  return { value: withSteps(ground, steps), route: ['actions', steps.length - 1, ...way], part };
}

/** The file with its last step changed. */
function changed(ground: Ground, step: Json, way: Route, part: Faulty['part'] = 'value'): Faulty {
  return {
    value: withSteps(ground, ground.steps.with(ground.last, step)),
    route: ['actions', ground.last, ...way],
    part,
  };
}

/** The last step with other parameters. */
function withParams(ground: Ground, params: JsonObject, way: Route, part?: Faulty['part']): Faulty | undefined {
  const step = ground.steps[ground.last];
  if (ground.command === undefined || !isObject(step)) return undefined;
  return changed(
    ground,
    { ...step, [ground.command]: params },
    [...(way.length > 0 ? [ground.command, ...way] : [ground.command])],
    part,
  );
}

/** The last step with one more option. */
function option(
  ground: Ground,
  key: string,
  value: Json,
  way: Route = [key],
  part: Faulty['part'] = 'value',
): Faulty | undefined {
  const step = ground.steps[ground.last];
  return isObject(step) && !Object.hasOwn(step, key)
    ? changed(ground, { ...step, [key]: value }, way, part)
    : undefined;
}

/** The last step with another value of one parameter that fits. */
function value(ground: Ground, fits: (parameter: Parameter) => Json | undefined): Faulty | undefined {
  const { params, declared } = ground;
  for (const parameter of params === undefined ? [] : declared) {
    if (!params || !Object.hasOwn(params, parameter.name)) continue;
    const other = fits(parameter);
    if (other !== undefined) return withParams(ground, { ...params, [parameter.name]: other }, [parameter.name]);
  }
  return undefined;
}

/** Two letters in the middle of a word in the wrong order. */
function slipped(word: string): string | undefined {
  const at = [...word].findIndex(
    (letter, index) =>
      index > 3 && /[a-z]/.test(letter) && /[a-z]/.test(word[index + 1] ?? '') && letter !== word[index + 1],
  );
  return at < 0 ? undefined : `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
}

const folder: Json = { FA_create_dir: { dir_path: 'made' } };
const ask = (more: JsonObject = {}): JsonObject => ({
  AT_test_api_method: {
    http_method: 'get',
    test_url: 'http://127.0.0.1/',
    result_check_dict: { status_code: 200 },
    ...more,
  },
});

/** A value of a schema that has one field. */
function made(): JsonObject {
  return { AT_generate_fake_payload: { schema: { type: 'object', properties: { size: { type: 'integer' } } } } };
}

/** Whether browsers may be open already. */
function isOfBrowser({ value }: Ground): boolean {
  return JSON.stringify(value).includes('WR_');
}

function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, each]) => [key === from ? to : key, each]));
}

/** The kinds of mistakes that people make, by name. */
export const faults: Readonly<Record<string, Fault>> = {
  'command misspelt': (ground) => {
    const { command, steps, last } = ground;
    const step = steps[last];
    const name = command === undefined ? undefined : slipped(command);
    if (command === undefined || name === undefined || !isObject(step)) return undefined;
    return changed(ground, renamed(step, command, name), [name], 'key');
  },
  'command in capitals': (ground) => {
    const { command, steps, last } = ground;
    const step = steps[last];
    if (command === undefined || !isObject(step)) return undefined;
    const name = command.slice(0, 3) + command.slice(3).toUpperCase();
    return changed(ground, renamed(step, command, name), [name], 'key');
  },
  'parameter misspelt': (ground) => {
    const { params, declared } = ground;
    // One that must be there is missed, too: that is one mistake, told of once.
    const name = params && declared.find((each) => !each.required && Object.hasOwn(params, each.name))?.name;
    const wrong = name === undefined ? undefined : slipped(name);
    return params && name !== undefined && wrong !== undefined
      ? withParams(ground, renamed(params, name, wrong), [wrong], 'key')
      : undefined;
  },
  'required parameter misspelt': (ground) => {
    const { params, declared } = ground;
    const name = params && declared.find((each) => each.required && Object.hasOwn(params, each.name))?.name;
    const wrong = name === undefined ? undefined : slipped(name);
    return params && name !== undefined && wrong !== undefined
      ? withParams(ground, renamed(params, name, wrong), [wrong], 'key')
      : undefined;
  },
  'parameter nobody knows': (ground) =>
    ground.params && withParams(ground, { ...ground.params, colour_of_money: 'green' }, ['colour_of_money'], 'key'),
  'parameter left out': (ground) => {
    const { params, declared } = ground;
    const name = params && declared.find((each) => each.required && Object.hasOwn(params, each.name))?.name;
    if (!params || name === undefined) return undefined;
    return withParams(ground, Object.fromEntries(Object.entries(params).filter(([key]) => key !== name)), [], 'key');
  },
  'object for a text': (ground) => value(ground, ({ schema }) => (schema['type'] === 'string' ? { a: 1 } : undefined)),
  'text for a number': (ground) =>
    value(ground, ({ schema }) => (schema['type'] === 'integer' || schema['type'] === 'number' ? 'many' : undefined)),
  'text for a switch': (ground) =>
    value(ground, ({ schema }) => (schema['type'] === 'boolean' ? 'perhaps' : undefined)),
  'word that is none of the allowed': (ground) =>
    value(ground, ({ schema }) => (isList(schema['enum']) && schema['type'] === 'string' ? 'qwertyuiop' : undefined)),
  'number below the least': (ground) =>
    value(ground, ({ schema }) =>
      typeof schema['minimum'] === 'number' && schema['type'] !== undefined && !isList(schema['type'])
        ? schema['minimum'] - 1
        : undefined,
    ),
  'text for a list': (ground) =>
    value(ground, ({ schema, list }) => (schema['type'] === 'array' && !list ? 7 : undefined)),
  'option nobody knows': (ground) => option(ground, 'expcet', 'result == 1', ['expcet'], 'key'),
  'option among parameters': (ground) =>
    ground.params && !ground.declared.some(({ name }) => name === 'on_failure')
      ? withParams(ground, { ...ground.params, on_failure: 'stop' }, ['on_failure'], 'key')
      : undefined,
  'two commands in one step': (ground) =>
    plus(ground, { FA_create_dir: { dir_path: 'a' }, FA_remove_file: { file_path: 'b' } }, ['FA_remove_file'], 'key'),
  'four elements in an action': (ground) => plus(ground, ['FA_create_dir', { dir_path: 'a' }, {}, {}], []),
  'too many positional parameters': (ground) => plus(ground, ['FA_create_dir', ['a', 'b']], [1, 1]),
  'parameter given twice': (ground) =>
    plus(ground, ['FA_create_dir', ['a'], { dir_path: 'b' }], [2, 'dir_path'], 'key'),
  'id given twice': (ground) =>
    plus(ground, { FA_create_dir: { dir_path: 'b' }, id: 'same' }, ['id'], 'value', [
      { FA_create_dir: { dir_path: 'a' }, id: 'same' },
    ]),
  'id with a blank': (ground) => option(ground, 'id', 'not an id'),
  'dependency on nothing': (ground) => option(ground, 'depends_on', ['nowhere_to_be_found'], ['depends_on', 0]),
  'dependency on a later step': (ground) => {
    const faulty = option(ground, 'depends_on', ['behind'], ['depends_on', 0]);
    if (!faulty || !isObject(faulty.value) || !isList(faulty.value['actions'])) return undefined;
    return {
      ...faulty,
      value: { ...faulty.value, actions: [...faulty.value['actions'], { ...folder, id: 'behind' }] },
    };
  },
  'variable that nothing sets': (ground) =>
    plus(ground, { FA_create_dir: { dir_path: '{{nobody_sets_this}}' } }, ['FA_create_dir', 'dir_path']),
  'reference without a name': (ground) =>
    plus(ground, { FA_create_dir: { dir_path: '{{ }}' } }, ['FA_create_dir', 'dir_path']),
  'reference of no kind': (ground) =>
    plus(ground, { FA_create_dir: { dir_path: '${EMV.STAGE}' } }, ['FA_create_dir', 'dir_path']),
  'reference that is not closed': (ground) =>
    plus(ground, { FA_create_dir: { dir_path: '{{nobody' } }, ['FA_create_dir', 'dir_path']),
  'row without a dataset': (ground) =>
    plus(ground, { FA_create_dir: { dir_path: '${ROW.name}' } }, ['FA_create_dir', 'dir_path']),
  'event outside of a watch': (ground) =>
    plus(ground, { FA_create_dir: { dir_path: '${event.path}' } }, ['FA_create_dir', 'dir_path']),
  'condition that breaks off': (ground) => plus(ground, { ...ask(), expect: 'result.status_code ==' }, ['expect']),
  'condition of two types': (ground) => plus(ground, { ...ask(), expect: '"3" < 4' }, ['expect']),
  'function nobody knows': (ground) => plus(ground, { ...ask(), expect: 'lenght(result.text) > 3' }, ['expect']),
  'one equals sign': (ground) => plus(ground, { ...ask(), expect: 'result.status_code = 200' }, ['expect']),
  'field that answers lack': (ground) => plus(ground, { ...ask(), expect: 'result.status_cod == 200' }, ['expect']),
  'hours that no day has': (ground) =>
    plus(ground, { FA_schedule_add: { name: 'at 25', cron_expression: '0 25 * * *', action_list: [folder] } }, [
      'FA_schedule_add',
      'cron_expression',
    ]),
  'pattern that is none': (ground) =>
    plus(ground, { ...ask(), save_as: { name: 'kept', path: 'text', match: '(open' } }, ['save_as', 'match']),
  'name that cannot be kept': (ground) => plus(ground, { ...ask(), save_as: 'not a name' }, ['save_as']),
  'retry with two pauses': (ground) =>
    plus(ground, { ...ask(), retry: { interval_s: 1, backoff_base_s: 2 } }, ['retry', 'backoff_base_s'], 'key'),
  'retry on what is no class': (ground) =>
    plus(ground, { ...ask(), retry: { max_attempts: 2, on: ['sometimes'] } }, ['retry', 'on', 0]),
  'failure neither stops nor continues': (ground) => option(ground, 'on_failure', 'ignore'),
  'time limit as text': (ground) => option(ground, 'timeout_s', 'soon'),
  'loop without steps': (ground) => plus(ground, { for_each: ['a', 'b'] }, ['for_each'], 'key'),
  'branch without steps': (ground) => plus(ground, { if: 'exists(run.id)' }, ['if'], 'key'),
  'used file that is not there': (ground) => plus(ground, { use: 'not-there.yaml' }, ['use']),
  'page used before a browser': (ground) =>
    JSON.stringify(ground.value).includes('WR_')
      ? undefined
      : plus(ground, { WR_pw_click: { selector: '#go' } }, ['WR_pw_click'], 'key'),
  'page used after the browser': (ground) =>
    JSON.stringify(ground.value).includes('WR_')
      ? undefined
      : plus(ground, { WR_pw_click: { selector: '#go' } }, ['WR_pw_click'], 'key', [
          { WR_pw_launch: null },
          { WR_pw_quit: null },
        ]),
  'element nobody looked for': (ground) =>
    isOfBrowser(ground)
      ? undefined
      : plus(ground, { WR_pw_element_click: null }, ['WR_pw_element_click'], 'key', [{ WR_pw_launch: null }]),
  'page of the other engine': (ground) =>
    isOfBrowser(ground) ? undefined : plus(ground, { WR_back: null }, ['WR_back'], 'key', [{ WR_pw_launch: null }]),
  'browser closed on one way': (ground) =>
    isOfBrowser(ground)
      ? undefined
      : plus(ground, { WR_pw_back: null }, ['WR_pw_back'], 'key', [
          { WR_pw_launch: null },
          { if: 'exists(seen)', then: [{ WR_pw_quit: null }] },
        ]),
  'watch nobody started': (ground) =>
    plus(ground, { FA_watch_stop: { name: 'never_begun' } }, ['FA_watch_stop'], 'key'),
  'field that a schema lacks': (ground) => plus(ground, { ...made(), expect: 'result.sice == 1' }, ['expect']),
  'dataset that is not there': (ground) => ({
    value: { ...ground.value, meta: { ...meta(ground), dataset: 'not-there.csv' } },
    route: ['meta', 'dataset'],
    part: 'value',
  }),
  'file to depend on that is not there': (ground) => ({
    value: { ...ground.value, meta: { ...meta(ground), depends_on: ['not-there.yaml'] } },
    route: ['meta', 'depends_on', 0],
    part: 'value',
  }),
  'key of meta misspelt': (ground) => ({
    value: { ...ground.value, meta: { ...meta(ground), timeuot_s: 5 } },
    route: ['meta', 'timeuot_s'],
    part: 'key',
  }),
  'two bodies': (ground) => ({ value: { ...ground.value, nodes: [] }, route: ['nodes'], part: 'key' }),
  'wait for a fixed time': (ground) =>
    plus(ground, { WR_pw_wait_for_timeout: { timeout_ms: 2000 } }, ['WR_pw_wait_for_timeout'], 'key', [
      { WR_pw_launch: null },
    ]),
  'certificates not looked at': (ground) => plus(ground, ask({ verify: false }), ['AT_test_api_method', 'verify']),
  'address without encryption': (ground) =>
    plus(ground, ask({ test_url: 'http://shop.example.com/' }), ['AT_test_api_method', 'test_url']),
  'milliseconds for seconds': (ground) => plus(ground, ask({ timeout: 30000 }), ['AT_test_api_method', 'timeout']),
  'condition that is always so': (ground) => plus(ground, { ...folder, when: '1 == 1' }, ['when']),
  'secret in the file': (ground) =>
    plus(ground, ask({ headers: { authorization: 'Bearer abcdefghij0123456789' } }), [
      'AT_test_api_method',
      'headers',
      'authorization',
    ]),
};

function meta({ value }: Ground): JsonObject {
  return isObject(value['meta']) ? value['meta'] : {};
}
