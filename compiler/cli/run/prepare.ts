import type { Compilation } from '#compiler/api.ts';
import type { UnitOutcome } from '#runtime/kernel/events.ts';
import { because } from '#runtime/kernel/reasons.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { SourceId } from '#schemas/types/place.ts';

import { compileFor, openSession, printFindings, type Session } from '../session.ts';
import type { Part, SelectedPart } from '#compiler/engine/part.ts';
import { programOfPlan } from '#compiler/engine/program.ts';
import { readSelection, writtenSelection } from './read-selection.ts';
import { select } from '#compiler/engine/selection.ts';
import { runSettings } from './settings.ts';
import { stateFolder } from '#compiler/engine/state.ts';

export interface PreparedRun {
  readonly session: Session;
  readonly parts: readonly SelectedPart[];
  /** The project's state folder. */
  readonly state: string;
  /** Only some steps of some files run: what passes says nothing of the whole file. */
  readonly isPartial: boolean;
}

/** Everything up to the first step. Yields an exit status where there is nothing to run. */
export async function prepareRun(args: ParsedArguments, terminal: Terminal): Promise<PreparedRun | ExitStatus> {
  const programs = [...new Set(args.positional.filter((path) => path.endsWith('.mjs')))];
  const sources = args.positional.filter((path) => !path.endsWith('.mjs'));
  const session = await openSession({ ...args, positional: sources }, terminal);
  const own = sources.length === 0 ? undefined : await sourcePart(session, args, terminal);
  if (typeof own === 'number') return own;
  const state = await stateFolder(session.root, terminal.env);
  const parts = [...(own ? [own] : []), ...(await programParts(programs, args, terminal))];
  const selection = await readSelection(args, state);
  const sha1 = sha1Of(session);
  const selected = parts.map((part): SelectedPart => ({
    ...part,
    selected: select(part.units, part.listed, selection, sha1),
  }));
  const running = selected.filter((part) => part.selected.chosen.size > 0 || part.absent.length > 0);
  if (running.length === 0) return emptySelection(args, parts);
  return { session, parts: running, state, isPartial: running.some((part) => part.selected.steps !== undefined) };
}

/** The action files, compiled. Yields an exit status where errors keep everything from running. */
async function sourcePart(session: Session, args: ParsedArguments, terminal: Terminal): Promise<Part | ExitStatus> {
  const compilation = await compileFor('run', session);
  printFindings(compilation.diagnostics, compilation.files, session, terminal);
  if (compilation.hasErrors && args.options['no-validate-first'] !== true) return 1;
  const sound = compilation.files.filter(({ source }) => !compilation.isBroken(source));
  const names = sound.map(({ source }) => source);
  const settings = runSettings(session.configuration.settings, args);
  return {
    program: programOfPlan(compilation.seal(names), compilation.places(names), settings),
    units: names.map((source) => compilation.unit(source).unit),
    listed: new Set(sound.filter(({ isPulledIn }) => !isPulledIn).map(({ source }) => source)),
    root: session.root,
    settings,
    absent: absentOf(compilation),
  };
}

const nothing = { passed: 0, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };

/** Files with errors have failed before they began; what depends on them is skipped. */
function absentOf({ files, diagnostics, isBroken }: Compilation): readonly UnitOutcome[] {
  const wrong = new Set(
    diagnostics.filter(({ severity }) => severity === 'error').map(({ primary }) => primary.source),
  );
  return files
    .filter(({ source }) => isBroken(source))
    .map(({ source, after }): UnitOutcome => {
      const bad: SourceId | undefined = after.find((each) => isBroken(each));
      if (wrong.has(source) || bad === undefined)
        return { file: source, status: 'failed', reason: because.errors, counts: nothing, duration_ms: 0 };
      return {
        file: source,
        status: 'skipped',
        reason: because.file(bad, wrong.has(bad) ? 'failed' : 'skipped'),
        counts: nothing,
        duration_ms: 0,
      };
    });
}

async function programParts(
  paths: readonly string[],
  args: ParsedArguments,
  terminal: Terminal,
): Promise<readonly Part[]> {
  if (paths.length === 0) return [];
  if (args.options['list']) {
    const { listedProgram } = await import('./listed-program.ts');
    return Promise.all(paths.map((path) => listedProgram(path, terminal)));
  }
  const { programPart } = await import('./program-part.ts');
  const parts: Part[] = [];
  for (const path of paths) parts.push(await programPart(path, args, terminal));
  return parts;
}

function emptySelection(args: ParsedArguments, parts: readonly Part[]): ExitStatus {
  if (args.options['pass-if-empty']) return 0;
  throw fail.nothingSelected({
    selection: writtenSelection(args),
    count: parts.reduce((sum, { listed }) => sum + listed.size, 0),
  });
}

function sha1Of({ host }: Session): (text: string) => string {
  return (text) => {
    const digest = host.digest('sha1');
    if (!digest) throw new Error('this platform has no SHA-1');
    digest.update(new TextEncoder().encode(text));
    return digest.hex();
  };
}
