import { execFileSync } from 'node:child_process';
import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  FA_decrypt_file,
  FA_encrypt_file,
  FA_generate_key,
  FA_key_from_password,
} from '#stdlib/files/safety/crypto/crypto.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

const script = fileURLToPath(new URL('../../../fixtures/envelope.py', import.meta.url));
const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const NONCE = KEY.subarray(0, 12);
const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64');

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

interface Options {
  readonly key?: Uint8Array;
  readonly associated_data?: string;
}
const encrypt = (source: string, target: string, { key = KEY, associated_data = '' }: Options = {}): Promise<unknown> =>
  call(FA_encrypt_file, place, {
    source: place.path(source),
    target: place.path(target),
    key: base64(key),
    associated_data,
    progress_name: null,
  });
const decrypt = (source: string, target: string, { key = KEY, associated_data }: Options = {}): Promise<unknown> =>
  call(FA_decrypt_file, place, {
    source: place.path(source),
    target: place.path(target),
    key: base64(key),
    associated_data: associated_data ?? null,
    progress_name: null,
  });
const python = (...args: readonly string[]): string => execFileSync('python3', [script, ...args], { encoding: 'utf8' });

describe('the envelope', () => {
  // Published in stdlib/files/safety/crypto/README.md.
  it.each([
    ['', '', '46412d4145534701' + '00' + '00000000' + '000102030405060708090a0b' + 'f4c2db1dc38805a37b92171c5d0a81cc'],
    [
      'hello',
      'v1',
      '46412d4145534701' +
        '00' +
        '00000002' +
        '000102030405060708090a0b' +
        '7631' +
        '2f67ba77aa' +
        'd0f1d0238ffae466ffdb89c729acb73c',
    ],
  ])('of "%s" with "%s" is that of the published vector', async (content, associated, hex) => {
    await writeFile(place.path('plain'), content);
    const fixed = { ...place, context: { ...place.context, random: { ...place.context.random, bytes: () => NONCE } } };
    const sizes = await call(FA_encrypt_file, fixed, {
      source: place.path('plain'),
      target: place.path('x.enc'),
      key: base64(KEY),
      associated_data: base64(associated),
      progress_name: null,
    });
    const written = await readFile(place.path('x.enc'));
    expect(written.toString('hex')).toBe(hex);
    expect(sizes).toEqual({ plaintext_bytes: content.length, ciphertext_bytes: written.length });
    expect(await decrypt('x.enc', 'back')).toEqual({
      plaintext_bytes: content.length,
      ciphertext_bytes: written.length,
    });
    expect(await readFile(place.path('back'), 'utf8')).toBe(content);
  });

  it.skipIf(lacks('python3'))('is read and written by a program of its own, over the sizes of pieces', async () => {
    for (const size of [0, 1, 262_143, 262_144, 262_145, 700_001]) {
      const content = Buffer.alloc(size, 'abcdefg');
      await writeFile(place.path('plain'), content);
      await encrypt('plain', 'ours', { associated_data: base64('about') });
      python('open', KEY.toString('hex'), place.path('ours'), place.path('read'));
      expect((await readFile(place.path('read'))).equals(content)).toBe(true);
      python('seal', KEY.toString('hex'), NONCE.toString('hex'), '00ff', place.path('plain'), place.path('theirs'));
      await decrypt('theirs', 'back', { associated_data: 'AP8=' });
      expect((await readFile(place.path('back'))).equals(content)).toBe(true);
    }
  });

  it.skipIf(lacks('python3'))('of shorter keys is read; none is written', async () => {
    await writeFile(place.path('plain'), 'old');
    for (const bytes of [16, 24]) {
      const key = KEY.subarray(0, bytes);
      python('seal', key.toString('hex'), NONCE.toString('hex'), '', place.path('plain'), place.path('old.enc'));
      await decrypt('old.enc', `back${bytes}`, { key });
      expect(await readFile(place.path(`back${bytes}`), 'utf8')).toBe('old');
      const { facts } = await failureOf(encrypt('plain', 'x.enc', { key }));
      expect([facts.code, facts.name]).toEqual(['SVC86400', 'CryptoException']);
    }
  });

  it('has another nonce for each call', async () => {
    await writeFile(place.path('plain'), 'same');
    await encrypt('plain', 'one');
    await encrypt('plain', 'two');
    expect((await readFile(place.path('one'))).equals(await readFile(place.path('two')))).toBe(false);
  });
});

describe('what was changed', () => {
  const content = Buffer.alloc(600_000, 'content ');
  beforeEach(async () => {
    await writeFile(place.path('plain'), content);
    await encrypt('plain', 'x.enc', { associated_data: base64('v1') });
    await writeFile(place.path('target'), 'old');
  });
  const change = async (edit: (bytes: Buffer) => Buffer | void): Promise<void> => {
    const bytes = await readFile(place.path('x.enc'));
    await writeFile(place.path('x.enc'), edit(bytes) ?? bytes);
  };
  const isRefused = async (code: string, options: Options = {}): Promise<void> => {
    const { facts } = await failureOf(decrypt('x.enc', 'target', options));
    expect([facts.code, facts.name]).toEqual([code, 'CryptoException']);
    if (code === 'SVC86406') expect(facts.message).toContain('authentication failed');
    expect(await readFile(place.path('target'), 'utf8')).toBe('old');
    expect((await readdir(place.root)).sort()).toEqual(['plain', 'target', 'x.enc']);
  };

  it.each<[string, (bytes: Buffer) => Buffer | void, string]>([
    ['a bit of the content', (bytes) => void (bytes[300_000] = (bytes[300_000] ?? 0) ^ 1), 'SVC86406'],
    ['a bit of the nonce', (bytes) => void (bytes[13] = (bytes[13] ?? 0) ^ 1), 'SVC86406'],
    ['a bit of the associated data', (bytes) => void (bytes[25] = (bytes[25] ?? 0) ^ 1), 'SVC86406'],
    ['a bit of the tag', (bytes) => void (bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1), 'SVC86406'],
    [
      'the order',
      (bytes) =>
        Buffer.concat([
          bytes.subarray(0, 27),
          bytes.subarray(27 + 262_144, 27 + 524_288),
          bytes.subarray(27, 27 + 262_144),
          bytes.subarray(27 + 524_288),
        ]),
      'SVC86406',
    ],
    ['the end, by a byte more', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]), 'SVC86406'],
    ['the end, by a byte less', (bytes) => bytes.subarray(0, -1), 'SVC86406'],
    ['the end, up to the first piece', (bytes) => bytes.subarray(0, 27 + 262_144), 'SVC86406'],
    ['the end, up to the header', (bytes) => bytes.subarray(0, 40), 'SVC86405'],
    ['the end, within the header', (bytes) => bytes.subarray(0, 24), 'SVC86405'],
    ['all of it', () => Buffer.alloc(0), 'SVC86405'],
    ['the magic', (bytes) => void bytes.write('fa-aesg'), 'SVC86403'],
    ['the version', (bytes) => void (bytes[7] = 2), 'SVC86403'],
    ['the flags', (bytes) => void (bytes[8] = 1), 'SVC86403'],
    ['the length of the associated data, by one', (bytes) => void (bytes[12] = 3), 'SVC86406'],
    ['the length of the associated data, past the end', (bytes) => void (bytes[9] = 255), 'SVC86405'],
  ])('%s is told before anything appears', async (_what, edit, code) => {
    await change(edit);
    await isRefused(code);
  });

  it('any one bit and any one length is told', async () => {
    await writeFile(place.path('small'), 'content');
    await encrypt('small', 'small.enc', { associated_data: base64('v1') });
    const good = await readFile(place.path('small.enc'));
    const wrong = [
      ...Array.from({ length: good.length * 8 }, (_, bit) =>
        good.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)),
      ),
      ...Array.from({ length: good.length }, (_, length) => good.subarray(0, length)),
      ...Array.from({ length: 40 }, (_, more) => Buffer.concat([good, Buffer.alloc(more + 1)])),
    ];
    for (const bytes of wrong) {
      await writeFile(place.path('x.enc'), bytes);
      expect((await failureOf(decrypt('x.enc', 'target'))).facts.name).toBe('CryptoException');
    }
    expect(await readFile(place.path('target'), 'utf8')).toBe('old');
  });

  it('another key, and other associated data, are told before anything appears', async () => {
    await isRefused('SVC86406', { key: Buffer.alloc(32) });
    await isRefused('SVC86406', { key: KEY.subarray(0, 16) });
    for (const other of ['v2', 'v', 'v11', '']) await isRefused('SVC86406', { associated_data: base64(other) });
    await decrypt('x.enc', 'target', { associated_data: base64('v1') });
    expect((await readFile(place.path('target'))).equals(content)).toBe(true);
  });
});

describe('files', () => {
  it('that are new can be read by their owner only; a plain one keeps the permissions it has', async () => {
    await writeFile(place.path('plain'), 'p');
    await writeFile(place.path('there.enc'), 'x', { mode: 0o644 });
    await encrypt('plain', 'deep/er/new.enc');
    await encrypt('plain', 'there.enc');
    await decrypt('there.enc', 'new');
    await writeFile(place.path('there'), 'x');
    await chmod(place.path('there'), 0o640);
    await decrypt('there.enc', 'there');
    const modes = await Promise.all(
      ['deep/er/new.enc', 'there.enc', 'new', 'there'].map(async (name) =>
        ((await stat(place.path(name))).mode & 0o777).toString(8),
      ),
    );
    expect(modes).toEqual(['600', '600', '600', '640']);
  });

  it('may be encrypted in place, and through a link, which stays one', async () => {
    await writeFile(place.path('plain'), 'p');
    await symlink('plain', place.path('link'));
    await encrypt('plain', 'link');
    await decrypt('plain', 'plain');
    expect(await readFile(place.path('link'), 'utf8')).toBe('p');
  });

  it('of names that are not UTF-8 work like others', async () => {
    await writeFile(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from([0x66, 0xfe])]), 'x');
    await encrypt('f\udcfe', 'g\udcff');
    await decrypt('g\udcff', 'h');
    expect(await readFile(place.path('h'), 'utf8')).toBe('x');
  });

  it('that are none are refused: missing ones, folders, pipes', async () => {
    await mkdir(place.path('folder'));
    execFileSync('mkfifo', [place.path('pipe')]);
    for (const source of ['none', 'folder', 'pipe']) {
      for (const work of [encrypt, decrypt]) {
        const { facts } = await failureOf(work(source, 'x'));
        expect([facts.code, facts.name]).toEqual(['SVC86402', 'CryptoException']);
      }
    }
    await writeFile(place.path('plain'), 'p');
    await encrypt('plain', 'x.enc');
    expect((await failureOf(decrypt('x.enc', 'pipe'))).facts.code).toBe('SVC85022');
    expect((await failureOf(decrypt('x.enc', 'folder'))).facts.code).toBe('SVC85009');
  });

  it('may be encrypted into a pipe', async () => {
    await writeFile(place.path('plain'), 'p');
    execFileSync('mkfifo', [place.path('pipe')]);
    const read = readFile(place.path('pipe'));
    expect(await encrypt('plain', 'pipe')).toEqual({ plaintext_bytes: 1, ciphertext_bytes: 42 });
    await writeFile(place.path('x.enc'), await read);
    await decrypt('x.enc', 'back');
    expect(await readFile(place.path('back'), 'utf8')).toBe('p');
  });

  it.each<[string, (path: string) => Promise<void>]>([
    ['grows', (path) => appendFile(path, 'more')],
    ['is cut', (path) => truncate(path, 100_000)],
    [
      'is replaced',
      async (path) => {
        const { size } = await stat(path);
        await rm(path);
        await writeFile(path, Buffer.alloc(size, 'z'));
      },
    ],
  ])('one that %s while it is encrypted leaves the target as it was', async (_what, change) => {
    await writeFile(place.path('plain'), Buffer.alloc(2_000_000, 'p'));
    await writeFile(place.path('x.enc'), 'old');
    const { files } = place.context;
    const stream = async function* (...args: Parameters<typeof files.stream>): AsyncGenerator<Uint8Array> {
      let isChanged = false;
      for await (const chunk of files.stream(...args)) {
        if (!isChanged) await change(place.path('plain'));
        isChanged = true;
        yield chunk;
      }
    };
    const busy = { ...place, context: { ...place.context, files: { ...files, stream } } };
    const { facts } = await failureOf(
      call(FA_encrypt_file, busy, {
        source: place.path('plain'),
        target: place.path('x.enc'),
        key: base64(KEY),
        associated_data: '',
        progress_name: null,
      }),
    );
    expect([facts.code, facts.class]).toEqual(['SVC86409', 'flaky']);
    expect(await readFile(place.path('x.enc'), 'utf8')).toBe('old');
    expect((await readdir(place.root)).sort()).toEqual(['plain', 'x.enc']);
  });

  it('above the limit of the cipher are refused before they are read', async () => {
    await writeFile(place.path('huge'), '');
    await truncate(place.path('huge'), 2 ** 36);
    expect((await failureOf(encrypt('huge', 'x.enc'))).facts.code).toBe('SVC86407');
    expect(existsSync(place.path('x.enc'))).toBe(false);
  });

  it('leave nothing behind when the call is cancelled', async () => {
    await writeFile(place.path('plain'), Buffer.alloc(4_000_000));
    const stop = new AbortController();
    const stopped = { ...place, context: { ...place.context, signal: stop.signal } };
    const work = call(FA_encrypt_file, stopped, {
      source: place.path('plain'),
      target: place.path('x.enc'),
      key: base64(KEY),
      associated_data: '',
      progress_name: null,
    });
    stop.abort(new Error('enough'));
    await expect(work).rejects.toThrow();
    expect(await readdir(place.root)).toEqual(['plain']);
  });
});

describe('keys', () => {
  it('are random, of the asked length, and masked', async () => {
    for (const [bits, bytes] of [
      [128, 16],
      [192, 24],
      [256, 32],
    ] as const) {
      const key = await call(FA_generate_key, place, { bits, key_path: null });
      expect(Buffer.from(key, 'base64')).toHaveLength(bytes);
      expect(place.masked).toContain(key);
    }
    expect(new Set(place.masked).size).toBe(3);
  });

  it('go into a file of their owner, which is never replaced', async () => {
    const key = await call(FA_generate_key, place, { bits: 256, key_path: place.path('keys/a.key') });
    expect(await readFile(place.path('keys/a.key'), 'utf8')).toBe(`${key}\n`);
    expect((await stat(place.path('keys/a.key'))).mode & 0o777).toBe(0o600);
    expect(
      (await failureOf(call(FA_generate_key, place, { bits: 256, key_path: place.path('keys/a.key') }))).facts.code,
    ).toBe('SVC85010');
    expect(await readFile(place.path('keys/a.key'), 'utf8')).toBe(`${key}\n`);
    expect(await readdir(place.path('keys'))).toEqual(['a.key']);
  });

  const derived = (
    password: string,
    salt: string,
    {
      iterations = 200_000,
      bits = 256,
      force = false,
    }: { iterations?: number; bits?: 128 | 192 | 256; force?: boolean } = {},
  ): Promise<string> => call(FA_key_from_password, place, { password, salt, iterations, bits, force });

  it('from a password are those of the published vector', async () => {
    const salt = base64(KEY.subarray(0, 16));
    expect(await derived('Пароль 1', salt)).toBe('BqLILeU9hDhAWi2kGcKTHzjoLaiodU3Ttorkth6oohU=');
    expect(place.masked).toContain('BqLILeU9hDhAWi2kGcKTHzjoLaiodU3Ttorkth6oohU=');
  });

  it.skipIf(lacks('python3'))('from a password are those that Python derives', async () => {
    const salt = Buffer.from('a salt of 20 bytes..');
    const theirs = execFileSync(
      'python3',
      [
        '-c',
        'import base64,hashlib,sys; print(base64.b64encode(hashlib.pbkdf2_hmac("sha256", sys.argv[1].encode(), sys.argv[2].encode(), 1000, 24)).decode())',
        'pass wörd',
        salt.toString(),
      ],
      { encoding: 'utf8' },
    ).trim();
    expect(await derived('pass wörd', base64(salt), { iterations: 1000, bits: 192, force: true })).toBe(theirs);
  });

  it('from a password refuse short salts and few rounds', async () => {
    const salt = base64(KEY.subarray(0, 16));
    for (const work of [() => derived('p', base64('short salt!')), () => derived('p', salt, { iterations: 99_999 })]) {
      const { facts } = await failureOf(work());
      expect([facts.code, facts.name]).toEqual(['SVC86408', 'CryptoException']);
    }
  });

  it('that are no base64, or have another length, are refused without being shown', async () => {
    await writeFile(place.path('plain'), 'p');
    for (const key of ['not base64!', `${base64(KEY)}=`, base64(KEY.subarray(0, 31)), '']) {
      const { facts } = await failureOf(
        call(FA_encrypt_file, place, {
          source: place.path('plain'),
          target: place.path('x'),
          key,
          associated_data: '',
          progress_name: null,
        }),
      );
      expect(facts.name).toBe('CryptoException');
      if (key !== '') expect(facts.message).not.toContain(key);
    }
    expect(existsSync(place.path('x'))).toBe(false);
  });
});
