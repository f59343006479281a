import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { Host } from '#schemas/types/host.ts';

let folder = '';
let host: Host = nodeHost();
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-folder-')));
  host = nodeHost({ cwd: folder });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const told = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    ({ code, path, message }: Error & { code?: string; path?: string }) => ({ code, path, message }),
  );

describe('a host that is opened at a folder', () => {
  test('lets relative paths of every call begin there', async () => {
    const { files } = host;
    mkdirSync(join(folder, 'in'));
    await files.write('in/a', 'a');
    await files.append('in/a', 'b');
    await files.writeStream(
      'in/b',
      (async function* () {
        yield new Uint8Array([97, 98]);
      })(),
    );
    await files.copy('in/a', 'in/c');
    await files.hardLink('in/c', 'in/d');
    await files.link('a', 'in/link');
    await files.rename('in/d', 'in/e');
    await files.makeDirectory('made/deep', { recursive: true });
    await files.setMode('in/e', 0o600);
    await files.setTimes('in/e', 1000, 2000);
    const seen = await files.lstat('in/a');
    expect(await files.copyMany([{ from: 'in/a', to: 'made/copy', seen }])).toEqual(['copied']);
    expect(await files.tellApart([{ size: 2, paths: ['in/a', 'in/b'] }])).toEqual([[0, 0]]);
    expect(await files.sameContent('in/a', 'in/b')).toBe(true);
    await files.moveInto('made/more', [{ from: 'in/e', name: 'e' }], { below: 'made' });
    expect((await files.stat('made/more/e')).mtime_ms).toBe(2000);
    expect((await files.list('in')).map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'link']);
    expect((await files.survey('in')).map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'link']);
    expect(new TextDecoder().decode(await files.read('in/link'))).toBe('ab');
    expect(new TextDecoder().decode(await files.readRegular('in/a', { limit: 9 }))).toBe('ab');
    expect(await files.readLink('in/link')).toBe('a');
    expect(await files.realPath('in/link')).toBe(join(folder, 'in/a'));
    expect(await files.digest('in/a', 'md5')).toBe('187ef4436122d1cc2f40dc2b92f0eba0');
    const open = await files.open('in/a');
    expect([open.size, [...(await open.readAt(1, 1))]]).toEqual([2, [98]]);
    await open.close();
    for await (const chunk of files.stream('in/a')) expect([...chunk]).toEqual([97, 98]);
    expect(await files.find('none')).toBeUndefined();
    await files.remove('in/c');
    await files.removeTree('made');
    expect(files.temporaryBeside('in/new').startsWith(join(folder, 'in/.new.tmp-'))).toBe(true);
    await files.sweep('in');
    expect(readdirSync(folder)).toEqual(['in']);
    expect(readdirSync(join(folder, 'in')).sort()).toEqual(['a', 'b', 'link']);
  });

  test('leaves absolute paths, and links and their `..`, to the system', async () => {
    mkdirSync(join(folder, 'far/deep'), { recursive: true });
    symlinkSync('far/deep', join(folder, 'link'));
    await host.files.write('link/../a', 'behind the link');
    expect(readFileSync(join(folder, 'far/a'), 'utf8')).toBe('behind the link');
    await host.files.write(join(folder, 'b'), 'b');
    expect(await host.files.stat('b/../b').catch((error: { code: string }) => error.code)).toBe('ENOTDIR');
    expect(await told(host.files.read(''))).toMatchObject({ code: 'ENOENT' });
  });

  test('names paths in failures as they were given', async () => {
    const { files } = host;
    writeFileSync(join(folder, 'text'), 'x');
    const missing = { code: 'ENOENT', path: 'in/none', message: "ENOENT: no such file or directory, 'in/none'" };
    expect(await told(files.read('in/none'))).toEqual(missing);
    expect(await told(files.stat('in/none'))).toEqual(missing);
    expect(await told(files.open('in/none'))).toEqual(missing);
    expect(await told(files.list('in/none'))).toEqual(missing);
    expect(await told(files.remove('in/none'))).toEqual(missing);
    expect(await told(files.copy('in/none', 'x'))).toEqual(missing);
    expect(await told(files.rename('in/none', 'x'))).toEqual(missing);
    expect(
      await told(
        (async () => {
          for await (const _ of files.stream('in/none')) return;
        })(),
      ),
    ).toEqual(missing);
    expect(await told(files.stat('text/below'))).toMatchObject({ code: 'ENOTDIR', path: 'text' });
    expect(await told(files.stat(join(folder, 'none')))).toMatchObject({ path: join(folder, 'none') });
    const seen = await files.lstat('text');
    const [failed] = await files.copyMany([{ from: 'text', to: 'in/copy', seen }]);
    expect(failed).toMatchObject({ code: 'ENOENT', path: 'in/copy' });
  });

  test('starts programs there, and below it where they ask for a folder', async () => {
    mkdirSync(join(folder, 'in'));
    const where = async (options: { cwd?: string }): Promise<string> =>
      new TextDecoder()
        .decode((await host.processes.run(process.execPath, ['-p', 'process.cwd()'], options)).stdout)
        .trim();
    expect(await where({})).toBe(folder);
    expect(await where({ cwd: 'in' })).toBe(join(folder, 'in'));
    const going = host.processes.start(process.execPath, ['-p', 'process.cwd()']);
    const said: Uint8Array[] = [];
    going.onOutput((chunk) => said.push(chunk));
    expect((await going.ended).code).toBe(0);
    expect(Buffer.concat(said).toString().trim()).toBe(folder);
  });
});
