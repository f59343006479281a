import { join, resolve } from 'node:path';

import type { Compilation } from '#compiler/api.ts';
import type { TagFilter } from '#grammar/tag-filter/parse.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { Program } from '#runtime/kernel/program.ts';
import { readReportRequest, type ReportRequest } from '#runtime/program/reports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { many, one } from '../options.ts';
import { compileFor, openSession, printFindings, type Session } from '../session.ts';
import { programOfPlan } from './program-of-plan.ts';
import { select, type Selected, type Selection } from './selection.ts';
import { runSettings } from './settings.ts';
import { lastFailed, stateFolder } from './state.ts';

export interface PreparedRun {
  readonly session: Session;
  readonly program: Program;
  readonly selected: Selected;
  readonly settings: Settings;
  readonly reports: readonly ReportRequest[];
  readonly record?: string;
  /** The project's state folder. */
  readonly state: string;
}

/** Everything up to the first step. Yields an exit status where there is nothing to run. */
export async function prepareRun(args: ParsedArguments, terminal: Terminal): Promise<PreparedRun | ExitStatus> {
  const session = await openSession(args, terminal);
  const compilation = await compileFor('run', session);
  printFindings(compilation.diagnostics, compilation.files, terminal);
  if (compilation.hasErrors && args.options['no-validate-first'] !== true) return 1;
  const state = await stateFolder(session.root, terminal.env);
  const sound = compilation.files.filter(({ source }) => !compilation.isBroken(source));
  const listed = new Set(sound.filter(({ isPulledIn }) => !isPulledIn).map(({ source }) => source));
  const units = sound.map(({ source }) => compilation.unit(source).unit);
  const selected = select(units, listed, await selectionOf(args, state), (text) => digestOf(session, text));
  if (selected.chosen.size === 0) return emptySelection(args, listed.size, compilation);
  const settings = runSettings(session.configuration.settings, args);
  const kept = selected.units.map(({ source }) => source);
  const sealed = compilation.seal(kept);
  const program = programOfPlan({ ...sealed, plan: { ...sealed.plan, units: selected.units } }, compilation.places(kept), settings);
  const record = one(args.options, 'record');
  return { session, program, selected, settings, state, reports: reportsOf(args, session, terminal), ...(record !== undefined && { record }) };
}

function emptySelection({ options }: ParsedArguments, listed: number, { hasErrors }: Compilation): ExitStatus {
  if (options['pass-if-empty']) return hasErrors ? 1 : 0;
  if (hasErrors) return 1;
  const asked = ['tag', 'exclude-tag', 'grep', 'shard', 'last-failed'].filter((name) => options[name] !== undefined);
  throw fail.nothingSelected({ selection: asked.map((name) => `--${name}`).join(' '), count: listed });
}

async function selectionOf({ options }: ParsedArguments, state: string): Promise<Selection> {
  const grep = one(options, 'grep');
  const shard = one(options, 'shard');
  return {
    tags: await readTags(many(options, 'tag')),
    excluded: await readTags(many(options, 'exclude-tag')),
    withDependencies: options['no-deps'] !== true,
    ...(grep !== undefined && { grep }),
    ...(shard !== undefined && { shard: await readShard(shard) }),
    ...(options['last-failed'] && { lastFailed: await lastFailed(state) }),
  };
}

const shardProblems = {
  unexpected: 'there is something that does not belong there',
  incomplete: 'it ends too early',
  'no-shards': 'there must be at least one part',
  outside: 'parts are numbered from 1 to the number of parts',
  unreadable: 'it is not of the form index/total',
} as const;

async function readShard(given: string): Promise<NonNullable<Selection['shard']>> {
  const { parseShard, prepareShard } = await import('#grammar/shard/parse.ts');
  await prepareShard(given);
  const { shard, problems } = parseShard(given);
  if (!shard) throw fail.shardNotReadable({ given, reason: shardProblems[problems[0]?.key ?? 'unreadable'] });
  return shard;
}

/** Several `--tag` select what any of them selects. */
async function readTags(given: readonly string[]): Promise<readonly TagFilter[]> {
  if (given.length === 0) return [];
  const { parseTagFilter, prepareTagFilter } = await import('#grammar/tag-filter/parse.ts');
  return Promise.all(given.map(async (text) => {
    await prepareTagFilter(text);
    const { filter, problems } = parseTagFilter(text);
    if (!filter) throw fail.tagsNotReadable({ given: text, column: (problems[0]?.from ?? 0) + 1 });
    return filter;
  }));
}

function digestOf({ host }: Session, text: string): string {
  const digest = host.digest('sha1');
  if (!digest) throw new Error('this platform has no SHA-1');
  digest.update(new TextEncoder().encode(text));
  return digest.hex();
}

/** Reporters of the command line, else of the configuration, else for people; with `--json` people get none. */
function reportsOf({ options }: ParsedArguments, { configuration, root }: Session, terminal: Terminal): readonly ReportRequest[] {
  const folder = one(options, 'report-dir');
  const given = many(options, 'reporter');
  const names = given.length > 0 ? given : configuration.reporters;
  const wanted = names.length > 0 ? names : options['json'] ? [] : ['human'];
  return wanted.map((name) => readReportRequest(name, folder === undefined ? undefined : resolve(terminal.cwd, folder) || join(root, '.svc')));
}
