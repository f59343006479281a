import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { built } from '../built.ts';
import { everyCommand, forbidden, forgedCommands } from '../hostile-text.ts';
import { startSvc, svc, type Said } from './svc.ts';

/** A name that files may have: Windows allows none of these characters. */
const fileName =
  process.platform === 'win32' ? 'plain' : 'a\u001b[2J\u202e\n::error::FORGED\n##[error]FORGED\u0007\u009b31m\r\t';
/** A text that may be an argument of a process. */
const word = everyCommand.replaceAll('\0', '');
let folder = '';

/** Words of a command line as the title of a test, hostile ones by what they are. */
const titled = (args: readonly string[]): string =>
  args.map((arg) => (arg.includes(word) ? 'TEXT' : arg.includes(fileName) ? 'NAME' : arg)).join(' ');

beforeAll(async () => {
  await built();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-hostile-text-')));
  const says = `process.stdout.write(${JSON.stringify(everyCommand)}); process.stderr.write(${JSON.stringify(everyCommand)}); process.exit(3)`;
  const shell = { command: [process.execPath, '-e', says] };
  const actions = [
    { FA_run_shell: shell, name: everyCommand },
    { FA_run_shell: { ...shell, capture_output: false }, name: 'not captured' },
    {
      FA_run_shell: { ...shell, check: false },
      name: everyCommand,
      expect: ['result.stderr == "x"'],
      retry: { max_attempts: 2, interval_s: 0.01 },
    },
    { AT_get_variable: { name: 'none', default: everyCommand }, expect: ['result == "x"'] },
    { FA_file_checksum: { path: `none-${word}` } },
    {
      AT_get_variable: { name: 'none', default: { [everyCommand]: everyCommand } },
      name: everyCommand,
      save_as: 'kept',
    },
    {
      AT_get_variable: { name: 'none', default: '' },
      name: everyCommand,
      when: `\${env:PATH} == ${JSON.stringify(word)}`,
    },
  ];
  mkdirSync(join(folder, 'right'));
  writeFileSync(
    join(folder, 'right', `${fileName}.json`),
    JSON.stringify({ meta: { name: everyCommand, description: everyCommand, on_failure: 'continue' }, actions }),
  );
  mkdirSync(join(folder, 'wrong'));
  const wrong = {
    meta: { name: everyCommand, [everyCommand]: 1, on_failure: everyCommand },
    actions: [
      { [everyCommand]: {} },
      { AT_get_variable: { [everyCommand]: everyCommand, name: 7 } },
      { AT_get_variable: { name: 'a' }, expect: [everyCommand], when: everyCommand },
      { AT_get_variable: { name: '{{none}}' }, name: everyCommand, tags: everyCommand },
    ],
  };
  writeFileSync(join(folder, 'wrong', `${fileName}.json`), JSON.stringify(wrong));
  writeFileSync(join(folder, 'wrong', 'raw.yaml'), `- AT_get_variable: { name: "a${word}" ]\n::error::FORGED\n`);
  writeFileSync(
    join(folder, 'wrong', 'old.json'),
    JSON.stringify([['AT_get_variable', { name: everyCommand }], [everyCommand]]),
  );
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The two streams obey nobody; lines of the form `::error …` are ours where `isGithub`. */
function expectTame({ stdout, stderr }: Pick<Said, 'stdout' | 'stderr'>, isGithub = false): void {
  expect(forbidden(stdout)).toEqual([]);
  expect(forbidden(stderr)).toEqual([]);
  expect(forgedCommands(stderr)).toEqual([]);
  const commands = forgedCommands(stdout);
  if (isGithub)
    for (const line of commands)
      expect(line).toMatch(/^::(?:error|warning|notice)(?: \w+=[^:,]*(?:,\w+=[^:,]*)*)?::[^\r\n]*$/);
  else expect(commands).toEqual([]);
}

describe('no stranger commands a terminal or a build server', () => {
  test.each(
    [
      ['check', 'right'],
      ['check', 'wrong'],
      ['check', 'wrong', '--json'],
      ['lint', 'right'],
      ['lint', 'wrong'],
      ['lint', 'right', 'wrong', '--json'],
      ['lint', 'right', 'wrong', '--format', 'sarif'],
      ['lint', 'right', 'wrong', '--format', 'github'],
      ['plan', 'right'],
      ['plan', 'right', '--format', 'json'],
      ['plan', 'right', '--format', 'mermaid'],
      ['plan', 'right', '--format', 'dot'],
      ['plan', 'wrong'],
      ['migrate', 'right'],
      ['migrate', 'wrong'],
      ['migrate', 'wrong', '--json'],
      ['compile', 'right', '-o', 'out'],
      ['compile', 'right', '-o', 'out', '--json'],
      ['compile', 'wrong', '-o', 'out'],
      ['run', 'right', '--list'],
      ['run', 'right', '--list', '--json'],
      ['run', 'right', '--dry-run'],
      ['run', 'wrong'],
      ['run', word],
      ['run', 'right', '--reporter', word],
      ['run', 'right', '--var', word],
      ['run', 'right', '--tag', word],
      ['run', 'right', '--env', 'x'],
      ['run', 'right', '--allow', word],
      ['check', word],
      ['plan', word],
      ['lint', word],
      ['migrate', word],
      ['compile', word],
      ['compile', 'right', '-o', word],
      ['explain', word],
      ['commands', 'list', word],
      ['commands', 'show', word],
      ['commands', word],
      ['help', word],
      [word],
      [`--${word}`],
      ['schema', 'export', '--only', word],
      ['schema', word],
      ['completion', word],
      ['__complete', word],
      ['doctor', word],
      ['doctor'],
      ['zip', 'none', word],
      ['unzip', word],
      ['download', word, word],
      ['create-file', `right/${fileName}.txt`, word],
      ['create', word],
      ['create', fileName],
    ].map((args) => [titled(args), args] as const),
  )(
    'svc %s',
    async (_, args) => {
      expectTame(await svc(folder, args), args.includes('github'));
    },
    60_000,
  );

  test.each(['human', 'json', 'junit', 'tap', 'github', 'html', 'ctrf', 'gitlab', 'markdown'])(
    'svc run through %s',
    async (reporter) => {
      for (const more of [[], ['-v'], ['--json']]) {
        const said = await svc(folder, [
          'run',
          'right',
          '--allow',
          'shell',
          '--reporter',
          reporter,
          '--reporter',
          `${reporter}=out/report`,
          '--record',
          'out/record.jsonl',
          ...more,
        ]);
        expect(said.exit, said.stderr).toBe(1);
        // Beside --json, reports stand on standard error.
        if (reporter === 'github' && more.includes('--json')) continue;
        expectTame(said, reporter === 'github');
        expectTame(
          {
            stdout: readFileSync(join(folder, 'out/report'), 'utf8'),
            stderr: readFileSync(join(folder, 'out/record.jsonl'), 'utf8'),
          },
          reporter === 'github',
        );
      }
    },
    120_000,
  );

  test('a process of its own, with colours, and a program', async () => {
    const ours = /\u001b\[(?:1|2|22|3[1-69]|39)m/g;
    const tame = ({ stdout, stderr }: Said): void =>
      expectTame({ stdout: stdout.replaceAll(ours, ''), stderr: stderr.replaceAll(ours, '') });
    const said = await startSvc(folder, ['run', 'right', 'wrong', '--allow', 'shell', '-v'], { FORCE_COLOR: '1' })
      .ended;
    expect(said.stderr).toMatch(ours);
    tame(said);
    const run = await startSvc(folder, ['run', 'right', '--allow', 'shell', '-v', '--isolate'], { FORCE_COLOR: '1' })
      .ended;
    expect(run.stdout).toMatch(ours);
    expect(run.stdout).toContain('FORGED');
    tame(run);
  }, 120_000);

  test('whatever was written beside', () => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.jsonl$|reports|\.svc/.test(name) || !statSync(join(folder, name)).isFile()) continue;
      expect(forbidden(readFileSync(join(folder, name), 'utf8')), name).toEqual([]);
    }
  });
});
