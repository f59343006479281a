import { describe, expect, it } from 'vitest';

import { readDocument } from '#grammar/document/read.ts';
import { compatible } from '#grammar/source/edit.ts';
import type { Node, Plan } from '#schemas/types/plan.ts';
import { dot, mermaid } from '#compiler/cli/plan/graph.ts';
import { planText } from '#compiler/cli/plan/text.ts';
import { isActionFile } from '#compiler/cli/action-text.ts';
import { sourceMap } from '#compiler/phases/7-emit/source-map.ts';

import { checkText, processorTime } from './check-text.ts';
import { sampled } from './sampled.ts';

const many = <Item>(count: number, item: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const named = <Item>(count: number, item: (index: number) => Item): Readonly<Record<string, Item>> =>
  Object.fromEntries(many(count, (index) => [`k${index}`, item(index)]));
const plain = ['AT_fake_uuid'];
const set = (name: string, value: unknown): unknown => ['AT_set_variable', { name, value }];
const node = (id: string, ...depends_on: readonly string[]): unknown => ({ id, action: plain, depends_on });

/** Files of any size that repeat one mistake, or one thing that is compared with others. */
const shapes: Readonly<Record<string, (count: number) => unknown>> = {
  'unknown variables beside known ones': (count) => ({
    actions: many(count, (i) => (i % 2 ? set(`abc${i}`, 1) : set('x', `{{abd${i}}}`))),
  }),
  'variables used before they are set': (count) => ({
    actions: many(count, (i) => (i * 2 < count ? set('x', `{{v${i}}}`) : set(`v${i - count / 2}`, 1))),
  }),
  'names of variables that nothing sets': (count) => ({
    actions: many(count, (i) => (i % 2 ? set(`abc${i}`, 1) : ['AT_get_variable', { name: `abd${i}` }])),
  }),
  'templates that nothing fills': (count) => ({
    actions: many(count, (i) => (i % 2 ? set(`abc${i}`, 1) : ['AT_render_template', { payload: `{{abd${i}.x}}` }])),
  }),
  'a long name in a template': (count) => ({
    actions: [set('b', 1), ['AT_render_template', { payload: `{{a${'.b'.repeat(20 * count)}}}` }]],
  }),
  'unknown steps beside known ones': (count) => ({
    actions: many(count, (i) => ({ AT_set_variable: { name: 'a', value: `{{steps.x${i}.status}}` }, id: `s${i}` })),
  }),
  'nodes that depend on unknown ones': (count) => ({ nodes: many(count, (i) => node(`n${i}`, `m${i}`)) }),
  'a chain of nodes': (count) => ({
    nodes: many(count, (i) => (i === 0 ? { id: 'n0', action: plain } : node(`n${i}`, `n${i - 1}`))),
  }),
  'two nodes in a circle, many times': (count) => ({ nodes: many(count, (i) => node(`n${i}`, `n${i ^ 1}`)) }),
  'unknown commands': (count) => ({ actions: many(count, (i) => [`FA_copy_fil${i}`]) }),
  'parts without a request': (count) => ({ actions: many(count, (i) => ({ path: `p${i}` })) }),
  'unknown parameters of one step': (count) => ({ actions: [['AT_fake_uuid', named(count, () => 1)]] }),
  'unknown options of one step': (count) => ({ actions: [{ AT_fake_uuid: [], ...named(count, () => 1) }] }),
  'references in one argument': (count) => ({
    actions: [
      set(
        'a',
        many(count, (i) => `\${ENV.X${i}}`),
      ),
    ],
  }),
  'wrong values in one argument': (count) => ({
    actions: [['AT_test_api_method', { http_method: 'get', test_url: 'http://a/', headers: named(count, (i) => i) }]],
  }),
  'conditions of one step': (count) => ({
    actions: [{ AT_fake_uuid: [], expect: many(count, (i) => `result.a${i} == 1`) }],
  }),
  'captures of one step': (count) => ({ actions: [{ AT_fake_uuid: [], save_as: many(count, (i) => `v${i}`) }] }),
  'broken captures of one step': (count) => ({
    actions: [{ AT_fake_uuid: [], save_as: many(count, (i) => ({ name: `v${i}`, path: 'a..b', match: '(' })) }],
  }),
  'inputs with wrong defaults': (count) => ({
    meta: { inputs: named(count, () => ({ type: 'string', default: 1 })) },
    actions: plain,
  }),
  'an input of different items': (count) => ({
    meta: { inputs: { a: { uniqueItems: true, default: many(count, (i) => i) } } },
    actions: plain,
  }),
  'an input of items out of a list': (count) => ({
    meta: { inputs: { a: { items: { enum: many(count, (i) => i) }, default: many(count, () => count - 1) } } },
    actions: plain,
  }),
  'an input with many branches': (count) => ({
    meta: {
      inputs: { a: { items: { anyOf: many(count, (i) => ({ const: i })) }, default: many(count, () => count - 1) } },
    },
    actions: plain,
  }),
  'settings that nobody knows': (count) => ({ meta: { ...named(count, () => 1) }, actions: plain }),
  'old names': (count) => ({ api_testka: many(count, () => ['AT_test_api_method_requests', { a: 1 }]) }),
};

describe('time grows with the size of a file, not with its square', () => {
  it.each(sampled(Object.entries(shapes), 0.5, ([name]) => name))(
    '%s',
    async (_, shape) => {
      const timed = (count: number): Promise<number> => {
        const text = JSON.stringify(shape(count));
        return processorTime(() => checkText(text, 'a.json'));
      };
      await timed(100);
      let small = await timed(1_000);
      let large = await timed(8_000);
      // A square takes sixty-four times as long, and does so every time.
      for (let again = 0; again < 3 && large > 500 && large > small * 24; again += 1) {
        small = Math.max(small, await timed(1_000));
        large = Math.min(large, await timed(8_000));
      }
      expect(large, `1,000: ${small} ms, 8,000: ${large} ms`).toBeLessThan(Math.max(500, small * 24));
    },
    120_000,
  );
});

describe('millions of lines without a value', () => {
  const body = '- AT_fake_uuid\n';
  it.each([
    ['blank lines', '\n'.repeat(2_500_000) + body],
    ['blank lines of CR and LF', '\r\n'.repeat(2_000_000) + body],
    ['lines of blanks', ' \t\n'.repeat(1_000_000) + body],
    ['comments', '# c\n'.repeat(1_000_000) + body],
    ['blank lines behind', body + '\n'.repeat(2_500_000)],
  ])('%s are read in seconds', async (_, text) => {
    const { document, diagnostics } = await readDocument(text, { source: 'a.yaml' });
    expect(diagnostics).toEqual([]);
    expect(document?.value).toEqual(['AT_fake_uuid']);
  });

  it.each([
    ['nothing else', '\n'.repeat(4_000_000), 'empty-file'],
    ['a mark that is indented', `${'\n'.repeat(1_000_000)}... a\n`, 'yaml-indentation'],
    ['a text that is not closed', `a: "${'b'.repeat(20_000_000)}`, 'yaml-quote-not-closed'],
  ])('%s', async (_, text, slug) => {
    const { diagnostics } = await readDocument(text, { source: 'a.yaml' });
    expect(diagnostics.map((one) => one.slug)).toEqual([slug]);
  });
});

describe('fixes', () => {
  it('of twenty thousand places are chosen in a time that grows with them', async () => {
    const groups = many(20_000, (i) => ({ edits: [{ span: { start: i * 4, end: i * 4 + 3 }, text: 'x' }] }));
    const timed = await processorTime(async () => expect(compatible([...groups, ...groups])).toHaveLength(40_000));
    expect(timed).toBeLessThan(1_000);
  });
});

describe('a plan of two hundred thousand steps', () => {
  const step = (id: string): Node => ({ id, command: 'AT_fake_uuid', args: {} });
  const steps = many(200_000, (i) => step(`a.yaml#${i}`));
  const unit = {
    ...{ source: 'a.yaml', after: [], inputs: [], setup: steps, body: steps, teardown: steps },
    order: { kind: 'list', on_failure: 'stop' },
    needs: { effects: [], gates: [], env: [], files: [], hosts: [], packages: [] },
  };
  const plan = { commands: {}, units: [{ ...unit, body: [{ ...step('x'), args: { run: { block: steps } } }] }] };

  it.each([
    ['text', planText],
    ['a flow chart', mermaid],
    ['a graph', dot],
  ])('is shown as %s', (_, shown) => {
    expect(shown(plan as unknown as Plan).split('\n').length).toBeGreaterThan(600_000);
  });
});

describe('a source map', () => {
  it('of a hundred thousand steps takes no longer a step than one of ten thousand', async () => {
    const timed = (count: number): Promise<number> => {
      const mappings = many(count, (i) => ({ line: 1, column: i * 50, source: 0, sourceLine: i, sourceColumn: 4 }));
      return processorTime(() => Promise.resolve(sourceMap('a.mjs', ['a.yaml'], mappings)));
    };
    await timed(10_000);
    expect(await timed(100_000)).toBeLessThan(1_000);
  });
});

describe('whether a file below a folder is an action file', () => {
  it.each([
    ['blank lines', '\n'],
    ['a key again and again', 'meta:'],
    ['two keys again and again', 'meta: modules'],
    ['a name in prose', 'x WR_a '],
    ['blanks behind a key', 'meta      '],
  ])('%s', async (_, piece) => {
    const text = piece.repeat(2 ** 23 / piece.length);
    expect(await processorTime(() => Promise.resolve(isActionFile(text)))).toBeLessThan(3000);
  });
});
