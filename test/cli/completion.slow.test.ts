import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { built, root } from '../built.ts';
import { svc } from './svc.ts';

let folder = '';

beforeAll(async () => {
  await built();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-completion-')));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'tests'));
  writeFileSync(join(folder, 'login.yaml'), '- [AT_clear_variables]\n');
  writeFileSync(join(folder, 'tests/order page.yaml'), '- [AT_clear_variables]\n');
  writeFileSync(
    join(folder, 'bin/svc'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/bin/svc.js')}' "$@"\n`,
  );
  chmodSync(join(folder, 'bin/svc'), 0o755);
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(folder, `completion.${shell}`), (await svc(folder, ['completion', shell])).stdout);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In each shell a function stands in for svc that shows what the line has become. */
const shells = {
  bash: {
    start: 'bash --noprofile --norc -i',
    setUp: [
      'PS1=',
      'bind "set bell-style none"',
      'source ./completion.bash',
      'svc() { if [ "$1" = __complete ]; then command svc "$@"; else printf "GOT:%s|" "$@"; echo; fi; }',
    ],
  },
  zsh: {
    start: 'zsh -f -i',
    setUp: [
      'PS1=',
      'unsetopt beep',
      'autoload -U compinit && compinit -u -d ./zcompdump',
      'source ./completion.zsh',
      'svc() { if [ "$1" = __complete ]; then command svc "$@"; else printf "GOT:%s|" "$@"; echo; fi; }',
    ],
  },
} as const;

/** Types a line with a press of the tab key at its end, then enter; yields the words that the shell made of it. */
async function typed(shell: keyof typeof shells, line: string): Promise<readonly string[]> {
  const { start, setUp } = shells[shell];
  const child = spawn('script', ['-qfec', start, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}/bin:${process.env['PATH'] ?? ''}`, HOME: folder, TERM: 'dumb' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  const quiet = async (least: number): Promise<void> => {
    for (let before = -1; before !== said.length;) {
      before = said.length;
      await new Promise((resolve) => setTimeout(resolve, least));
    }
  };
  await quiet(300);
  for (const command of setUp) child.stdin.write(`${command}\n`);
  // What is typed is shown as well: only the shell puts the word together.
  child.stdin.write("echo READ''Y\n");
  for (let tries = 0; tries < 100 && !said.includes('READY'); tries += 1) await quiet(100);
  await quiet(300);
  const from = said.length;
  child.stdin.write(`${line}\t`);
  await quiet(1_200);
  child.stdin.write('\n');
  await quiet(400);
  child.stdin.end('exit\n');
  await new Promise((resolve) => child.on('close', resolve));
  const got = /GOT:.*/.exec(said.slice(from))?.[0] ?? said.slice(from);
  return got
    .replaceAll('\r', '')
    .split('|')
    .filter((word) => word !== '')
    .map((word) => word.replace(/^GOT:/, ''));
}

const lines: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['svc chec', ['check']],
  ['svc completion fi', ['completion', 'fish']],
  ['svc commands show AT_set_v', ['commands', 'show', 'AT_set_variable']],
  ['svc run --head', ['run', '--headed']],
  ['svc lint --format sar', ['lint', '--format', 'sarif']],
  ['svc run logi', ['run', 'login.yaml']],
  ['svc check tests/or', ['check', 'tests/order page.yaml']],
  ['svc explain SVC4000', ['explain', 'SVC40002']],
];

describe.each(['bash', 'zsh'] as const)('%s', (shell) => {
  const isThere = spawnSync(shell, ['--version']).status === 0 && spawnSync('script', ['--version']).status === 0;
  if (!isThere) console.warn(`completion in ${shell} is not tested: install ${shell} and bsdutils`);

  test.skipIf(!isThere && !process.env['CI'])(
    'completes verbs, options, values, commands, codes and files',
    async () => {
      const made = await Promise.all(lines.map(async ([line]) => [line, await typed(shell, line)] as const));
      // Codes go on where there are several: only what they share is typed.
      expect(made.slice(0, -1)).toEqual(lines.slice(0, -1));
      expect(made.at(-1)?.[1][1]).toMatch(/^SVC4000/);
    },
    60_000,
  );
});

describe('fish', () => {
  const isThere = spawnSync('fish', ['--version']).status === 0;
  if (!isThere) console.warn('completion in fish is not tested: install fish');

  test.skipIf(!isThere && !process.env['CI'])(
    'completes verbs, options, values, commands, codes and files',
    () => {
      const script = `source ./completion.fish\n${lines.map(([line]) => `echo "== ${line}"; complete -C '${line}'`).join('\n')}\n`;
      const { stdout } = spawnSync('fish', ['--no-config', '-c', script], {
        cwd: folder,
        env: { ...process.env, PATH: `${folder}/bin:${process.env['PATH'] ?? ''}`, HOME: folder },
        encoding: 'utf8',
      });
      const found = stdout
        .split('== ')
        .slice(1)
        .map((part) =>
          part
            .trim()
            .split('\n')
            .map((line) => line.split('\t')[0]),
        );
      const offered = new Map(found.map(([line = '', ...words]) => [line, words]));
      for (const [line, words] of lines) expect(offered.get(line), line).toContain(words.at(-1));
      expect(stdout).toContain('check\tReport errors in action files');
    },
    60_000,
  );
});

describe('what is offered', () => {
  const offer = async (...words: readonly string[]): Promise<readonly string[]> =>
    (await svc(folder, ['__complete', ...words])).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t')[0] ?? '');

  test('values behind an equals sign, as one word and as bash breaks it', async () => {
    expect(await offer('lint', '--format=s')).toEqual(['--format=sarif']);
    expect(await offer('lint', '--format', '=', 's')).toEqual(['sarif']);
    expect(await offer('lint', '--format', '=')).toEqual(['human', 'json', 'sarif', 'github']);
    expect(await offer('run', '--allow=pr')).toEqual(['--allow=private']);
    expect(await offer('run', '--reporter', 'j')).toEqual(['json', 'junit']);
    expect(await offer('schema', 'export', '--only', 'pl')).toEqual(['plan']);
  });

  test('only what may still be given', async () => {
    expect(await offer('lint', 'a.yaml', '--fix', '--fi')).toEqual([]);
    expect(await offer('run', '--var', 'a=1', '--va')).toEqual(['--validate-first', '--var']);
    expect(await offer('explain', 'SVC40002', 'SVC')).toEqual([]);
    expect(await offer('help', 'ex')).toEqual(['explain']);
    expect(await offer('nothing', '')).toEqual([]);
  });

  test('inputs of the files that are named', async () => {
    writeFileSync(
      join(folder, 'shop.yaml'),
      'meta: { inputs: { user: { type: string, description: Who buys. }, count: { type: integer } } }\nactions: [AT_clear_variables]\n',
    );
    expect(await offer('run', 'shop.yaml', 'missing.yaml', '--var', '')).toEqual(['user=', 'count=']);
    expect(await offer('check', 'shop.yaml', '--var=u')).toEqual(['--var=user=']);
  });

  test('names of diagnostics beside their codes', async () => {
    expect(await offer('explain', 'unknown-comm')).toEqual(['unknown-command']);
    expect(await offer('explain', 'SVC40002')).toEqual(['SVC40002']);
  });
});
