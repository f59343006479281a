import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Fix, TreeOperation } from '#schemas/types/fix.ts';

import type { Step } from '../../../3-parse/ast.ts';
import { valueAt } from '../../../3-parse/routes.ts';

import { keywordMeant } from './keyword-assertion.ts';

/** Words of other tools for a step that only judges what the one before gave, in small letters, without dividers. */
const WORDS: ReadonlySet<string> = new Set([
  ...['assert', 'assertequal', 'assertequals', 'asserting', 'asserts', 'assertstatus', 'assertthat', 'assertions'],
  ...['expectations', 'expected', 'expectequal', 'expectstatus', 'expectthat', 'match', 'must', 'should', 'status'],
  ...['validate', 'verify', 'verifythat'],
]);

/** Whether a name is that of an assertion: `assert`, `Should Be Equal`, `AT_assert_equals`. */
export function isAssertionStep(command: string): boolean {
  const word = command.replace(/^AT_/i, '').toLowerCase().replaceAll(/[-_ ]/g, '');
  return WORDS.has(word) || /^(?:[a-z]+[ _])*should[ _]|^(?:WR_(?:pw_)?)?expect(?:\(|$)/i.test(command);
}

/** Gives the step before this one what this one judges as its `expect`, and leaves this one out. */
export function asExpectation(step: Step, document: Json, isCommand: (name: string) => boolean): readonly Fix[] {
  const { list, index } = step;
  const steps = valueAt(document, list.route);
  const before = isList(steps) && list.kind !== 'graph' ? (steps[index - 1] ?? null) : null;
  if (!isObject(before) || !Object.keys(before).some(isCommand)) return [];
  const conditions = conditionsOf(step)?.map((condition) => ofItself(condition, before['save_as'] ?? null));
  if (conditions === undefined) return [];
  const route = [...list.route, index - 1];
  const expected = before['expect'] ?? null;
  const all = [...(expected === null ? [] : isList(expected) ? expected : [expected]), ...conditions];
  const value = all.length === 1 ? (all[0] ?? null) : all;
  const operations: readonly TreeOperation[] = [
    expected === null
      ? { kind: 'insert', route, key: 'expect', value }
      : { kind: 'replace', route: [...route, 'expect'], value },
    { kind: 'remove', route: [...list.route, index] },
  ];
  return [{ title: `give the step before it expect: ${conditions.join(' && ')}`, safety: 'unsafe', operations }];
}

function conditionsOf({ command, positional, keywords }: Step): readonly string[] | undefined {
  const keyword = keywordMeant(command, positional ?? []);
  if (keyword !== undefined) return [keyword];
  if (/should[ _]/i.test(command)) return undefined;
  const { that } = keywords ?? {};
  const written =
    keywords === undefined ? (positional ?? []) : Object.keys(keywords).length === 1 ? [that ?? null] : [];
  const texts = written.flatMap((each) => (isList(each) ? each : [each]));
  const status = /status$/i.test(command) && typeof texts[0] === 'number' ? `result.status_code == ${texts[0]}` : '';
  if (status !== '' && texts.length === 1) return [status];
  const conditions = texts.filter((each) => typeof each === 'string' && /[=<>(]/.test(each));
  return conditions.length === texts.length && texts.length > 0 ? conditions.map(String) : undefined;
}

/** The condition as the step itself judges it: the variable that it saves is its `result`. */
function ofItself(condition: string, saved: Json): string {
  return condition.replaceAll(/(?<![\w.$"'])[A-Za-z_]\w*(?=[.[\s)]|$)/g, (name) => (name === saved ? 'result' : name));
}
