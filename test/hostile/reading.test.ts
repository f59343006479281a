import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { commandLine } from '../built.ts';
import { svc } from '../cli/svc.ts';
import { lacks } from '../fixtures/programs.ts';

const onLinux = process.platform === 'linux';
const traced = onLinux && spawnSync('strace', ['-V']).status === 0;
// eslint-disable-next-line no-console -- a test that is left out says why
if (!traced) console.log('strace is not there: what is opened is not looked at (Debian: apt-get install strace)');

let top = '';
let root = '';
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'svc-reading-')));
  root = join(top, 'project');
  put('svc.config.yaml', '{}\n');
  put('../outside.yaml', '- [AT_clear_variables, { canary: otter-4711 }]\n');
  put('../outside.csv', 'otter-4711,b\n1,2\n');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

function link(name: string, target: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  symlinkSync(target, join(root, name));
}

const perRow = (dataset: string): string =>
  `meta: { dataset: ${dataset} }\nactions:\n  - AT_set_variable: { name: a, value: "\${ROW.x}" }\n`;
const verbs = [
  ['check'],
  ['check', '--json'],
  ['lint'],
  ['lint', '--format', 'sarif'],
  ['plan'],
  ['migrate'],
  ['compile', '-o', 'out'],
  ['run', '--list'],
] as const;

describe('files of a change say nothing of what lies outside of the project root', () => {
  const cases: Readonly<Record<string, () => void>> = {
    'a dataset that is a link to a file of the kernel': () => {
      put('a.yaml', perRow('e.csv'));
      link('e.csv', '/proc/self/environ');
    },
    'a dataset that is a link to a file outside': () => {
      put('a.yaml', perRow('e.csv'));
      link('e.csv', '../outside.csv');
    },
    'a dataset outside': () => put('a.yaml', perRow('../outside.csv')),
    'a dataset behind a folder that is a link': () => {
      put('a.yaml', perRow('data/outside.csv'));
      link('data', '..');
    },
    'an action file that is a link': () => link('a.yaml', '../outside.yaml'),
    'a dependency outside': () =>
      put('a.yaml', 'meta: { depends_on: [../outside.yaml] }\nactions: [AT_clear_variables]\n'),
    'a dependency outside, without its ending': () =>
      put('a.yaml', 'meta: { depends_on: [../outside] }\nactions: [AT_clear_variables]\n'),
    'a dependency by its whole path': () =>
      put('a.yaml', `meta: { depends_on: ["${join(top, 'outside.yaml')}"] }\nactions: [AT_clear_variables]\n`),
    'a dependency that is a link': () => {
      put('a.yaml', 'meta: { depends_on: [other] }\nactions: [AT_clear_variables]\n');
      link('other.yaml', '../outside.yaml');
    },
    'a module outside': () => {
      put('../outside.mjs', 'export function otter_4711() {}\n');
      put('a.yaml', 'meta: { modules: [../outside.mjs] }\nactions: [outside_otter_4712]\n');
    },
    'an environment whose name is a way out': () => {
      put('../outside.env', 'OTTER_4711=1\n');
      put(
        'a.yaml',
        'meta: { env: /../../outside.env }\nactions:\n  - AT_set_variable: { name: a, value: "${ENV.OTTER_4712}" }\n',
      );
    },
    'a configuration that is a link': () => {
      rmSync(join(root, 'svc.config.yaml'));
      link('svc.config.yaml', '../outside.yaml');
      put('a.yaml', '- AT_clear_variables\n');
    },
  };

  describe.each(Object.keys(cases))('%s', (name) => {
    test.each(verbs.map((verb) => [verb.join(' '), verb] as const))('svc %s', async (_, verb) => {
      cases[name]?.();
      const { stdout, stderr, exit } = await svc(root, [...verb, 'a.yaml'], { env: { OTTER_4711_KEY: 'otter-4711' } });
      expect(stdout + stderr).not.toMatch(/otter.4711/i);
      // Each verb but `migrate`, which looks at no other file, says what it does not read.
      if (verb[0] !== 'migrate' && name !== 'an environment whose name is a way out')
        expect([
          exit,
          /outside of the project root|does not allow the module|is no regular file/.test(stdout + stderr),
        ]).toEqual([exit === 2 ? 2 : 1, true]);
    });
  });

  test.skipIf(!traced)('nothing of it is opened (strace)', () => {
    for (const make of [
      cases['a dataset that is a link to a file outside'],
      cases['a dependency outside'],
      cases['a module outside'],
    ]) {
      make?.();
      const log = join(top, 'trace');
      spawnSync(
        'strace',
        [
          '-f',
          '-qq',
          '-e',
          'trace=open,openat,openat2',
          '-o',
          log,
          process.execPath,
          ...commandLine,
          'check',
          'a.yaml',
        ],
        { cwd: root },
      );
      expect(existsSync(log)).toBe(true);
      expect(
        readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line.includes('outside.') && !line.includes('ENOENT')),
      ).toEqual([]);
      rmSync(join(root, 'a.yaml'));
    }
  });
});

describe('what the configuration lists is read', () => {
  test('a folder and a file outside', async () => {
    put('svc.config.yaml', 'allow_outside: [../shared, ../outside.csv]\n');
    put('../shared/login.yaml', '- AT_clear_variables\n');
    put(
      'a.yaml',
      `meta: { depends_on: [../shared/login], dataset: ../outside.csv }\nactions:\n  - AT_set_variable: { name: a, value: "\${ROW.b}" }\n`,
    );
    expect(await svc(root, ['check', 'a.yaml'])).toEqual({ stdout: '', stderr: 'nothing found in 2 files\n', exit: 0 });
  });

  test('but never files of the kernel', async () => {
    put('svc.config.yaml', 'allow_outside: [/]\n');
    put('a.yaml', perRow('e.csv'));
    link('e.csv', '/proc/self/environ');
    expect((await svc(root, ['check', 'a.yaml'])).exit).toBe(1);
  });

  test('links inside of the project lead where they lead', async () => {
    put('data/rows.csv', 'x\n1\n');
    link('e.csv', 'data/rows.csv');
    put('real.yaml', perRow('e.csv'));
    link('a.yaml', 'real.yaml');
    expect((await svc(root, ['check', 'a.yaml'])).exit).toBe(0);
  });

  test('a file of another project that is named is read, with what it needs there', async () => {
    put('../other/svc.config.yaml', '{}\n');
    put('../other/b.yaml', 'meta: { depends_on: [c] }\nactions: [AT_clear_variables]\n');
    put('../other/c.yaml', '- AT_clear_variables\n');
    put('a.yaml', '- AT_clear_variables\n');
    expect(await svc(root, ['check', 'a.yaml', '../other/b.yaml'])).toEqual({
      stdout: '',
      stderr: 'nothing found in 3 files\n',
      exit: 0,
    });
  });
});

/** Runs the command line in a process with a bounded address space and time; what it took, in ms. */
function bounded(
  args: readonly string[],
  input: 'closed' | 'open' = 'closed',
): { readonly status: number | null; readonly said: string } {
  const child = spawnSync(
    'prlimit',
    ['--as=4294967296', process.execPath, '--max-old-space-size=512', ...commandLine, ...args],
    { cwd: root, timeout: 20_000, encoding: 'utf8', stdio: [input === 'open' ? 'pipe' : 'ignore', 'pipe', 'pipe'] },
  );
  return { status: child.status, said: child.stdout + child.stderr };
}

/** Limits of a process are set by a program. */
const cannotLimit = !onLinux || lacks('prlimit');

describe.skipIf(cannotLimit)('what is no regular file is not read, and nobody waits for it', () => {
  const places: Readonly<Record<string, (name: string) => void>> = {
    'a device without an end': (name) => link(name, '/dev/zero'),
    'standard input': (name) => link(name, '/dev/stdin'),
    'a terminal': (name) => link(name, '/dev/tty'),
    'a pipe': (name) => void execFileSync('mkfifo', [join(root, name)]),
    'a link to a pipe': (name) => {
      execFileSync('mkfifo', [join(root, 'pipe')]);
      link(name, 'pipe');
    },
  };

  describe.each(Object.keys(places))('%s', (kind) => {
    test('as the configuration', () => {
      rmSync(join(root, 'svc.config.yaml'));
      put('a.yaml', '- AT_clear_variables\n');
      places[kind]?.('svc.config.yaml');
      const { status, said } = bounded(['check', 'a.yaml']);
      expect([status, said]).toEqual([
        2,
        expect.stringMatching(/^error\[SVC\w+\]: The configuration "svc\.config\.yaml" cannot be used/),
      ]);
    });

    test('as an action file that is named', () => {
      places[kind]?.('z.yaml');
      expect(bounded(['check', 'z.yaml']).status).toBe(2);
    });

    test('below a folder', () => {
      put('a.yaml', '- AT_clear_variables\n');
      places[kind]?.('z.yaml');
      // A pipe that nobody names is none of ours; a link is told of.
      expect(bounded(['check', '.']).status).toBe(kind === 'a pipe' ? 0 : 2);
    });

    test('as a dataset, a dependency and an environment', () => {
      put(
        'a.yaml',
        `meta: { dataset: e.csv, depends_on: [d.yaml] }\nactions:\n  - AT_set_variable: { name: a, value: "\${ROW.x} \${ENV.Y}" }\n`,
      );
      for (const name of kind === 'a link to a pipe' ? ['e.csv'] : ['e.csv', 'd.yaml', '.env']) places[kind]?.(name);
      expect(bounded(['check', 'a.yaml']).status).toBe(1);
    });

    test('as the memory of the last run', () => {
      put('a.yaml', '- AT_clear_variables\n');
      mkdirSync(join(root, '.svc'));
      places[kind]?.('.svc/last-run.json');
      expect(bounded(['run', '--last-failed', 'a.yaml']).status).toBe(2);
    });
  });
});

describe.skipIf(cannotLimit)('a file that is too large', () => {
  const large = 64 * 1024 * 1024 + 1;

  test('is refused before it is read', () => {
    put('a.yaml', '- AT_clear_variables\n');
    truncateSync(join(root, 'a.yaml'), large);
    const { status, said } = bounded(['check', 'a.yaml']);
    expect([status, said]).toEqual([1, expect.stringContaining(`The file has ${large} bytes; the limit is 67108864.`)]);
  });

  test('as configuration it is one that cannot be used', async () => {
    truncateSync(join(root, 'svc.config.yaml'), large);
    put('a.yaml', '- AT_clear_variables\n');
    expect((await svc(root, ['check', 'a.yaml'])).exit).toBe(2);
  });

  test('below a folder it is passed over where it calls no command', async () => {
    put('a.yaml', '- AT_clear_variables\n');
    put('data.json', '[1]\n');
    truncateSync(join(root, 'data.json'), large);
    expect(await svc(root, ['check', '.'])).toEqual({ stdout: '', stderr: 'nothing found in 1 file\n', exit: 0 });
  });

  test('the limit of the configuration holds for named files', async () => {
    put('svc.config.yaml', 'limits: { file_bytes: 10 }\n');
    put('a.yaml', '- AT_clear_variables\n');
    expect((await svc(root, ['check', 'a.yaml'])).stderr).toContain('The file has 21 bytes; the limit is 10.');
  });

  test('standard input without an end is cut off', () => {
    const child = spawnSync(
      'sh',
      ['-c', `exec "$0" "$@" < /dev/zero`, process.execPath, '--max-old-space-size=512', ...commandLine, 'check', '-'],
      { cwd: root, timeout: 20_000, encoding: 'utf8' },
    );
    expect([child.status, child.stderr]).toEqual([2, expect.stringContaining('standard input')]);
  });
});

describe('diagnostics hide secrets', () => {
  const token = `ghp_${'a1B2'.repeat(10)}`;

  test.each(
    [
      ['check'],
      ['check', '--json'],
      ['lint'],
      ['lint', '--format', 'sarif'],
      ['lint', '--format', 'github'],
      ['plan'],
      ['compile', '-o', 'out'],
    ].map((verb) => [verb.join(' '), verb] as const),
  )('svc %s', async (_, verb) => {
    put(
      'a.yaml',
      `- [AT_set_variabel, { name: "${token}", value: otter-secret-4711 }]\n- [AT_set_variable, { "otter-secret-4711": 1, name: a, value: 2 }]\n`,
    );
    const { stdout, stderr, exit } = await svc(root, [...verb, 'a.yaml'], {
      env: { OTTER_TOKEN: 'otter-secret-4711' },
    });
    expect(exit).toBe(1);
    expect(stdout + stderr).toContain('AT_set_variabel');
    expect(stdout + stderr).not.toContain(token);
    expect(stdout + stderr).not.toContain('otter-secret-4711');
  });

  test('the place of what is wrong stays where it is', async () => {
    put('a.yaml', `- [AT_set_variabel, { name: "otter-secret-4711" }]\n`);
    const { stderr } = await svc(root, ['check', 'a.yaml'], { env: { OTTER_TOKEN: 'otter-secret-4711' } });
    expect(stderr).toContain(
      ' 1 | - [AT_set_variabel, { name: "*****************" }]\n   |    ^^^^^^^^^^^^^^^ did you mean',
    );
  });
});
