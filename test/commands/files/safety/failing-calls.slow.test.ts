import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_decrypt_file, FA_encrypt_file } from '#stdlib/files/safety/crypto/crypto.ts';
import { FA_trash_list, FA_trash_restore, FA_trash_send } from '#stdlib/files/safety/trash/trash.ts';
import { FA_version_list, FA_version_restore, FA_version_save } from '#stdlib/files/safety/version/version.ts';

import { root } from '../../../built.ts';
import { failingFiles } from '../../../fixtures/failing-files.ts';
import { call, failureOf, openPlace, type Place } from '../call-here.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

/**
 * Does something with files of which the first call fails, then the second, until all of it works. `prepare` makes the
 * beginning anew, `look` says what must hold whatever failed.
 */
async function eachCall(
  prepare: () => Promise<void>,
  work: (where: Place) => Promise<unknown>,
  look: () => Promise<void>,
): Promise<number> {
  for (let nth = 1; ; nth += 1) {
    await prepare();
    const failing = failingFiles(place.context.files, nth);
    const where = { ...place, context: { ...place.context, files: failing.files } };
    const failed = await work(where).then(
      () => undefined,
      (error: unknown) => failureOf(Promise.reject(error)),
    );
    if (failing.failed === undefined) return nth;
    // A call whose failure is no matter is a clean-up, or one that has another way.
    if (failed) expect(failed.facts.code, failing.failed).toMatch(/^SVC8[56]/);
    await look().catch((error: unknown) => {
      throw new Error(`after ${failing.failed}: ${String(error)}`);
    });
  }
}

const fresh = async (): Promise<void> => {
  await rm(place.root, { recursive: true, force: true });
  await mkdir(place.root);
};

describe('any one call that fails', () => {
  it('leaves what is encrypted and decrypted as it was, or new', async () => {
    const prepare = async (): Promise<void> => {
      await fresh();
      await writeFile(place.path('plain'), 'new'.repeat(100_000));
      await writeFile(place.path('x.enc'), 'old');
    };
    const encrypt = (where: Place): Promise<unknown> =>
      call(FA_encrypt_file, where, {
        source: place.path('plain'),
        target: place.path('x.enc'),
        key: KEY,
        associated_data: '',
        progress_name: null,
      });
    expect(
      await eachCall(prepare, encrypt, async () => {
        expect(readdirSync(place.root).sort()).toEqual(['plain', 'x.enc']);
        if (readFileSync(place.path('x.enc'), 'utf8') !== 'old')
          await call(FA_decrypt_file, place, {
            source: place.path('x.enc'),
            target: place.path('x.enc'),
            key: KEY,
            associated_data: null,
            progress_name: null,
          });
      }),
    ).toBeGreaterThan(4);
    const sealed = async (): Promise<void> => {
      await prepare();
      await encrypt(place);
      await writeFile(place.path('back'), 'old');
    };
    await eachCall(
      sealed,
      (where) =>
        call(FA_decrypt_file, where, {
          source: place.path('x.enc'),
          target: place.path('back'),
          key: KEY,
          associated_data: null,
          progress_name: null,
        }),
      async () => {
        expect(readdirSync(place.root).sort()).toEqual(['back', 'plain', 'x.enc']);
        expect(['old', 'new'.repeat(100_000)]).toContain(readFileSync(place.path('back'), 'utf8'));
      },
    );
  });

  it('leaves versions whole, and the file old or new', async () => {
    const versions = { root: place.path('versions'), path: place.path('a') };
    const prepare = async (): Promise<void> => {
      await fresh();
      await writeFile(place.path('a'), 'one');
      await call(FA_version_save, place, versions);
      await writeFile(place.path('a'), 'two');
    };
    const look = async (): Promise<void> => {
      expect(['one', 'two']).toContain(readFileSync(place.path('a'), 'utf8'));
      const listed = await call(FA_version_list, place, versions);
      expect(listed.map(({ path }) => readFileSync(path, 'utf8'))).toEqual(['one', 'two'].slice(0, listed.length));
      expect(await call(FA_version_save, place, versions)).toMatchObject({ version: listed.length + 1 });
      expect(readdirSync(place.root).sort()).toEqual(['a', 'versions']);
    };
    expect(await eachCall(prepare, (where) => call(FA_version_save, where, versions), look)).toBeGreaterThan(8);
    await eachCall(prepare, (where) => call(FA_version_restore, where, { ...versions, version: 1 }), look);
  });

  it.each(['bin', 'Trash', 'far'])('loses nothing on the way to the trash can (%s) and back', async (name) => {
    const far = existsSync('/dev/shm')
      ? await mkdtemp('/dev/shm/svc-failures-')
      : await mkdtemp(join(tmpdir(), 'svc-failures-'));
    const can = name === 'far' ? far : place.path(name);
    try {
      const prepare = async (): Promise<void> => {
        await fresh();
        await rm(far, { recursive: true, force: true });
        await mkdir(place.path('tree/sub'), { recursive: true });
        await writeFile(place.path('tree/sub/a'), 'a');
        await writeFile(place.path('tree/b'), 'b');
      };
      const isWhole = (at: string): boolean => existsSync(join(at, 'sub/a')) && existsSync(join(at, 'b'));
      const look = async (): Promise<void> => {
        const entries = await call(FA_trash_list, place, { trash_dir: can });
        expect([place.path('tree'), ...entries.map(({ path }) => path)].some(isWhole)).toBe(true);
        // What has been copied and cannot be removed is no longer the thing: it goes with what dead processes leave.
        const isLeft = (entry: string): boolean =>
          !['tree', name].includes(entry) && !(name === 'far' && entry.startsWith('.tree.tmp-'));
        expect(readdirSync(place.root).filter(isLeft)).toEqual([]);
      };
      const send = (where: Place): Promise<unknown> =>
        call(FA_trash_send, where, { path: place.path('tree'), trash_dir: can });
      expect(await eachCall(prepare, send, look)).toBeGreaterThan(10);
      let id = '';
      const thrown = async (): Promise<void> => {
        await prepare();
        await send(place);
        id = (await call(FA_trash_list, place, { trash_dir: can }))[0]?.trash_id ?? '';
      };
      await eachCall(
        thrown,
        (where) => call(FA_trash_restore, where, { trash_id: id, trash_dir: can, destination: null }),
        look,
      );
    } finally {
      await rm(far, { recursive: true, force: true });
    }
  });
});

/** Whether a disk of some size can be made here, in a space of names of its own. */
const hasSmallDisk =
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', '/mnt']).status === 0;
if (!hasSmallDisk) console.warn('unshare cannot mount here: what a full disk does is shown by injected failures only');

/**
 * Runs a script of the project, with `call` of the library and the folder `at`, on a disk of so many bytes; what it
 * prints as JSON.
 */
function onSmallDisk(at: string, size: string, script: string): unknown {
  const source = `import { call } from '#compiler/library/files.ts';
    import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
    const at = ${JSON.stringify(at)};
    const told = (work) => work.then(() => 'done', ({ facts }) => [facts?.code, facts?.class]);
    ${script}`;
  const mounted = `mount -t tmpfs -o size=${size} none "$1" && exec "$2" --conditions=source --disable-warning=ExperimentalWarning --input-type=module -e "$3"`;
  return JSON.parse(
    execFileSync('unshare', ['-rm', 'sh', '-c', mounted, '-', at, process.execPath, source], {
      cwd: root,
      encoding: 'utf8',
    }),
  );
}

it.skipIf(!hasSmallDisk)(
  'a full disk leaves targets as they were and nothing else',
  async () => {
    await writeFile(place.path('plain'), Buffer.alloc(2_000_000, 'p'));
    await mkdir(place.path('disk'));
    const answers = onSmallDisk(
      place.path('disk'),
      '1m',
      `
    const [plain, key] = [at + '/../plain', ${JSON.stringify(KEY)}];
    writeFileSync(at + '/x.enc', 'old');
    writeFileSync(at + '/file', 'f'.repeat(600_000));
    const encrypted = await told(call('FA_encrypt_file', { source: plain, target: at + '/x.enc', key }));
    const saved = await told(call('FA_version_save', { root: at + '/versions', path: at + '/file' }));
    const thrown = await told(call('FA_trash_send', { path: plain, trash_dir: at + '/bin' }));
    const tree = readdirSync(at, { recursive: true }).sort().filter((name) => !/^versions.[0-9a-f]{64}/.test(name));
    const versions = await call('FA_version_list', { root: at + '/versions', path: at + '/file' });
    console.log(JSON.stringify({ encrypted, saved, thrown, old: readFileSync(at + '/x.enc', 'utf8'), plain: readFileSync(plain).length, tree, versions }));`,
    );
    expect(answers).toEqual({
      encrypted: ['SVC85005', 'environment'],
      saved: ['SVC85005', 'environment'],
      thrown: ['SVC85005', 'environment'],
      old: 'old',
      plain: 2_000_000,
      tree: ['bin', 'file', 'versions', 'x.enc'],
      versions: [],
    });
  },
  30_000,
);

it.skipIf(process.getuid?.() !== 0)(
  'somebody without rights is told so, and changes nothing',
  async () => {
    await chmod(place.root, 0o755);
    await mkdir(place.path('in'), { mode: 0o755 });
    await writeFile(place.path('in/a'), 'a');
    await writeFile(place.path('in/secret'), 's', { mode: 0o600 });
    await mkdir(place.path('open'), { mode: 0o777 });
    await chmod(place.path('open'), 0o777);
    const source = `import { call } from '#compiler/library/files.ts';
    const at = ${JSON.stringify(place.root)};
    const told = (work) => work.then(() => 'done', ({ facts }) => facts?.code);
    console.log(JSON.stringify([
      await told(call('FA_encrypt_file', { source: at + '/in/secret', target: at + '/open/x.enc', key: ${JSON.stringify(KEY)} })),
      await told(call('FA_encrypt_file', { source: at + '/in/a', target: at + '/in/x.enc', key: ${JSON.stringify(KEY)} })),
      await told(call('FA_version_save', { root: at + '/open/versions', path: at + '/in/secret' })),
      await told(call('FA_version_save', { root: at + '/in/versions', path: at + '/in/a' })),
      await told(call('FA_trash_send', { path: at + '/in/a', trash_dir: at + '/open/bin' })),
      await told(call('FA_trash_send', { path: at + '/in/a', trash_dir: at + '/in/bin' })),
    ]));`;
    const answers = execFileSync(
      'setpriv',
      [
        '--reuid=65534',
        '--regid=65534',
        '--clear-groups',
        process.execPath,
        '--conditions=source',
        '--disable-warning=ExperimentalWarning',
        '--input-type=module',
        '-e',
        source,
      ],
      { cwd: root, encoding: 'utf8' },
    );
    expect(JSON.parse(answers)).toEqual(Array.from({ length: 6 }, () => 'SVC85004'));
    expect(readdirSync(place.path('in')).sort()).toEqual(['a', 'secret']);
    expect(readdirSync(place.path('open/bin'))).toEqual([]);
  },
  30_000,
);
