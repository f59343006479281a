import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_mime_detect, FA_mime_detect_bytes } from '#stdlib/files/local/mime/mime.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const ofName = (name: string): Promise<string> => call(FA_mime_detect, place, { path: place.path(name) });
const ofBytes = (bytes: Buffer): Promise<string> =>
  call(FA_mime_detect_bytes, place, { data: bytes.toString('base64') });

describe('FA_mime_detect', () => {
  it.each([
    ['a.PNG', 'image/png'],
    ['a.tar.gz', 'application/x-tar'],
    ['a.tgz', 'application/x-tar'],
    ['a.csv.zst', 'text/csv'],
    ['a.svgz', 'image/svg+xml'],
    ['.config.json', 'application/json'],
    ['x.d/a.yaml', 'application/yaml'],
  ])('%s is %s by its name, and need not be there', async (name, type) => {
    expect(await ofName(name)).toBe(type);
  });

  it('looks into the file where the name says nothing', async () => {
    for (const name of ['README', 'x.gz', '.json', 'x.unknown']) {
      await writeFile(place.path(name), Buffer.from('1f8b0800', 'hex'));
      expect(await ofName(name)).toBe('application/gzip');
    }
    await writeFile(place.path('empty'), '');
    expect(await ofName('empty')).toBe('application/octet-stream');
    expect((await failureOf(ofName('missing'))).facts.code).toBe('SVC85000');
  });

  it('believes a suffix before the content', async () => {
    await writeFile(place.path('x.txt'), Buffer.from('89504e470d0a1a0a', 'hex'));
    expect(await ofName('x.txt')).toBe('text/plain');
  });

  it.skipIf(lacks('python3'))('knows what Python knows of the common names', async () => {
    const script = 'import json, mimetypes; print(json.dumps(mimetypes.MimeTypes(filenames=()).types_map[True]))';
    const known = JSON.parse(execFileSync('python3', ['-c', script], { encoding: 'utf8' })) as Record<string, string>;
    // Registered since, or given by Python to what is a video.
    const renamed = new Set(['.js', '.mjs', '.vcf', '.3gp', '.3gpp', '.3g2', '.wav', '.webp', '.md', '.rtf']);
    let same = 0;
    for (const [extension, type] of Object.entries(known)) {
      if (renamed.has(extension)) continue;
      const failure = await ofName(`x${extension}`).catch(() => undefined);
      if (failure === undefined) continue;
      expect([extension, failure]).toEqual([extension, type]);
      same += 1;
    }
    expect(same).toBeGreaterThan(70);
  });
});

const samples: readonly (readonly [string, string])[] = [
  ['image/png', '89504e470d0a1a0a0000000d49484452'],
  ['image/jpeg', 'ffd8ffe000104a46494600010100'],
  ['image/gif', Buffer.from('GIF89a\x01\0\x01\0').toString('hex')],
  ['application/pdf', Buffer.from('%PDF-1.7\n').toString('hex')],
  ['application/zip', '504b030414000000080000000000'],
  ['application/gzip', '1f8b0800000000000003'],
  ['application/x-bzip2', Buffer.from('BZh91AY&SY').toString('hex')],
  ['application/x-xz', 'fd377a585a000004e6d6b446'],
  ['application/x-7z-compressed', '377abcaf271c0004'],
  ['application/vnd.rar', '526172211a0700cf9073'],
  ['audio/x-wav', `52494646240000005741564566${'6d742010000000010001'}`],
  ['image/webp', '52494646240000005745425056503820'],
  ['video/mp4', '0000001c6674797069736f6d00000200'],
  ['video/mp4', '000000206674797069736f6d00000200'],
  ['video/quicktime', '00000014667479707174202000000000'],
  ['audio/ogg', '4f67675300020000000000000000'],
  ['audio/mpeg', '49443303000000000000'],
  ['audio/mpeg', 'fffb9064000000000000'],
  ['application/rtf', Buffer.from('{\\rtf1\\ansi}').toString('hex')],
  ['application/vnd.sqlite3', Buffer.from('SQLite format 3\0').toString('hex')],
];

describe('FA_mime_detect_bytes', () => {
  it.each(samples)('%s: %s', async (type, hex) => {
    expect(await ofBytes(Buffer.from(hex, 'hex'))).toBe(type);
  });

  it.each(['', '52494646', '5249464624000000574156', '1f', '000000', '616263'])('%s is unknown', async (hex) => {
    expect(await ofBytes(Buffer.from(hex, 'hex'))).toBe('application/octet-stream');
  });

  it('refuses what is not base64', async () => {
    for (const data of ['%%%%', 'a', 'QUJD=', 'QUJ D'])
      expect((await failureOf(call(FA_mime_detect_bytes, place, { data }))).facts.code).toBe('SVC85047');
  });

  it.skipIf(lacks('file'))('agrees with `file` where that needs no more than the start', async () => {
    const others: Readonly<Record<string, string>> = {
      'application/vnd.rar': 'application/x-rar',
      'application/rtf': 'text/rtf',
    };
    const plain = [
      'image/png',
      'image/jpeg',
      'image/gif',
      'application/pdf',
      'application/x-bzip2',
      'application/x-xz',
      'application/x-7z-compressed',
      'image/webp',
      'application/vnd.rar',
      'application/rtf',
    ];
    for (const [type, hex] of samples.filter(([one]) => plain.includes(one))) {
      const said = execFileSync('file', ['--brief', '--mime-type', '-'], {
        input: Buffer.from(hex, 'hex'),
        encoding: 'utf8',
      }).trim();
      expect(said).toBe(others[type] ?? type);
    }
  });
});
