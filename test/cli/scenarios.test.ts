import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { main } from '#compiler/cli/main.ts';
import { outgoing } from '#runtime/reporters/outgoing.ts';
import type { Terminal } from '#schemas/types/cli.ts';

import { matches, printScenario, readScenario, type ScenarioCommand } from './scenario.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/**
 * Runs one command in the folder and yields what it printed; the folder's own path is shown as `<here>`, times as `~~~
 * ms`.
 */
async function run(command: ScenarioCommand, cwd: string): Promise<{ stdout: string; stderr: string; exit: number }> {
  let stdout = '';
  let stderr = '';
  const terminal: Terminal = {
    cwd,
    env: { HOME: cwd },
    out: (text, form = 'people') => void (stdout += outgoing(text, form)),
    err: (text, form = 'people') => void (stderr += outgoing(text, form)),
    lines: async function* () {},
    input: () =>
      Promise.resolve(command.input === undefined ? new Uint8Array() : readFileSync(join(cwd, command.input))),
    colours: { out: false, err: false },
    isTerminal: false,
    columns: 80,
  };
  const exit = await main(command.args, terminal);
  const steady = (text: string): string =>
    text
      .replaceAll(cwd, '<here>')
      .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, '~~~ ms')
      .replaceAll(/\b(time|timestamp)="[^"]*"/g, '$1="~~~"')
      .replaceAll(/\b[0-9a-f]{32}\b/g, '~~~')
      .replaceAll(/("duration_ms": )[\d.]+/g, '$1~~~');
  return { stdout: steady(stdout), stderr: steady(stderr), exit };
}

test.each(
  readdirSync(folder)
    .filter((name) => name.endsWith('.scenario'))
    .toSorted(),
)('%s', async (name) => {
  const path = join(folder, name);
  const text = readFileSync(path, 'utf8');
  const scenario = readScenario(text);
  expect(scenario.commands.length, 'a scenario runs at least one command').toBeGreaterThan(0);
  const cwd = mkdtempSync(join(tmpdir(), 'svc-scenario-'));
  try {
    for (const [file, content] of scenario.files) {
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), content.replace(/\n+$/, '\n'));
    }
    for (const command of scenario.commands) await check(command, cwd);
    if (process.env['UPDATE']) writeFileSync(path, printScenario(text.slice(0, text.search(/^=== /m)), scenario));
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
});

async function check(command: ScenarioCommand, cwd: string): Promise<void> {
  const actual = await run(command, cwd);
  const update = Boolean(process.env['UPDATE']);
  for (const stream of ['stdout', 'stderr'] as const) {
    if (matches(command[stream], actual[stream])) continue;
    if (!update)
      expect(actual[stream].trim(), `${stream} of svc ${command.args.join(' ')}`).toBe(command[stream].trim());
    command[stream] = actual[stream];
  }
  if (update) command.exit = actual.exit;
  expect(actual.exit, `exit status of svc ${command.args.join(' ')}`).toBe(command.exit);
  for (const [file, content] of command.after) {
    const now = readFileSync(join(cwd, file), 'utf8');
    if (update) command.after.set(file, now);
    else if (!matches(content, now)) expect(now.trim(), `${file} afterwards`).toBe(content.trim());
  }
}
