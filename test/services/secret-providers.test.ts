import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import {
  ChainedSecretProvider,
  EnvSecretProvider,
  FileSecretProvider,
} from '#runtime/services/secret-providers/providers.ts';
import { resolveSecretRefs } from '#runtime/services/secret-providers/resolve-secret-refs.ts';

import { secretProviderConformance } from '../conformance/secret-provider.ts';
import { failureOf, openPlace, type Place } from '../commands/files/call-here.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
  await mkdir(place.path('secrets'));
});
afterEach(() => place.close());

const put = async (name: string, content: string | Uint8Array, mode = 0o600): Promise<void> => {
  await writeFile(place.path('secrets', name), content);
  await chmod(place.path('secrets', name), mode);
};
const files = (open: string[] = []): FileSecretProvider =>
  new FileSecretProvider(nodeHost().files, place.path('secrets'), (name) => open.push(name));

const filesOf = async (secrets: Readonly<Record<string, string>>): Promise<FileSecretProvider> => {
  for (const [name, content] of Object.entries(secrets)) await put(name, content);
  return files();
};
secretProviderConformance('the environment', 'env', (secrets) => Promise.resolve(new EnvSecretProvider(secrets)));
secretProviderConformance('a folder of files', 'file', filesOf);
secretProviderConformance('a chain', '*', async (secrets) => {
  const [first = [], ...rest] = Object.entries(secrets);
  return new ChainedSecretProvider([
    new EnvSecretProvider(Object.fromEntries([first].filter(({ length }) => length > 0))),
    await filesOf(Object.fromEntries(rest)),
  ]);
});

describe('the environment', () => {
  it('knows variables that are set, also empty ones, and nothing that every object has', async () => {
    const env = new EnvSecretProvider({ SET: 'x', EMPTY: '' });
    expect([
      env.scheme,
      await env.get('SET'),
      await env.get('EMPTY'),
      await env.get('UNSET'),
      await env.get('toString'),
    ]).toEqual(['env', 'x', '', null, null]);
  });
});

describe('files', () => {
  it('give their text without the line ends at its end', async () => {
    await put('one', 'a b\n\r\n');
    await put('two', '\u00e4\n\nb');
    expect([files().scheme, await files().get('one'), await files().get('two'), await files().get('three')]).toEqual([
      'file',
      'a b',
      '\u00e4\n\nb',
      null,
    ]);
  });

  it('are looked for in their folder only', async () => {
    await writeFile(place.path('outside'), 'x');
    await writeFile(place.path('secrets2'), 'x');
    await symlink('../outside', place.path('secrets/link'));
    await mkdir(place.path('secrets/folder'));
    for (const name of [
      '../outside',
      place.path('outside'),
      'folder/../../outside',
      'link',
      'folder',
      '..',
      '.',
      '',
      'a\0b',
    ])
      expect(await files().get(name)).toBeNull();
  });

  it('may be links inside it, as containers are given them', async () => {
    await mkdir(place.path('secrets/..2024_05'));
    await put('..2024_05/password', 'sesame');
    await symlink('..2024_05', place.path('secrets/..data'));
    await symlink('..data/password', place.path('secrets/password'));
    expect(await files().get('password')).toBe('sesame');
  });

  it('are refused when they are too large or no text, and pipes are not waited for', async () => {
    await put('large', 'x'.repeat(64 * 1024 + 1));
    await put('full', 'x'.repeat(64 * 1024));
    await put('bytes', new Uint8Array([0xff, 0xfe]));
    execFileSync('mkfifo', [place.path('secrets/pipe')]);
    expect(await files().get('full')).toHaveLength(64 * 1024);
    expect(await files().get('pipe')).toBeNull();
    for (const name of ['large', 'bytes'])
      expect((await failureOf(files().get(name))).facts).toMatchObject({
        code: 'SVC87200',
        name: 'SecretNotFoundException',
      });
  });

  it('that every user may read are told of', async () => {
    await put('open', 'x', 0o644);
    await put('closed', 'x', 0o640);
    const open: string[] = [];
    await files(open).get('open');
    await files(open).get('closed');
    expect(open).toEqual(['open']);
  });
});

describe('a chain', () => {
  const vault = { scheme: 'vault', get: (name: string) => Promise.resolve(name === 'both' ? 'vault' : null) };
  const any = { scheme: '*', get: (name: string) => Promise.resolve(name === 'any' ? 'any' : null) };
  const env = new EnvSecretProvider({ both: 'env', inner: 'env' });

  it('asks in order; a reference asks only the providers of its word', async () => {
    const chain = new ChainedSecretProvider([vault, env]);
    expect([
      await chain.get('both'),
      await chain.resolveOne('env', 'both'),
      await chain.resolveOne('vault', 'both'),
    ]).toEqual(['vault', 'env', 'vault']);
    const nested = new ChainedSecretProvider([new ChainedSecretProvider([vault, env]), any]);
    expect([await nested.resolveOne('env', 'both'), await nested.resolveOne('other', 'any')]).toEqual(['env', 'any']);
  });

  it('fails for what nobody knows, and for a word that nobody serves', async () => {
    const chain = new ChainedSecretProvider([vault, env]);
    for (const [scheme, name] of [
      ['vault', 'inner'],
      ['env', 'x'],
      ['file', 'x'],
      ['aws', 'x'],
    ] as const) {
      const { facts } = await failureOf(chain.resolveOne(scheme, name));
      expect([facts.code, facts.message.includes(`"\${${scheme}:${name}}"`)]).toEqual(['SVC87200', true]);
    }
  });
});

describe('references', () => {
  const chain = new ChainedSecretProvider([new EnvSecretProvider({ USER: 'ada', HOST: '${env:USER}' })]);
  it('are resolved anywhere but in keys, once', async () => {
    const when = new Date(0);
    const value = {
      '${env:USER}': ['${env:USER}@${ env:USER}-${env: USER }', { a: '${env:HOST}' }],
      n: 1,
      no: null,
      when,
      text: '$${env:USER} ${a-b} ${x} ${open',
    };
    expect(await resolveSecretRefs(value, chain)).toEqual({
      '${env:USER}': ['ada@${ env:USER}-ada', { a: '${env:USER}' }],
      n: 1,
      no: null,
      when,
      text: '${env:USER} ${a-b} ${x} ${open',
    });
  });
  it('of a word that nobody serves leave no hole', async () => {
    expect((await failureOf(resolveSecretRefs(['${vault:x}'], chain))).facts.code).toBe('SVC87200');
  });
  it('may look like the names that objects have', async () => {
    const value = JSON.parse('{"__proto__": {"a": "${env:USER}"}}') as unknown;
    expect(JSON.stringify(await resolveSecretRefs(value, chain))).toBe('{"__proto__":{"a":"ada"}}');
  });
});
