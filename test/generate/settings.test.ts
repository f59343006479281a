import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { checkConfiguration } from '#compiler/engine/configuration/check-configuration.ts';
import { findFiles } from '#compiler/generate/find-files.ts';
import * as settings from '#schemas/generated/settings.ts';

const root = path.resolve(import.meta.dirname, '../..');
const schema = JSON.parse(readFileSync(path.join(root, 'schemas/generated/config.schema.json'), 'utf8')) as {
  readonly properties: Readonly<
    Record<string, { readonly properties?: Readonly<Record<string, { default?: number }>> }>
  >;
};
const limits = schema.properties['limits']?.properties ?? {};

describe('limits and sections that ports declare', () => {
  it('stand in the schema of the configuration, with the defaults that providers use', () => {
    expect(Object.keys(limits)).toEqual(expect.arrayContaining(['notify_seconds', 'parquet_rows', 'http_body_bytes']));
    const constants = Object.entries(settings).filter(([, value]) => typeof value === 'number');
    expect(constants.length).toBeGreaterThan(10);
    for (const [name, value] of constants) expect(limits[name.toLowerCase()]?.default, name).toBe(value);
    for (const section of settings.SECTIONS) expect(schema.properties, section).toHaveProperty(section);
  });

  it.each([
    [{ limits: { http_body_byte: 1 } }, '"limits.http_body_byte" is no setting', /http_body_bytes/],
    [{ limits: { notify_second: 5 } }, '"limits.notify_second" is no setting', /notify_seconds/],
    [{ browser: { headles: true } }, '"browser.headles" is no setting', /headless/],
  ])('are the only ones: %j', async (value, reason, help) => {
    const problem = await checkConfiguration(value);
    expect(problem?.reason).toBe(reason);
    expect(problem?.help).toMatch(help);
  });

  it('take no value of another kind', async () => {
    expect(await checkConfiguration({ limits: { http_redirects: 0 } })).toMatchObject({ part: 'value' });
    expect(await checkConfiguration({ limits: { parquet_rows: 1.5 } })).toMatchObject({ part: 'value' });
    expect(await checkConfiguration({ limits: { http_redirects: 3, parquet_rows: 10 } })).toBeUndefined();
  });

  it('are each set by a test, which shows that the provider reads them', () => {
    const folders = ['adapters', 'commands', 'conformance', 'hostile', 'services'].map((folder) => `test/${folder}`);
    const tests = folders
      .flatMap((folder) => findFiles(root, folder, (name) => name.endsWith('.ts')))
      .map((file) => readFileSync(path.join(root, file), 'utf8'))
      .join('\n');
    const ofPorts = Object.keys(limits).filter((name) => Object.hasOwn(settings, name.toUpperCase()));
    expect(ofPorts.length).toBeGreaterThan(20);
    expect(ofPorts.filter((name) => !new RegExp(`\\b${name}\\b`).test(tests))).toEqual([]);
  });

  it('are all that declarations and READMEs speak of', () => {
    const texts = ['stdlib', 'runtime', 'schemas/messages'].flatMap((folder) =>
      findFiles(root, folder, (name) => /\.(yaml|md)$/.test(name)),
    );
    const named = texts.flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(/`limits\.([a-z_]+)`/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !Object.hasOwn(limits, name))).toEqual([]);
  });
});
