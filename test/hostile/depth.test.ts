import { describe, expect, it } from 'vitest';

import { parseModuleRef } from '#grammar/module-ref/parse.ts';

import { languageNamed } from '../grammar/languages.ts';
import { slugsOf } from './check-text.ts';

const step = (condition: string): string => JSON.stringify([{ AT_fake_uuid: [], when: condition }]);
const argument = (text: string): string => JSON.stringify([['AT_set_variable', { name: 'a', value: text }]]);

describe('what is deep or long is refused or read, and never more than the stack takes', () => {
  it.each([
    ['a chain of &&', `${'true && '.repeat(5_000)}true`, ['condition-too-large']],
    ['a chain of ||', `${'true || '.repeat(5_000)}true`, ['condition-too-large']],
    ['a chain of comparisons', `1 ${'== 1 '.repeat(5_000)}`, ['condition-too-large']],
    ['negations', `${'!'.repeat(20_000)}true`, ['condition-too-deep']],
    ['parentheses', `${'('.repeat(20_000)}true${')'.repeat(20_000)}`, ['condition-too-deep']],
    ['calls', `${'len('.repeat(10_000)}a${')'.repeat(10_000)} == 1`, ['condition-too-deep']],
    ['a condition of megabytes', `'${'a'.repeat(20_000_000)}' == 'a'`, ['condition-too-large']],
    ['a condition of many operators, but not too many', `${'true && '.repeat(400)}true`, []],
  ])('condition: %s', async (_, condition, slugs) => {
    expect(await slugsOf(step(condition), 'a.json')).toEqual(slugs);
  });

  it.each([
    ['a name of megabytes', `{{${'a'.repeat(20_000_000)}}}`],
    ['a name of characters of two units', `{{${'𝒜'.repeat(10_000_000)}}}`],
    ['a key of megabytes', `{{a["${'b'.repeat(20_000_000)}"]}}`],
    ['a key of escapes', `{{a["${'\\n'.repeat(10_000_000)}"]}}`],
    ['a path of a million steps', `{{a${'.b'.repeat(1_000_000)}}}`],
    ['defaults inside one another', `${'${ENV.A:-'.repeat(100_000)}${'}'.repeat(100_000)}`],
  ])('reference: %s', async (_, text) => {
    expect(await slugsOf(argument(text), 'a.json')).not.toEqual([]);
  });

  it('names of modules and filters of tags of megabytes', () => {
    expect(parseModuleRef(`${'a/'.repeat(10_000_000)}a`)).toBeUndefined();
    const filter = languageNamed('tag-filter');
    for (const text of [`${'a,'.repeat(10_000_000)}a`, `${'a,'.repeat(2_000)}a`, `${'a&'.repeat(2_000)}a`]) {
      expect(filter.scan(text)).toBeUndefined();
      expect(filter.parse(text).problems.map(({ key }) => key)).toEqual(['too-deep']);
    }
  });

  it.each([
    ['yaml', `${'['.repeat(100_000)}`, 'a.yaml'],
    ['json', `${'['.repeat(100_000)}`, 'a.json'],
    ['a schema', JSON.stringify({ meta: { inputs: { x: nested(3000) } }, actions: ['AT_fake_uuid'] }), 'a.json'],
  ])('collections: %s', async (_, text, name) => {
    expect(await slugsOf(text, name)).toEqual(['too-deep']);
  });
});

function nested(depth: number): unknown {
  let schema: unknown = true;
  for (let level = 0; level < depth; level += 1) schema = { items: schema };
  return schema;
}
