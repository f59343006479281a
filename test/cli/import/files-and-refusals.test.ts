import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { importing } from './importing.ts';

const at = importing();

describe('svc import', () => {
  test('names the files that requests send from the working folder', async () => {
    at.put('inner/f.txt', 'hello');
    at.put('inner/f.http', `POST ${at.url}/echo\nContent-Type: text/plain\n\n< ./f.txt\n`);
    at.put('inner/f.hurl', `POST ${at.url}/echo\n[MultipartFormData]\nf: file,f.txt;\nHTTP 200\n`);
    at.put(
      'inner/parts.http',
      `POST ${at.url}/echo\nContent-Type: multipart/form-data; boundary=B\n\n--B\nContent-Disposition: form-data; name="f"; filename="n.txt"\nContent-Type: text/plain\n\n< ./f.txt\n--B\nContent-Disposition: form-data; name="t"\nContent-Type: text/css\n\na/b\n--B--\n`,
    );
    at.put('inner/f.bru', `post {\n  url: ${at.url}/echo\n  body: file\n}\n\nbody:file {\n  file: @file(f.txt)\n}\n`);
    for (const [name, path] of [
      ['f.http', 'body_file: inner/f.txt'],
      ['f.hurl', 'files: { f: { path: inner/f.txt, type: text/plain } }'],
      ['f.bru', 'body_file: inner/f.txt'],
      [
        'parts.http',
        '        f: { path: inner/f.txt, type: text/plain, name: n.txt }\n        t: { text: a/b, type: text/css }\n',
      ],
    ] as const) {
      expect(await at.imported(`inner/${name}`, 'inner.yaml')).toContain(path);
      expect(await at.call(['run', 'inner.yaml'])).toMatchObject({ exit: 0 });
    }
  });

  test('carries bodies that stand in files', async () => {
    at.put('bodies/order.txt', 'an order from a file');
    const echo = `${at.url}/echo`;
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
    const body = { mode: 'file', file: { src: 'bodies/order.txt' } };
    at.put('files.json', {
      info: { name: 'F', schema },
      item: [{ name: 'a', request: { method: 'PUT', url: echo, body } }],
    });
    at.put('files.http', `PUT ${echo}\nContent-Type: text/csv\n\n< bodies/order.txt\n`);
    at.put('files.hurl', `PUT ${echo}\nfile,bodies/order.txt;\nHTTP 200\n`);
    at.put(
      'files.bru',
      `meta {\n  name: a\n}\n\nput {\n  url: ${echo}\n  body: file\n}\n\nbody:file {\n  file: @file(bodies/order.txt) @contentType(text/csv)\n}\n`,
    );
    for (const source of ['files.json', 'files.http', 'files.hurl', 'files.bru', `curl -T bodies/order.txt ${echo}`]) {
      const text = await at.imported(source, 'files.yaml');
      expect(text).toContain('body_file: bodies/order.txt');
      expect(text).not.toContain('Not carried over');
      const said = await at.call(['run', 'files.yaml', '--record', 'files.jsonl']);
      expect(said).toMatchObject({ exit: 0 });
      const [record] = readFileSync(join(at.folder, 'files.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('order'));
      expect(record).toContain('an order from a file');
    }
    at.put('parts.http', `PUT ${echo}\n\n<@ bodies/order.txt\n`);
    expect(await at.imported('parts.http', 'parts.yaml')).toContain(
      'the variables in the file bodies/order.txt, which is sent as it is',
    );
  });

  test('says what it cannot read', async () => {
    at.put('none.txt', 'neither');
    expect(await at.call(['import', 'none.txt'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('no known kind'),
    });
    expect(await at.call(['import', 'missing.json'])).toMatchObject({ exit: 2 });
    expect(await at.call(['import', `curl ${at.url}`, '-'])).toMatchObject({
      stdout: expect.stringContaining('actions:'),
      exit: 0,
    });
    expect(await at.call(['import', `curl ${at.url}`, 'one.yaml'])).toMatchObject({
      stdout: expect.stringMatching(/^one\.yaml: 1 action from /),
    });
    expect(existsSync(join(at.folder, '-'))).toBe(false);
    expect(await at.call(['import', 'none.txt', '--format', 'collection'])).toMatchObject({ exit: 1 });
    at.put('notes.txt', '# notes\nurl = "http://x/"\n');
    expect(await at.call(['import', 'notes.txt', '--format', 'curl'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('no command line of curl'),
    });
  });
});

test('svc scaffold writes a file that passes, and keeps one that is there', async () => {
  expect(await at.call(['scaffold', `${at.url}/jobs/7`, 'start.yaml'])).toMatchObject({
    stdout: 'start.yaml\n',
    exit: 0,
  });
  expect(await at.call(['lint', 'start.yaml', '--max-warnings', '0'])).toEqual({
    stdout: '',
    stderr: 'nothing found in 1 file\n',
    exit: 0,
  });
  expect(await at.call(['run', 'start.yaml'])).toMatchObject({ exit: 0 });
  expect(await at.call(['scaffold', 'http://x/', 'start.yaml'])).toMatchObject({ exit: 2 });
  expect(await at.call(['scaffold', 'ftp://x/', 'other.yaml'])).toMatchObject({ exit: 2 });
  expect(existsSync(join(at.folder, 'other.yaml'))).toBe(false);
  expect(await at.call(['scaffold', `${at.url}/jobs`, 'post.yaml', '--method', 'POST'])).toMatchObject({ exit: 0 });
  expect(await at.call(['scaffold', `${at.url}/jobs`, 'query.yaml', '--method', 'QUERY'])).toMatchObject({ exit: 2 });
});
