import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { startHttp } from '../../api/servers.ts';
import { lacks } from '../../../fixtures/programs.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-download-slow-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Number of kills of each kind. */
const kills = process.env['SVC_TEST_FULL'] === '1' ? 100 : 6;
const pieces = 40;
const pieceSize = 8192;

/** A version of the file: the same length, other bytes. */
function version(number: number): Buffer {
  return Buffer.alloc(pieces * pieceSize, `version ${number} `);
}

it.each([true, false])(
  'killed in the middle, the target is the old file or the new one, and the next download finishes (resume: %s)',
  async (resume) => {
    let current = version(0);
    let etag = '"0"';
    const ranges: number[] = [];
    await using server = await startHttp((request, response) => {
      const { range, 'if-range': ifRange } = request.headers;
      const from = ifRange === etag ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
      ranges.push(from);
      const body = current.subarray(from);
      response.writeHead(from > 0 ? 206 : 200, {
        etag,
        'content-length': body.length,
        ...(from > 0 ? { 'content-range': `bytes ${from}-${current.length - 1}/${current.length}` } : {}),
      });
      let at = 0;
      const next = (): void => {
        if (at >= body.length) return void response.end();
        response.write(body.subarray(at, (at += pieceSize)));
        setTimeout(next, 4);
      };
      next();
    });
    const target = join(root, 'file.bin');
    const download = async (killAfter: number | undefined): Promise<boolean> => {
      const before = ranges.length;
      const child = spawn(
        process.execPath,
        [
          '--conditions=source',
          resolve('test/commands/files/remote/download-child.ts'),
          server.url,
          target,
          String(resume),
        ],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      );
      const ended = new Promise<number | null>((done) => child.on('exit', done));
      // From the request on, so that the kill falls into the download and not into the start of the process.
      if (killAfter !== undefined) {
        while (ranges.length === before && child.exitCode === null) await new Promise((next) => setTimeout(next, 2));
        setTimeout(() => child.kill('SIGKILL'), killAfter);
      }
      return (await ended) === 0;
    };
    let old: Buffer | undefined;
    let finished = 0;
    for (let kill = 0; kill < kills; kill++) {
      const isWhole = await download(Math.random() * 250);
      const there = await readFile(target).catch(() => undefined);
      const what =
        there === undefined
          ? 'nothing'
          : there.equals(current)
            ? 'new'
            : old !== undefined && there.equals(old)
              ? 'old'
              : 'torn';
      expect(['nothing', 'old', 'new'], `kill ${kill}`).toContain(what);
      if (there === undefined) expect(old).toBeUndefined();
      if (isWhole) expect(what).toBe('new');
      if (what !== 'new') continue;
      finished++;
      old = current;
      current = version(kill + 1);
      etag = `"${kill + 1}"`;
    }
    expect(await download(undefined)).toBe(true);
    expect((await readFile(target)).equals(current)).toBe(true);
    expect(await readdir(root)).toEqual(['file.bin']);
    if (resume) expect(ranges.filter((from) => from > 0).length).toBeGreaterThan(0);
    console.info(
      `${kills} kills, ${finished} of them after the file was complete, ${ranges.filter((from) => from > 0).length} continued`,
    );
  },
  300_000,
);

it.skipIf(lacks('unshare')).each([
  ['on a full disk', 'mount -t tmpfs -o size=200k none "$1" && printf old > "$1/file.bin"', 'SVC85005'],
  [
    'on a disk that takes no writes',
    'mount -t tmpfs none "$1" && printf old > "$1/file.bin" && mount -o remount,ro "$1"',
    'SVC85006',
  ],
])(
  '%s the old file stays, and the failure says so',
  async (_what, prepare, code) => {
    await using server = await startHttp(
      (_request, response) =>
        void response.writeHead(200, { etag: '"1"', 'content-length': 1_000_000 }).end(Buffer.alloc(1_000_000, 'x')),
    );
    for (const resume of code === 'SVC85005' ? [false, true] : [false]) {
      const script = `${prepare} && { "$2" --conditions=source "$3" "$4" "$1/file.bin" "$5"; cat "$1/file.bin"; echo; ls "$1"; }`;
      const run = spawn(
        'unshare',
        [
          '--map-root-user',
          '--mount',
          'sh',
          '-c',
          script,
          'sh',
          root,
          process.execPath,
          resolve('test/commands/files/remote/download-child.ts'),
          server.url,
          String(resume),
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const said = await new Response(Readable.toWeb(run.stdout) as ReadableStream).text();
      const kept = resume ? 'file.bin.part\nfile.bin.part.json\n' : '';
      expect(said).toBe(`${code}\nold\nfile.bin\n${kept}`);
    }
  },
  60_000,
);

const ownNetwork = `
import fcntl, socket, struct, sys
s = socket.socket()
fcntl.ioctl(s, 0x8914, struct.pack("16sh14x", b"lo", 0x49))
fcntl.ioctl(s, 0x8916, struct.pack("16sHH4s8x", b"lo:1", 2, 0, socket.inet_aton("93.184.216.34")))`;

it.skipIf(lacks('dnsmasq', 'unshare', 'python3'))(
  'follows no name to where it may not go, whatever a real name server answers the second time',
  async () => {
    await writeFile(join(root, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
    await writeFile(join(root, 'network.py'), ownNetwork);
    const script = `python3 "$1/network.py" && mount --bind "$1/resolv.conf" "$(readlink -f /etc/resolv.conf)" && exec "$2" --conditions=source "$3" "$1"`;
    const said = execFileSync(
      'unshare',
      [
        '--map-root-user',
        '--net',
        '--mount',
        'sh',
        '-c',
        script,
        'sh',
        root,
        process.execPath,
        resolve('test/commands/files/remote/download-rebinding.ts'),
      ],
      { encoding: 'utf8', timeout: 60_000 },
    );
    expect(JSON.parse(said)).toEqual({
      said: {
        private: 'SVC88000',
        both: 'SVC88000',
        'both families': 'SVC88000',
        flip: 'SVC88000',
        public: 'public',
        unknown: 'SVC88003 with a file',
      },
      hits: { public: 2, private: 0 },
    });
  },
  90_000,
);
