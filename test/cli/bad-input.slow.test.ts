import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { main } from '#compiler/cli/main.ts';
import { verbs } from '#schemas/generated/cli.ts';

import { built } from '../built.ts';
import { sampled } from '../hostile/sampled.ts';
import { hostileFiles, writeHostileFiles } from './hostile-files.ts';
import { expectManners } from './manners.ts';
import { svc } from './svc.ts';

const base = mkdtempSync(join(tmpdir(), 'svc-hostile-'));
/** Verbs that write files do it in their working folder. */
const writable = join(base, 'words/may/write/here');
const files = writeHostileFiles(join(base, 'files'));

beforeAll(async () => {
  cpSync(join(base, 'files'), join(base, 'written'), { recursive: true, verbatimSymlinks: true });
  await built();
  mkdirSync(writable, { recursive: true });
}, 300_000);
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

const ways = [
  ['check'],
  ['check', '--json'],
  ['lint'],
  ['lint', '--format', 'sarif'],
  ['lint', '--json'],
  ['migrate'],
  ['migrate', '--json'],
  ['plan'],
  ['plan', '--format', 'mermaid'],
  ['plan', '--format', 'dot'],
  ['plan', '--json'],
  ['run', '--dry-run'],
  ['run', '--list'],
  ['compile', '-o', join(base, 'programs')],
] as const;

describe.each(ways.map((way) => [way.join(' '), way] as const))('svc %s', (_, way) => {
  test('answers hostile files with a diagnostic', async () => {
    for (const file of files) {
      const said = await svc(join(base, 'files'), [...way, file]);
      expectManners(said, `svc ${way.join(' ')} ${JSON.stringify(file.slice(0, 60))}`);
      if (Object.hasOwn(hostileFiles, file) && (way[1] === '--json' || way[2] === 'sarif') && said.stdout !== '')
        expect(() => void JSON.parse(said.stdout), file).not.toThrow();
    }
  }, 120_000);

  test('answers hostile standard input with a diagnostic', async () => {
    for (const [name, input] of Object.entries(hostileFiles))
      expectManners(await svc(join(base, 'files'), [...way, '-'], { input }), `svc ${way.join(' ')} - < ${name}`);
  }, 120_000);
});

describe.each([
  ['lint', '--fix'],
  ['migrate', '--write'],
] as const)('svc %s %s', (...way) => {
  test('leaves hostile files in a state that it can read, and has nothing to do the second time', async () => {
    for (const file of Object.keys(hostileFiles)) {
      expectManners(await svc(join(base, 'written'), [...way, file]), `svc ${way.join(' ')} ${file}`);
      const again = await svc(join(base, 'written'), ['migrate', '--check', file]);
      if (way[0] === 'migrate') expect(again.stderr.split('\n').at(-2), file).toBe('nothing to migrate');
    }
  }, 120_000);
});

describe('odd words on the command line', () => {
  const odd = [
    '',
    '-',
    '--',
    '---',
    '--=',
    '-=',
    '--no-',
    '-h=',
    '--json=1',
    '--json=',
    '-o',
    '--out',
    '--out=',
    '--env',
    '--var',
    '--var==',
    '--var=a',
    '--var=:=',
    '--var=__proto__:=1',
    '--__proto__',
    '--constructor',
    '--format=',
    '--workers=0',
    '--workers=1e3',
    '--shard=',
    '--shard=1',
    '--tag=(',
    '--grep=',
    '--reporter==',
    '--reporter==x',
    '--allow=,',
    '\u0000',
    '\u001b[31m',
    '🙂',
    'x'.repeat(10_000),
    '%s%n',
    '../../..',
    '*',
  ];

  /**
   * Servers, which would go on until a signal comes: a port that is none ends them before they listen, whatever else is
   * said.
   */
  const staying = new Set(['dashboard', 'http-server', 'mcp', 'mock', 'server']);

  test.each(verbs.map(({ name }) => name))(
    'svc %s',
    async (verb) => {
      for (const word of sampled(odd, 0.4, (one) => `${verb} ${one}`)) {
        // It would write there.
        if (verb === 'create' || (verb === 'compile' && !word.startsWith('-'))) continue;
        if (staying.has(verb)) {
          const said = await svc(writable, [verb, '--port=none', word]);
          expectManners(said, `svc ${verb} --port=none ${JSON.stringify(word.slice(0, 40))}`);
          expect(said.exit).toBe(2);
          continue;
        }
        expectManners(await svc(writable, [verb, word]), `svc ${verb} ${JSON.stringify(word.slice(0, 40))}`);
        expectManners(
          await svc(writable, [verb, word, 'missing.yaml']),
          `svc ${verb} ${JSON.stringify(word.slice(0, 40))} missing.yaml`,
        );
      }
    },
    60_000,
  );

  test.each(odd)('svc %j', async (word) => {
    const said = await svc(base, [word]);
    expectManners(said, word);
    expect(said.exit).toBe(2);
  });
});

test('a bug of ours says what to report, and exits with 70', async () => {
  let said = '';
  const exit = await main(['--version'], {
    cwd: base,
    env: {},
    input: () => Promise.resolve(new Uint8Array()),
    lines: async function* () {},
    colours: { out: false, err: false },
    isTerminal: false,
    columns: 80,
    out: () => {
      throw new TypeError('a bug in here.');
    },
    err: (text) => void (said += text),
  });
  expect(exit).toBe(70);
  expect(said).toMatch(
    /^error\[SVC90114\]: svc itself failed: a bug in here\.\n {2}= This is a bug of svc, not of your files\. Please report it with the command line and the text below\.\n\nsvc \d+\.\d+\.\d+, Node v[\d.]+, \w+ \w+\nTypeError: a bug in here\.\n {4}at /,
  );
});
