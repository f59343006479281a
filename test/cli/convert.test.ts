import { describe, expect, it } from 'vitest';

import { convert, plan, type Conversion } from '#compiler/api.ts';
import { openCatalogue } from '#compiler/catalogue.ts';
import { COUNTERPARTS } from '#compiler/convert/engines.ts';
import { ENGINE_PAIRS, NEAREST } from '#compiler/convert/engine-pairs.ts';
import { printYaml } from '#grammar/document/print.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';

import { soundFiles } from '../mutations/sound-files.ts';

const catalogue = openCatalogue();
await catalogue.prepare(catalogue.allNames);
const options = { root: '/work', catalogue, variables: {} };
const sound = (await soundFiles()).filter((_, index) => index % 3 === 0);

async function planOf(text: string, path: string): Promise<string | undefined> {
  const compilation = await plan([{ path, content: text }], options, memoryHost({ cwd: '/work' }));
  // The name of the source is its own.
  return compilation.hasErrors ? undefined : compilation.seal().text.replaceAll(/a\.(?:yaml|json)/g, 'a');
}

async function converted(text: string, wanted: Conversion, path = '/work/a.yaml') {
  const { file } = await convert({ path, content: text }, { ...options, ...wanted }, memoryHost({ cwd: '/work' }));
  return file.converted ?? expect.fail('it was not converted');
}

const ways: readonly Conversion[] = [
  { form: 'object', params: 'keyword' },
  { form: 'array', params: 'positional' },
  { form: 'object', params: 'positional' },
  { form: 'array', params: 'keyword' },
];

describe('what a file means stays', () => {
  it.each(ways)('as %o, there and back', async (wanted) => {
    let count = 0;
    for (const { name, value } of sound) {
      const text = `${printYaml(value)}\n`;
      const before = await planOf(text, '/work/a.yaml');
      if (before === undefined) continue;
      const other = await converted(text, wanted);
      expect(await planOf(other, '/work/a.yaml'), `${name}\n${other}`).toBe(before);
      expect(await converted(other, wanted), `${name}: a second time`).toBe(other);
      count += 1;
    }
    expect(count).toBeGreaterThan(100);
  });

  it('in the other format, and back', async () => {
    for (const { name, value } of sound) {
      const text = `${printYaml(value)}\n`;
      const json = await converted(text, { to: 'json' });
      expect(JSON.parse(json), name).toEqual(value);
      const yaml = await converted(json, { to: 'yaml' }, '/work/a.json');
      expect(await planOf(yaml, '/work/a.yaml'), name).toBe(await planOf(text, '/work/a.yaml'));
    }
  });
});

describe('defaults of commands', () => {
  it('go over to the other engine, and those that cannot are named', async () => {
    const text = [
      'meta:',
      '  # for all pages',
      '  defaults:',
      '    WR_new_driver: { webdriver_name: chrome }',
      '    WR_get_log: { log_type: browser }',
      'actions:',
      '  - WR_new_driver',
      '',
    ].join('\n');
    const { file } = await convert(
      { path: '/work/a.yaml', content: text },
      { ...options, engine: 'playwright' },
      memoryHost({ cwd: '/work' }),
    );
    expect(file.converted).toContain('# for all pages');
    expect(file.converted).toContain('WR_pw_launch: { browser: chromium }');
    expect(file.left.map(({ line, text: why }) => `${line} ${why}`)).toEqual([
      expect.stringMatching(/^5 WR_get_log has no counterpart/),
    ]);
  });
});

describe('a command that nobody knows', () => {
  it('is named where the engine is to change', async () => {
    const { file } = await convert(
      { path: '/work/a.yaml', content: '- WR_nothing_known: {}\n- NOT_ours\n' },
      { ...options, engine: 'playwright' },
      memoryHost({ cwd: '/work' }),
    );
    expect(file.left.map(({ text }) => text)).toEqual(['"WR_nothing_known" stays as it is: there is no such command']);
  });
});

describe('commands of both engines', () => {
  it('are declared, with the parameters that correspond', () => {
    for (const { webdriver, playwright, params = [] } of ENGINE_PAIRS) {
      const names = (command: string): readonly string[] =>
        (catalogue.get(command)?.params ?? []).map(({ name }) => name);
      expect(catalogue.get(webdriver)?.sessions, webdriver).toBeDefined();
      expect(catalogue.get(playwright)?.sessions, playwright).toBeDefined();
      for (const [here, there] of params) {
        expect(names(webdriver), webdriver).toContain(here);
        expect(names(playwright), playwright).toContain(there);
      }
    }
    for (const name of Object.keys(NEAREST)) {
      expect(catalogue.has(name), name).toBe(true);
      expect(COUNTERPARTS).not.toContain(name);
    }
  });

  it('have each one counterpart, that leads back where there is a way back', async () => {
    const back = ENGINE_PAIRS.filter(({ only }) => only === undefined);
    expect(new Set(back.map(({ playwright }) => playwright)).size).toBe(back.length);
    expect(new Set(ENGINE_PAIRS.map(({ webdriver }) => webdriver)).size).toBe(ENGINE_PAIRS.length);
    const text =
      '- { WR_local_storage_set: { key: a, value: b } }\n- [WR_set_page_load_timeout, [2.5]]\n- [WR_set_driver, [chrome]]\n';
    const there = await converted(text, { engine: 'playwright' });
    expect(there).toContain('timeout');
    expect(await planOf(await converted(there, { engine: 'webdriver' }), '/work/a.yaml')).toBe(
      await planOf(text, '/work/a.yaml'),
    );
  });
});
