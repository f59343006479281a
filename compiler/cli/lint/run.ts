import { lint, type Linted } from '#compiler/api.ts';
import { annotations } from '#compiler/report/annotations.ts';
import { count, human } from '#compiler/report/human.ts';
import { json } from '#compiler/report/json.ts';
import { locate, type Located, type Sources } from '#compiler/report/locate.ts';
import { sarif, withReasons, type SarifOptions, type SuppressedFinding } from '#compiler/report/sarif.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { one } from '../options.ts';
import { openWorkspaces, paperOf, type Workspace } from '../workspace.ts';
import { together } from '../together.ts';
import { maskFor } from '#compiler/engine/mask.ts';
import { sourcesOf } from '#compiler/engine/sources-of.ts';
import { version } from '#compiler/engine/version.ts';
import { oneOutput, writeSources } from '../write-sources.ts';
import { fixedTexts } from './fix.ts';
import { UnsafeFixes } from './unsafe.ts';
import { matchedBy } from './matched.ts';

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  if (args.options['fix'])
    oneOutput(
      '--fix',
      args,
      ['json', 'sarif', 'github'].find((format) => args.options[format] || one(args.options, 'format') === format),
    );
  const workspaces = await openWorkspaces(args, terminal);
  const all: Linted[] = [];
  const meantSo: MeantSo[] = [];
  const isAsking = args.options['unsafe'] === true;
  for (const workspace of workspaces) {
    const own: MeantSo = { diagnostics: [], reasons: [] };
    const linted = await lintWorkspace(workspace, own);
    meantSo.push(own);
    all.push(args.options['fix'] ? await fixAll(workspace, linted, { terminal, isAsking }) : linted);
  }
  const found = all.map(({ compilation, diagnostics: own }) => ({ files: compilation.files, diagnostics: own }));
  const { files, diagnostics } = together(found, workspaces, terminal.cwd);
  const sources = sourcesOf(files);
  const located = locate(diagnostics, sources, maskFor(workspaces, files));
  const parts = found.map(({ files: own }, index) => ({ files: own, diagnostics: meantSo[index]?.diagnostics ?? [] }));
  const reasons = meantSo.flatMap((each) => each.reasons);
  const suppressed = withReasons(together(parts, workspaces, terminal.cwd).diagnostics, reasons, (each) =>
    locate(each, sources, maskFor(workspaces, files)),
  );
  await print({ located, suppressed, sources, files: files.length }, args, terminal);
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').length;
  const most = one(args.options, 'max-warnings');
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  return failed || (most !== undefined && warnings > Number(most)) ? 1 : 0;
}

/** Findings that their authors mean so, and why each. */
interface MeantSo {
  readonly diagnostics: Diagnostic[];
  readonly reasons: string[];
}

async function lintWorkspace(
  { sources, compileOptions, host, configuration }: Workspace,
  meantSo?: MeantSo,
): Promise<Linted> {
  const { ignore = [], paths = {}, ...rules } = configuration.lint;
  const isIgnored = await matchedBy(ignore, 'lint.ignore', configuration.file, host);
  const some = await Promise.all(
    Object.entries(paths).map(async ([pattern, own]) => ({
      ...own,
      isOf: await matchedBy([pattern], 'lint.paths', configuration.file, host),
    })),
  );
  const onSuppressed = (diagnostic: Diagnostic, reason: string): void => {
    meantSo?.diagnostics.push(diagnostic);
    meantSo?.reasons.push(reason);
  };
  return lint(sources, { ...compileOptions, lint: rules, isIgnored, paths: some, onSuppressed }, host);
}

interface Fixing {
  readonly terminal: Terminal;
  /** Unsafe fixes are asked for, too. */
  readonly isAsking: boolean;
}

/** Applies safe fixes until nothing more changes, for one may make room for another; then writes what has changed. */
async function fixAll(workspace: Workspace, first: Linted, { terminal, isAsking }: Fixing): Promise<Linted> {
  const changed = new Map<string, string>();
  let state = await settle({ workspace, linted: first }, changed);
  const unsafe = new UnsafeFixes(terminal);
  for (let next = isAsking ? await unsafe.next(state.linted, state.workspace) : undefined; next !== undefined;) {
    state = await settle(await withTexts(state, new Map([[next.path, next.text]]), changed), changed);
    next = await unsafe.next(state.linted, state.workspace);
  }
  unsafe.close();
  await writeSources(first.compilation.files, changed, terminal, workspace);
  return state.linted;
}

interface State {
  readonly workspace: Workspace;
  readonly linted: Linted;
}

/** Rounds of safe fixes, until there are none. */
async function settle(from: State, changed: Map<string, string>): Promise<State> {
  let state = from;
  for (let round = 0; round < 10; round += 1) {
    const texts = fixedTexts(state.linted);
    if (texts.size === 0) break;
    state = await withTexts(state, texts, changed);
  }
  return state;
}

/** The same files with other texts, linted again. */
async function withTexts(
  { workspace }: State,
  texts: ReadonlyMap<string, string>,
  changed: Map<string, string>,
): Promise<State> {
  for (const [path, text] of texts) changed.set(path, text);
  const sources = workspace.sources.map((source) => {
    const content = texts.get(source.path);
    return content === undefined ? source : { path: source.path, content };
  });
  const current = { ...workspace, sources };
  return { workspace: current, linted: await lintWorkspace(current) };
}

interface Printed {
  readonly located: readonly Located[];
  readonly suppressed: readonly SuppressedFinding[];
  readonly sources: Sources;
  /** Number of files that were looked at. */
  readonly files: number;
}

async function print(
  { located, suppressed, sources, files }: Printed,
  { options }: ParsedArguments,
  terminal: Terminal,
): Promise<void> {
  const format = options['json'] ? 'json' : one(options, 'format');
  if (format === 'json') terminal.out(json(located, sources, files), 'json');
  else if (format === 'sarif')
    terminal.out(sarif(located, sources, { version, about: await explanationOf(), suppressed }), 'json');
  else if (format === 'github') terminal.out(annotations(located), 'lines');
  else
    terminal.err(located.length === 0 ? `${count(located, files)}\n` : human(located, { ...paperOf(terminal), files }));
}

async function explanationOf(): Promise<SarifOptions['about']> {
  const { explanations } = await import('#schemas/generated/explain.ts');
  const byCode = new Map(explanations.map((entry) => [entry.code, entry]));
  return (code) => {
    const entry = byCode.get(code);
    return entry && { text: entry.text.trim(), severity: entry.severity ?? 'error' };
  };
}
