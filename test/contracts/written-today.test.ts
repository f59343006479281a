import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { main } from '#compiler/cli/main.ts';
import { outgoing } from '#runtime/reporters/outgoing.ts';
import type { Terminal } from '#schemas/types/cli.ts';

import { misfits } from './schema-of.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'written-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(
  path.join(folder, 'wrong.yaml'),
  '- [WR_clik_element]\n- [AT_set_variable, { nme: a, value: "${ENV.NOPE}" }]\n- [WR_quit]\n',
);
writeFileSync(
  path.join(folder, 'right.yaml'),
  `meta: { inputs: { user: { type: string, default: ada } }, tags: [smoke], on_failure: continue }
setup: [[AT_set_variable, { name: who, value: "{{user}}" }]]
actions:
- [FA_create_file, { file_path: "${folder}/out.txt", content: "{{who}}" }, { id: write, expect: result == null, retry: 2 }]
- FA_if_exists: { path: "${folder}/out.txt", then: [[FA_remove_file, ["${folder}/out.txt"]]] }
  when: exists(who)
- AT_get_variable: { name: who }
  id: asks
  expect: result == "nobody"
- AT_get_variable: { name: who }
  depends_on: [asks]
teardown: [AT_clear_variables]
`,
);

/** Runs the command line in the folder; yields what it wrote to standard output. */
async function svc(...argv: string[]): Promise<string> {
  let out = '';
  const terminal: Terminal = {
    cwd: folder,
    env: {},
    out: (text, form = 'people') => void (out += outgoing(text, form)),
    err: () => undefined,
    input: () => Promise.resolve(new Uint8Array()),
    lines: async function* () {},
    colours: { out: false, err: false },
    isTerminal: false,
    columns: 100,
  };
  await main(argv, terminal);
  return out;
}

describe("what today's command line writes fits its schemas", () => {
  it.each(['check', 'lint', 'migrate'])('svc %s --json', async (verb) => {
    const value: unknown = JSON.parse(await svc(verb, 'wrong.yaml', '--json'));
    expect(misfits('diagnostic', value)).toEqual([]);
    expect((value as { diagnostics: readonly unknown[] }).diagnostics.length).toBeGreaterThan(0);
  });

  it('svc plan --format json', async () => {
    expect(misfits('plan', JSON.parse(await svc('plan', 'right.yaml', '--format', 'json')))).toEqual([]);
  });

  it('svc run --json --record', async () => {
    const summary: unknown = JSON.parse(
      await svc(
        'run',
        'right.yaml',
        '--json',
        '--record',
        path.join(folder, 'record.jsonl'),
        '--report-dir',
        path.join(folder, 'reports'),
      ),
    );
    expect(misfits('run-summary', summary)).toEqual([]);
    const lines = readFileSync(path.join(folder, 'record.jsonl'), 'utf8').trimEnd().split('\n');
    for (const line of lines) expect(misfits('run-record', JSON.parse(line)), line).toEqual([]);
    expect(lines.map((line) => (JSON.parse(line) as { status: string }).status)).toEqual([
      'passed',
      'passed',
      'passed',
      'passed',
      'failed',
      'skipped',
      'passed',
    ]);
  });

  it('svc commands list --json', async () => {
    expect(misfits('commands', JSON.parse(await svc('commands', 'list', '--json')))).toEqual([]);
  });

  it('svc schema export', async () => {
    expect(JSON.parse(await svc('schema', 'export', '--only', 'plan'))).toMatchObject({
      $id: 'https://svc.invalid/schemas/plan.schema.json',
    });
  });
});
