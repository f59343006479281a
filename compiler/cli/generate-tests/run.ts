import { join, resolve } from 'node:path';

import { nearest } from '#compiler/engine/nearest.ts';
import { aiCases } from '#compiler/engine/generated/ai-cases.ts';
import { runCases } from '#compiler/engine/generated/run-cases.ts';
import { runSettings } from '#compiler/engine/run/settings.ts';
import { writeOutput } from '#compiler/engine/write-output.ts';
import { importedJson, importedYaml, stepValue } from '#grammar/import/write.ts';
import { baseUrl } from '#grammar/openapi/example-actions.ts';
import { generateCases } from '#grammar/openapi/generate/cases.ts';
import { caseKinds, type CaseKind, type TestCase } from '#grammar/openapi/generate/test-case.ts';
import { readOpenApiFile } from '#grammar/openapi/read.ts';
import { printableLine } from '#grammar/source/printable.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { told } from '../one-command/told.ts';
import { count, need, one, outputOf } from '../options.ts';
import { list } from '../parse-arguments.ts';
import { readNamed } from '../read-named.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { caseFile, fileName } from './case-file.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const path = args.positional[0] ?? '';
  const workspace = await openWorkspace(args, terminal);
  const document = await documentOf(path, terminal.cwd, workspace);
  const start = (one(args.options, 'base-url') ?? baseUrl(document)).replace(/\/+$/, '');
  if (args.options['run'] === true)
    need(/^https?:\/\//i.test(start), 'generate-tests --run', '--base-url: the document names no server');
  const output = outputOf(args.options);
  const target = output === undefined ? undefined : resolve(terminal.cwd, output);
  if (target !== undefined && args.options['force'] !== true && (await workspace.host.files.find(target)))
    throw fail.alreadyThere({ path: output ?? '' });
  try {
    const seed =
      one(args.options, 'seed') === undefined
        ? Math.floor(workspace.host.random.number() * 2 ** 31)
        : count(args.options, 'seed');
    const { cases, cut } = await casesOf(document, seed, { args, workspace, terminal });
    terminal.err(`seed ${seed}: ${cases.length} tests${cut ? ', the rest was left out' : ''}\n`);
    const generated = { seed, start, source: path };
    if (target !== undefined) {
      const file = caseFile(cases, generated);
      await writeOutput(target, /\.json$/i.test(target) ? importedJson(file, path) : importedYaml(file, path), [
        terminal.cwd,
      ]);
      if (!args.options['json']) terminal.out(`${printableLine(output ?? '')}\n`);
    }
    if (args.options['run'] === true)
      return await runAll(cases, { ...generated, document }, { args, workspace, terminal });
    if (target !== undefined) {
      if (args.options['json'])
        terminal.out(`${JSON.stringify({ path: output, seed, tests: cases.length }, null, 2)}\n`, 'json');
    } else terminal.out(`${JSON.stringify(caseFile(cases, generated).steps.map(stepValue), null, 2)}\n`, 'json');
    return 0;
  } catch (error) {
    if (error instanceof Failure && !error.facts.code.startsWith('SVC9')) return told(error, terminal);
    throw error;
  }
}

const backends = ['noop', 'provider'];

interface Around {
  readonly args: ParsedArguments;
  readonly workspace: Workspace;
  readonly terminal: Terminal;
}

async function documentOf(shown: string, cwd: string, { host: { files } }: Workspace): Promise<JsonObject> {
  const text = await readNamed(shown, { files, cwd });
  const read = await readOpenApiFile(text, { path: resolve(cwd, shown), root: cwd, files });
  if ('error' in read) throw fail.specUnreadable({ path: shown, reason: read.error });
  return read.document;
}

/** Tests by the language model where one is chosen, else those of the kinds that are asked for. */
async function casesOf(
  document: JsonObject,
  seed: number,
  { args: { options }, workspace, terminal }: Around,
): Promise<{ readonly cases: readonly TestCase[]; readonly cut: boolean }> {
  const backend = one(options, 'ai') ?? backendOf(terminal);
  const [model, effort] = [one(options, 'model'), one(options, 'effort')];
  if (backend !== 'provider') {
    const name = model === undefined ? effort && 'effort' : 'model';
    if (name !== undefined) throw fail.argumentMissing({ verb: `generate-tests --${name}`, argument: '--ai provider' });
    return generateCases(document, {
      seed,
      kinds: kindsOf(one(options, 'kinds') ?? ''),
      count: count(options, 'count'),
    });
  }
  const { cases, isFallback } = await aiCases(
    document,
    { ...(model === undefined ? {} : { model }), ...(effort === undefined ? {} : { effort }) },
    { host: workspace.host, settings: runSettings(workspace.configuration.settings, {}) },
  );
  if (isFallback)
    terminal.err('the language model gave nothing that can be used: the tests are the examples of the document\n');
  return { cases, cut: false };
}

/** The backend that the environment chooses; a misspelt one is none that could be left out. */
function backendOf({ env }: Terminal): string {
  const given = env['SVC_AI_BACKEND'] || 'noop';
  if (!backends.includes(given))
    throw fail.valueNotAllowed({
      subject: 'SVC_AI_BACKEND',
      given,
      allowed: list(backends),
      ...nearest(given, backends),
    });
  return given;
}

function kindsOf(text: string): readonly CaseKind[] {
  const given = text.split(',').map((kind) => kind.trim());
  for (const kind of given)
    if (!(caseKinds as readonly string[]).includes(kind))
      throw fail.valueNotAllowed({ subject: '--kinds', given: kind, allowed: caseKinds.join(', ') });
  return given as readonly CaseKind[];
}

interface Generated {
  readonly seed: number;
  readonly start: string;
  readonly source: string;
}

async function runAll(
  cases: readonly TestCase[],
  { document, ...generated }: Generated & { readonly document: JsonObject },
  { args: { options }, workspace, terminal }: Around,
): Promise<ExitStatus> {
  const settings = runSettings(workspace.configuration.settings, {});
  const outcomes = await runCases(cases, generated.start, { document, project: workspace, settings });
  const failed = outcomes.flatMap(({ test, failure, isForbidden }) =>
    failure === undefined ? [] : [{ test, failure, isForbidden }],
  );
  const folder = one(options, 'save-failing') ?? 'failing-tests';
  const failures: JsonObject[] = [];
  for (const [index, { test, failure, isForbidden }] of failed.entries()) {
    const file = join(folder, fileName(index + 1, test.name));
    const held = isForbidden && generated.source !== '-' ? { openapi: generated.source } : {};
    const text = importedYaml(caseFile([test], { ...generated, ...held }), generated.source);
    await writeOutput(resolve(terminal.cwd, file), `# ${printableLine(failure)}\n${text}`, [terminal.cwd]);
    failures.push({ name: test.name, failure, file });
  }
  const counts = {
    seed: generated.seed,
    tests: outcomes.length,
    passed: outcomes.length - failed.length,
    failed: failed.length,
  };
  const lines = [
    ...failures.flatMap(({ name, failure, file }) => [
      `✗ ${String(name)}: ${String(failure)}`,
      `  saved as ${String(file)}`,
    ]),
    `${counts.passed} passed, ${counts.failed} failed (seed ${counts.seed})`,
  ];
  if (options['json']) terminal.out(`${JSON.stringify({ ...counts, failures }, null, 2)}\n`, 'json');
  else terminal.out(lines.map((line) => `${printableLine(line)}\n`).join(''));
  return failed.length > 0 ? 1 : 0;
}
