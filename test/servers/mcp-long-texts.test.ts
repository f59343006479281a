import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLine } from '../built.ts';

const MIB = 1024 * 1024;
/** Calls that are made one after the other while a long one goes on. */
const QUICK = 10;

let folder = '';
let client: Client;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-mcp-long-')));
  writeFileSync(join(folder, 'long.json'), listOf(['FA_create_dir', ['made']]));
  client = new Client({ name: 'test', version: '1.0.0' });
  const env = process.env as Record<string, string>;
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...commandLine, 'mcp'], cwd: folder, env }),
  );
  // Modules are loaded by the first call of each kind: no later one waits for them.
  await quick();
}, 60_000);
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A list of a mebibyte, as text. */
function listOf(item: unknown): string {
  return JSON.stringify(itemsOf(item));
}

function itemsOf(item: unknown): readonly unknown[] {
  return Array.from({ length: Math.floor(MIB / (JSON.stringify(item).length + 1)) }, () => item);
}

async function quick(): Promise<void> {
  const answer = await client.callTool({ name: 'svc_explain', arguments: { name: 'SVC40002' } });
  expect(answer.isError).toBe(false);
}

interface Outcome {
  /** Quick calls that were answered before the long one. */
  readonly before: number;
  readonly isError: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown> | undefined;
}

/** Makes a long call, and then quick ones, each when the one before is answered. */
async function beside(name: string, given: Record<string, unknown>): Promise<Outcome> {
  let isOver = false;
  const long = client.callTool({ name, arguments: given }, { timeout: 240_000 }).finally(() => (isOver = true));
  let before = 0;
  for (let count = 0; count < QUICK; count += 1) {
    await quick();
    if (!isOver) before += 1;
  }
  const { content, isError = false, structuredContent } = await long;
  const [first] = content;
  return {
    before,
    isError,
    text: first?.type === 'text' ? first.text : '',
    structured: structuredContent as Record<string, unknown> | undefined,
  };
}

describe('a text of a mebibyte lets other calls be answered while', { timeout: 300_000 }, () => {
  it.each(['svc_check', 'svc_lint'])('it is looked at by %s, which tells a hundred findings', async (name) => {
    const mistakes = itemsOf('FA_nothing').length;
    const { before, structured } = await beside(name, { path: 'new.json', content: listOf('FA_nothing') });
    expect(before).toBe(QUICK);
    const { diagnostics, left_out: leftOut } = structured as { diagnostics: unknown[]; left_out: number };
    expect(diagnostics).toHaveLength(100);
    expect(diagnostics[0]).toMatchObject({ slug: 'unknown-command', file: 'new.json', line: 1, column: 2 });
    expect(leftOut).toBe(mistakes - 100);
  });

  it('a file of it is planned by svc_run, and then checked as sound', async () => {
    const { before, isError, text } = await beside('svc_run', { path: 'long.json' });
    expect([before, isError]).toEqual([QUICK, false]);
    expect(text).toContain('"isDry": true');
    expect((await beside('svc_check', { path: 'long.json' })).structured).toEqual({ diagnostics: [], files: 1 });
  });

  it('a list of it is compiled by svc_run_action, with the words that a short one gets', async () => {
    const { before, isError, text } = await beside('svc_run_action', { actions: itemsOf(['FA_nothing', {}]) });
    expect([before, isError]).toEqual([QUICK, true]);
    const short = await beside('svc_run_action', { actions: [['FA_nothing', {}]] });
    const beginning = 'error: The action list cannot run: [0][0]: SVC40002 There is no command "FA_nothing".';
    for (const said of [text, short.text]) expect(said.slice(0, beginning.length)).toBe(beginning);
  });

  it('a command is called with it', async () => {
    const given = { name: 'numbers', value: Array.from({ length: MIB / 2 }, () => 1) };
    const { before, structured } = await beside('AT_set_variable', { ...given, confirm: true });
    expect([before, structured]).toMatchObject([QUICK, {}]);
  });
});

it('a long call that is cancelled ends, and the next one is answered', { timeout: 60_000 }, async () => {
  const stop = new AbortController();
  const long = client.callTool(
    { name: 'svc_check', arguments: { path: 'new.json', content: listOf(1) } },
    { signal: stop.signal },
  );
  await quick();
  stop.abort('not wanted any more');
  await expect(long).rejects.toThrow('not wanted any more');
  const next = await beside('svc_check', { path: 'new.json', content: listOf('FA_nothing').slice(0, 30_000) });
  expect(next.structured).toMatchObject({ diagnostics: [{ line: 1 }] });
});
