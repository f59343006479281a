import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { compile } from '#compiler/api.ts';
import { programOfPlan } from '#compiler/engine/program.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { readArguments } from '#runtime/program/arguments.ts';
import { execute } from '#runtime/program/execute.ts';
import { reporters } from '#runtime/reporters/reporters.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { root } from '../built.ts';
import { makePrograms } from '../emit/make-programs.ts';

/** `options.json` of a case. */
export interface CaseOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Result of a run, without what differs from run to run. */
export interface CaseResult {
  readonly exit: number;
  readonly records: readonly JsonObject[];
}

/** A copy of a case's folder to run in. */
export async function inCopy<T>(folder: string, work: (copy: string, options: CaseOptions) => Promise<T>): Promise<T> {
  const copy = await realpath(await mkdtemp(join(tmpdir(), 'svc-run-case-')));
  try {
    await cp(folder, copy, { recursive: true });
    const options = await readFile(join(copy, 'options.json'), 'utf8').then(
      (text) => JSON.parse(text) as CaseOptions,
      () => ({}),
    );
    return await work(copy, options);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Compiles and runs the plan with the implementations as they are installed. */
export async function runPlan(
  copy: string,
  { args = [], env = {} }: CaseOptions,
): Promise<CaseResult & { readonly diagnostics: readonly Diagnostic[] }> {
  const host = nodeHost({ cwd: copy, env: { ...process.env, ...env } });
  const compilation = await compile([{ path: join(copy, 'input.yaml') }], { root: copy }, host);
  if (compilation.hasErrors) return { exit: 1, records: [], diagnostics: compilation.diagnostics };
  const program = programOfPlan(compilation.seal(), compilation.places(), { gates: {} });
  const given = readArguments([
    ...args,
    '--record',
    join(copy, 'record.jsonl'),
    '--reporter',
    `json=${join(copy, 'report.json')}`,
  ]);
  if (!given) throw new Error('a case asks for help');
  const exit = await withoutErrors(() => execute(program, given, reporters, host));
  return { exit, records: await recordsOf(copy), diagnostics: compilation.diagnostics };
}

/** Compiles to a program and runs that in a process of its own. */
export async function runProgram(copy: string, { args = [], env = {} }: CaseOptions): Promise<CaseResult> {
  await makePrograms(copy, ['input.yaml']);
  // Programs that compile lists as they run ask for the package.
  await mkdir(join(copy, 'node_modules'));
  await symlink(root, join(copy, 'node_modules', 'svc'));
  const child = spawn(
    process.execPath,
    ['dist/input.mjs', ...args, '--record', 'record.jsonl', '--reporter', 'json=report.json'],
    { cwd: copy, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const exit = await new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? -1)));
  if (exit > 2) throw new Error(`the program ended with ${exit}:\n${said}`);
  return { exit, records: await recordsOf(copy) };
}

/** Runs `work` without standard error, which belongs to the test run: a refused run prints its findings there. */
async function withoutErrors<T>(work: () => Promise<T>): Promise<T> {
  const { stderr } = process;
  const { write } = stderr;
  stderr.write = () => true;
  try {
    return await work();
  } finally {
    stderr.write = write;
  }
}

export async function recordsOf(copy: string): Promise<readonly JsonObject[]> {
  const text = await readFile(join(copy, 'record.jsonl'), 'utf8');
  if (text !== '' && !text.endsWith('\n')) throw new Error('the record ends in the middle of a line');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => steady(JSON.parse(line) as JsonObject, copy));
}

/** Leaves out what differs from run to run. */
function steady(record: JsonObject, copy: string): JsonObject {
  const { run: _run, plan: _plan, started_at: _startedAt, duration_ms: _duration, ...rest } = record;
  const answer = isObject(rest['result']) ? rest['result'] : {};
  // Of an answer, what does not depend on time and place.
  const shown =
    'status_code' in answer
      ? { ...rest, result: { status_code: answer['status_code'], json: answer['json'], text: answer['text'] } }
      : rest;
  const text = JSON.stringify(shown)
    .replaceAll(JSON.stringify(copy).slice(1, -1), '<root>')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
    .replace(/"port":\d+/g, '"port":0');
  return JSON.parse(text) as JsonObject;
}

/** One record a line. */
export function printed(records: readonly Json[]): string {
  return records.length === 0
    ? '[]\n'
    : `[\n${records.map((record) => `  ${JSON.stringify(record)}`).join(',\n')}\n]\n`;
}
