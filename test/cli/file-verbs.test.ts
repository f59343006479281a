import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { pack } from '../commands/worlds/files-zip.ts';
import { startGoogleDrive } from '../fixtures/drives/google.ts';
import { writeGoogleFiles } from '../fixtures/drives/google-files.ts';
import { startSvc, svc, type Said } from './svc.ts';

let folder = '';

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-file-verbs-')));
  writeFileSync(join(folder, 'svc.config.yaml'), 'secrets: { file_root: secrets }');
  mkdirSync(join(folder, 'evidence/deep'), { recursive: true });
  mkdirSync(join(folder, 'secrets'));
  writeFileSync(join(folder, 'evidence/a.txt'), 'a');
  writeFileSync(join(folder, 'evidence/deep/b.txt'), 'b');
  writeFileSync(join(folder, 'secrets/zip'), 'open sesame\n', { mode: 0o600 });
  await pack(join(folder, 'secret.zip'), { 'secret.txt': 'under the stone' }, { password: 'open sesame' });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const here = (name: string): string => join(folder, name);
const call = (...args: readonly string[]): Promise<Said> => svc(folder, args, { env: { ZIP_PASSWORD: 'open sesame' } });

describe('svc zip and svc unzip', () => {
  test('pack a folder or a file, and unpack it', async () => {
    expect(await call('zip', 'evidence', 'all')).toEqual({ stdout: 'all.zip\n', stderr: '', exit: 0 });
    expect(await call('zip', 'evidence/a.txt', 'one.zip')).toEqual({ stdout: 'one.zip\n', stderr: '', exit: 0 });
    expect(await call('unzip', 'all.zip', 'out')).toEqual({
      stdout: 'out/a.txt\nout/deep\nout/deep/b.txt\n',
      stderr: '',
      exit: 0,
    });
    expect(JSON.parse((await call('unzip', 'one.zip', 'out', '--json')).stdout)).toEqual(['out/a.txt']);
    expect(readFileSync(here('out/deep/b.txt'), 'utf8')).toBe('b');
  });

  test('say what is wrong, with exit status 1', async () => {
    expect(await call('zip', 'nowhere', 'x.zip')).toMatchObject({
      stdout: '',
      stderr: 'error[SVC85000]: There is no file "nowhere".\n',
      exit: 1,
    });
    expect(await call('zip', 'evidence/a.txt', 'x.zip', '--dir')).toMatchObject({
      stderr:
        'error[SVC85001]: There is no folder "evidence/a.txt".\n  | actual:   "a file"\n  | expected: "a folder"\n',
      exit: 1,
    });
    expect(await call('unzip', 'evidence/a.txt', 'x')).toMatchObject({
      stderr: expect.stringContaining('SVC85030'),
      exit: 1,
    });
    expect(existsSync(here('x.zip'))).toBe(false);
  });

  test('take a password that stands elsewhere', async () => {
    for (const password of ['open sesame', '${env:ZIP_PASSWORD}', '${file:zip}']) {
      expect(await call('unzip', 'secret.zip', 'opened', '--password', password)).toMatchObject({
        stderr: '',
        exit: 0,
      });
    }
    expect(await call('unzip', 'secret.zip', 'x')).toMatchObject({
      stderr: expect.stringContaining('SVC85032'),
      exit: 1,
    });
    const unset = await call('unzip', 'secret.zip', 'x', '--password', '${env:NOPE}');
    expect(unset).toMatchObject({ stderr: expect.stringContaining('"${env:NOPE}" was not found'), exit: 1 });
    expect(existsSync(here('x'))).toBe(false);
  });
});

describe('svc create-file', () => {
  test('writes text as it is given, without references', async () => {
    expect(await call('create-file', 'notes/today.txt', '--content', '${uuid} {{name}}\n')).toEqual({
      stdout: 'notes/today.txt\n',
      stderr: '',
      exit: 0,
    });
    expect(readFileSync(here('notes/today.txt'), 'utf8')).toBe('${uuid} {{name}}\n');
    expect(await call('create-file', 'empty', '--json')).toEqual({ stdout: 'null\n', stderr: '', exit: 0 });
    expect(readFileSync(here('empty'), 'utf8')).toBe('');
  });

  test('fails where a folder stands', async () => {
    expect(await call('create-file', 'evidence')).toMatchObject({ stdout: '', exit: 1 });
  });
});

async function serving<Result>(answer: RequestListener, use: (base: string) => Promise<Result>): Promise<Result> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('svc drive-upload', () => {
  test('signs in by the files that it is given, and tells the id of what it sent', async () => {
    await using served = await startGoogleDrive();
    const inbox = served.tree.add('root', 'inbox', undefined, { mediaType: 'application/vnd.google-apps.folder' });
    await writeGoogleFiles(folder, served.url);
    const login = ['--token', 'token.json', '--credentials', 'credentials.json'];
    const there = [...login, '--endpoint-url', served.url, '--allow', 'private'];
    const sent = await call('drive-upload', 'evidence/a.txt', ...there, '--name', 'other.txt');
    expect(sent).toEqual({ stdout: expect.stringMatching(/^\S+\n$/) as string, stderr: '', exit: 0 });
    const inFolder = await call('drive-upload', 'evidence/a.txt', ...there, '--folder-id', inbox.id, '--json');
    const { id } = JSON.parse(inFolder.stdout) as { id: string };
    const found = (wanted: string): unknown => served.tree.nodes.get(wanted);
    expect(found(sent.stdout.trim())).toMatchObject({ name: 'other.txt', parent: 'root' });
    expect(found(id)).toMatchObject({ name: 'a.txt', parent: inbox.id });
    expect(await call('drive-upload', 'none.txt', ...there)).toMatchObject({ stdout: '', exit: 1 });
    expect(await call('drive-upload', 'evidence/a.txt', ...login.slice(2))).toMatchObject({
      stderr: expect.stringContaining('"svc drive-upload" needs --token') as string,
      exit: 2,
    });
  });
});

describe('svc download', () => {
  const content = 'x'.repeat(100_000);
  const sha256 = createHash('sha256').update(content).digest('hex');

  test('writes what was verified, under the gates of the command line', () =>
    serving(
      (_, response) => response.end(content),
      async (base) => {
        expect(await call('download', base, 'got', '--allow', 'private', '--sha256', sha256)).toEqual({
          stdout: 'got\n',
          stderr: '',
          exit: 0,
        });
        expect(readFileSync(here('got'), 'utf8')).toBe(content);
        expect(await call('download', base, 'refused')).toMatchObject({
          stderr: expect.stringContaining('--allow private'),
          exit: 1,
        });
        expect(await call('download', base, 'refused', '--allow', 'private', '--max-bytes', '99999')).toMatchObject({
          stderr: expect.stringContaining('SVC88007'),
          exit: 1,
        });
        expect(await call('download', base, 'refused', '--allow', 'private', '--sha256', '0'.repeat(64))).toMatchObject(
          { stderr: expect.stringContaining(sha256), exit: 1 },
        );
        expect(existsSync(here('refused'))).toBe(false);
      },
    ));

  test('is wrong use where nothing could be asked', async () => {
    expect(await call('download', 'ftp://example.org/x', 'x')).toMatchObject({
      stderr: expect.stringContaining('"url"'),
      exit: 2,
    });
    expect(await call('download', 'https://example.org/x', 'x', '--sha256', '12')).toMatchObject({
      stderr: expect.stringContaining('"expected_sha256"'),
      exit: 2,
    });
    expect(await call('download', 'https://example.org/x')).toMatchObject({
      stderr: expect.stringContaining('needs TARGET'),
      exit: 2,
    });
  });

  test('ends in order when it is interrupted', () => {
    let asked: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (asked = resolve));
    return serving(
      (_, response) => {
        response.writeHead(200, { 'content-length': '100000' }).write('x'.repeat(50_000));
        asked();
      },
      async (base) => {
        const { child, ended } = startSvc(folder, ['download', base, 'broken', '--allow', 'private']);
        await reached;
        child.kill('SIGINT');
        expect(await ended).toMatchObject({
          stdout: '',
          stderr: expect.stringMatching(/stopped: SIGINT\n$/),
          exit: 130,
        });
        expect(readdirSync(folder).filter((name) => name.includes('broken'))).toEqual([]);
      },
    );
  });
});

describe('flags instead of a verb', () => {
  const statuses = ({ stdout }: Said): readonly string[] =>
    [...stdout.matchAll(/^ {2}"status": "(\w+)"/gm)].map(([, status = '']) => status);
  const write = (name: string, action: readonly unknown[]): void => writeFileSync(here(name), JSON.stringify([action]));

  test('run a file, a folder, a text and make a project, in this order, each also after a failure', async () => {
    mkdirSync(here('acts'));
    write('acts/good.json', ['FA_create_file', { file_path: 'from-folder' }]);
    write('bad.json', ['FA_copy_file', { source: 'nowhere', target: 'x' }]);
    const text = JSON.stringify([['FA_create_file', { file_path: 'from-text' }]]);
    const said = await call('--create_project=shop', '--execute_str', text, '-d', 'acts', '--execute-file', 'bad.json');
    expect(statuses(said)).toEqual(['failed', 'passed', 'passed']);
    expect(said.exit).toBe(1);
    expect(said.stdout.trimEnd().endsWith('"kept": []\n}')).toBe(true);
    expect(
      ['from-folder', 'from-text', 'shop/FileAutomation/keyword/keyword_create.json'].filter(
        (name) => !existsSync(here(name)),
      ),
    ).toEqual([]);
  });

  test('take a text that was quoted twice', async () => {
    const text = JSON.stringify([['FA_create_file', { file_path: 'quoted-twice' }]]);
    expect(await call('--execute_str', JSON.stringify(text))).toMatchObject({ exit: 0 });
    expect(existsSync(here('quoted-twice'))).toBe(true);
  });

  test('say what is wrong', async () => {
    expect(await call('-e')).toMatchObject({
      stderr: expect.stringContaining('"--execute-file" needs a value'),
      exit: 2,
    });
    expect(await call('-e', '--help')).toMatchObject({ stdout: expect.stringContaining('Usage'), exit: 0 });
    expect(await call('-e', '--execute_str', '[]')).toMatchObject({
      stderr: expect.stringContaining('"--execute-file" needs a value'),
      exit: 2,
    });
    expect(await call('-e', 'nowhere.json')).toMatchObject({
      stderr: expect.stringContaining('nowhere.json'),
      exit: 2,
    });
    expect(await call('--execute_files', 'x')).toMatchObject({
      stderr: expect.stringContaining('has no option "--execute-files"'),
      exit: 2,
    });
    expect(await call('-e', 'bad.json', 'more')).toMatchObject({ stderr: expect.stringContaining('"more"'), exit: 2 });
    expect(await call('--execute_str', '[["FA_')).toMatchObject({
      stderr: expect.stringContaining('<stdin>:1:3'),
      exit: 1,
    });
    expect(await call('-x')).toMatchObject({ stderr: expect.stringContaining('There is no verb "-x"'), exit: 2 });
  });
});
