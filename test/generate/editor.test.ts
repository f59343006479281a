import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseDocument } from 'yaml';

import { catalogue } from '#compiler/catalogue.ts';

import { exampleFiles } from '../examples/example-files.ts';

import type { Item } from './editor.ts';
import { Editor } from './editor.ts';

const root = path.resolve(import.meta.dirname, '../..');
const commands = await catalogue.all();
const offered = commands.filter(({ implemented, replaced_by: by }) => implemented && !by);
let editor: Editor;

beforeAll(async () => {
  editor = await Editor.start();
  await editor.check('- WR_quit_all');
}, 60_000);
afterAll(() => editor.close());

const labels = (items: readonly Item[]): readonly string[] => items.map(({ label }) => label);
const textOf = ({ textEdit, insertText }: Item): string => textEdit?.newText ?? insertText ?? '';
/** Text of a file once a snippet is accepted and its holes are filled. */
const accepted = (item: Item): string =>
  textOf(item)
    .replaceAll(/\$\{\d+\|([^,|]*)[^|]*\|\}/g, '$1')
    .replaceAll(/\$\{\d+:?([^}]*)\}/g, '$1')
    .replaceAll(/\$\d+/g, 'x')
    .replaceAll(String.raw`\$`, '$');

/** Processor time (s) of this process. */
function secondsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

describe('the YAML language server with the schema of action files', { timeout: 120_000 }, () => {
  it('reads a schema below 1 MB', () => {
    expect(statSync(path.join(root, 'schemas/generated/action-file.schema.json')).size).toBeLessThan(1_000_000);
  });

  it.each([
    ['the object form', '- FA_copy_file: { source: a, target: b }\n  id: s%\n  retry: 3\n'],
    ['the list form', '- [AT_test_api_method, { http_method: get, test_url: "http://a/" }, { id: s% }]\n'],
    ['the list form by position', '- [WR_pw_fill, ["#mail", "x"]]\n'],
    ['blocks', '- FA_if_exists:\n    path: a\n    then:\n      - [FA_remove_file, [a]]\n  id: s%\n'],
  ])('checks 2,000 steps in %s in a few times what reading them takes', async (_, step) => {
    const [spent, read]: [number[], number[]] = [[], []];
    // The least of three: processor time doubles while something else uses the other half of a core.
    for (const round of ['a', 'b', 'c']) {
      const text = Array.from({ length: 2_000 }, (__, index) => step.replace('%', `${round}${index}`)).join('');
      read.push(secondsOf(() => parseDocument(text)));
      const before = await editor.seconds();
      expect(await editor.check(text)).toEqual([]);
      spent.push((await editor.seconds()) - before);
    }
    // Some four times, and less than a second, with a processor of today; hundreds where the schema is no dispatch.
    expect(Math.min(...spent)).toBeLessThan(10 * Math.min(...read));
  });

  it('finds nothing wrong in an example', async () => {
    const files = exampleFiles.filter((file) => !file.includes('/data/'));
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) expect(await editor.check(readFileSync(path.join(root, file), 'utf8')), file).toEqual([]);
  });

  it.each([
    ['- [WR_clik]', 'No such command'],
    ['- WR_clik', 'No such command'],
    ['- WR_clik: 1', 'Property WR_clik is not allowed'],
    ['- [WR_quit]', 'Old name of WR_quit_all'],
    ['- WR_quit:', 'Old name of WR_quit_all'],
    ['- [FA_copy_file, { source: a }]', 'Missing property "target"'],
    ['- FA_copy_file: { source: a, target: b, mode: c }', 'Property mode is not allowed'],
    ['- WR_implicitly_wait: { time_to_wait: soon }', 'Expected "number"'],
    ['- [WR_to_url, [a, b]]', 'too many items'],
    ['- [WR_to_url, { url: a }, { wenn: x }]', 'Property wenn is not allowed'],
    ['actions:\n  - FA_if_exists: { path: x, then: [[WR_clik]] }', 'No such command'],
  ])('finds in %j: %s', async (text, message) => {
    const findings = await editor.check(text);
    expect(findings.map((finding) => finding.message)).toEqual([expect.stringContaining(message)]);
  });
});

describe('completion', { timeout: 120_000 }, () => {
  it.each(['- |', '- FA_co|', 'actions:\n  - |', '- { FA_co| }', 'nodes:\n  - id: a\n    action: { FA_| }'])(
    'offers at %j every command that runs, and step options behind them',
    async (marked) => {
      const items = await editor.complete(marked);
      const names = labels(items);
      expect(names.filter((name) => /^[A-Z]{2}_/.test(name)).toSorted()).toEqual(
        offered.map(({ name }) => name).toSorted(),
      );
      const sorted = items.toSorted((a, b) => ((a.sortText ?? a.label) < (b.sortText ?? b.label) ? -1 : 1));
      expect(labels(sorted).slice(-10, -7)).toEqual(['expect', 'save_as', 'retry']);
    },
  );

  it('writes calls with their required parameters', async () => {
    const items = (await editor.complete('- |')).filter(({ label }) => /^[A-Z]{2}_/.test(label));
    for (const item of items) {
      const { params = [] } = commands.find(({ name }) => name === item.label) ?? {};
      const written = parse(`- ${accepted(item)}`) as readonly Record<string, object | null>[];
      const [[name, parameters]] = Object.entries(written[0] ?? {}) as [[string, object | null]];
      const required = params.filter((param) => param.required).map((param) => param.name);
      expect([name, Object.keys(parameters ?? {})]).toEqual([
        item.label,
        required.length === 0 && params.length > 0 ? ['x'] : required,
      ]);
    }
  });

  it.each(['- [FA_co|', '- [FA_co| ]', '- [\n  FA_co|\n  ]'])('offers at %j names alone', async (marked) => {
    const items = await editor.complete(marked);
    expect(labels(items).toSorted()).toEqual(offered.map(({ name }) => name).toSorted());
    expect(items.map(textOf)).toEqual(labels(items));
  });

  it.each([
    '- WR_quit_all: {}\n  |',
    '- FA_copy_file: { source: a }\n  ex|',
    '- [FA_copy_file, { source: a }, { e| }]',
  ])('offers at %j step options alone', async (marked) => {
    expect(labels(await editor.complete(marked))).toEqual(
      expect.arrayContaining(['expect', 'save_as', 'retry', 'when', 'name', 'id', 'timeout_s', 'on_failure', 'tags']),
    );
    expect(labels(await editor.complete(marked)).filter((name) => /^[A-Z]{2}_/.test(name))).toEqual([]);
  });

  it.each([
    ['retry: { zz| }', ['interval_s: ${1:1}', 'max_s: ${1:30}', 'max_attempts: ${1:3}']],
    ['retry: { m| }', ['interval_s: ${1:1}', 'max_s: ${1:30}', 'max_attempts: ${1:3}']],
    ['retry: { max_s: 5, i| }', ['interval_s: ${1:1}', 'max_attempts: ${1:3}', 'backoff_base_s: ${1:1}']],
    ['retry:\n    |', ['interval_s: ${1:1}', 'max_s: ${1:30}', 'max_attempts: ${1:3}']],
    ['save_as: { n| }', ['name: ', 'path: ', "match: '$1'"]],
    ['save_as: { name: x, p| }', ['path: ', "match: '$1'", 'secret: true']],
    ['save_as:\n    |', ['name: ', 'path: ', "match: '$1'"]],
    ['save_as:\n    - |', ['name: ', 'path: ', "match: '$1'"]],
  ])('offers in %j the keys of the option, whole also where half of one stands in braces', async (marked, texts) => {
    const items = await editor.complete(`- WR_quit_all: {}\n  ${marked}`);
    expect(items.map(textOf).slice(0, 3)).toEqual(texts);
    expect(labels(items).filter((label) => !/^[a-z_]+$/.test(label))).toEqual([]);
  });

  it.each(['retry', 'save_as'])('writes keys of %s that can be read where they stand', async (option) => {
    for (const item of await editor.complete(`- WR_quit_all: {}\n  ${option}: { zz| }`)) {
      const text = `- WR_quit_all: {}\n  ${option}: { ${accepted(item)} }`;
      const [written] = parse(text) as readonly Record<string, object>[];
      expect(Object.keys(written?.[option] ?? {})).toEqual([item.label]);
    }
  });

  it('writes step options', async () => {
    const items = await editor.complete('- WR_quit_all: {}\n  |');
    for (const item of items) {
      const [written] = parse(`- WR_quit_all: {}\n  ${accepted(item)}`) as readonly object[];
      expect(Object.keys(written ?? {})).toEqual(['WR_quit_all', item.label]);
    }
    const texts = new Map(items.map((item) => [item.label, textOf(item)]));
    expect(texts.get('retry')).toBe('retry: { interval_s: ${1:1}, max_s: ${2:30} }');
  });

  it.each([
    '- FA_copy_file:\n    |',
    '- FA_copy_file: { zz| }',
    '- [FA_copy_file, { zz| }]',
    '- [\n  FA_copy_file,\n  { z| }\n  ]',
  ])('offers at %j the parameters, without their old names', async (marked) => {
    const items = await editor.complete(marked);
    expect(items.map(textOf)).toEqual(['source: ', 'target: ', 'copy_metadata: ${1:true}', 'progress_name: ']);
  });

  it('offers what is left inside braces', async () => {
    expect(labels(await editor.complete('- FA_copy_file: { source: a, ta|'))).toEqual([
      'target',
      'copy_metadata',
      'progress_name',
    ]);
    expect(labels(await editor.complete('- AT_test_api_method: { http_method: g| }'))).toEqual(
      expect.arrayContaining(['get', 'post']),
    );
  });

  it('writes parameters that stay in braces', async () => {
    for (const { name } of offered.filter(({ params }) => params.length > 0)) {
      const items = await editor.complete(`- ${name}: { zz| }`);
      for (const item of items) {
        const written = parse(`- ${name}: { ${accepted(item)} }`) as readonly Record<string, object>[];
        expect(Object.keys(written[0]?.[name] ?? {}), name).toEqual([item.label]);
      }
    }
  });

  it('offers what a file, its meta and a node can hold', async () => {
    const file = await editor.complete('|');
    expect(labels(file)).toEqual(expect.arrayContaining(['actions', 'meta', 'setup', 'teardown', 'nodes']));
    expect(file.filter(({ label }) => label === 'meta').map(textOf)).toEqual(['meta:\n  name: ']);
    expect(labels(await editor.complete('meta:\n  |'))).toEqual(
      expect.arrayContaining(['inputs', 'dataset', 'depends_on']),
    );
    const inBraces = (await editor.complete('meta: { name: Shop, ta| }')).map(textOf);
    expect(inBraces).toEqual(
      expect.arrayContaining(['tags: [$1]', 'inputs: { $1 }', 'retry: { interval_s: ${1:1}, max_s: ${2:30} }']),
    );
    expect(inBraces.filter((text) => text.includes('\n') || !text.includes(':'))).toEqual([]);
    expect((await editor.complete('nodes:\n  - |')).map(textOf)).toEqual(['id: ', 'action: ', 'depends_on: [$1]']);
    expect(labels(await editor.complete('meta:\n  defaults:\n    |')).toSorted()).toEqual(
      offered.map(({ name }) => name).toSorted(),
    );
  });
});

describe('hover', { timeout: 60_000 }, () => {
  it.each(['- [WR_to|_url, { url: x }]', '- WR_to|_url: { url: x }', '- WR_to|_url', '- [WR_to|_url]'])(
    'shows at %j that command alone',
    async (marked) => {
      const shown = await editor.hover(marked);
      expect(shown).toContain(String.raw`WR\_to\_url`);
      expect(shown).toContain('Open an address in the current window.');
      expect(shown).not.toContain('Allowed Values');
      expect(shown.length).toBeLessThan(400);
    },
  );

  it('shows what a parameter and a step option mean', async () => {
    expect(await editor.hover('- FA_copy_file: { sou|rce: a, target: b }')).toContain('Existing file to copy.');
    expect(await editor.hover('- WR_quit_all: {}\n  timeo|ut_s: 3')).toContain('Limit of one attempt, in seconds.');
  });

  it('says of an old name what to write', async () => {
    expect(await editor.hover('- [WR_qu|it]')).toContain('Old name of WR\\_quit\\_all');
  });
});
