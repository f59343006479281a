import { basename, dirname, join, relative, resolve } from 'node:path';

import { counted } from '#grammar/source/counted.ts';
import { printableLine } from '#grammar/source/printable.ts';
import { isCurlLine } from '#grammar/import/curl.ts';
import { detectFormat, importBrunoFolder, importText, type ImportFormat } from '#grammar/import/detect.ts';
import { ImportError, type ImportedFile, type ImportedStep } from '#grammar/import/file.ts';
import { importedJson, importedYaml } from '#grammar/import/write.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { writeOutput } from '#compiler/engine/write-output.ts';
import { one } from '../options.ts';
import { told } from '../one-command/told.ts';
import { readNamed } from '../read-named.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { collectionFiles } from './collection-files.ts';
import { inFolder } from './in-folder.ts';
import { meantSo } from './meant-so.ts';

/** Largest file that is read. */
const LARGEST = 64 * 1024 * 1024;

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const [source = '', named] = args.positional;
  const out = named === '-' ? undefined : named;
  const workspace = await openWorkspace(args, terminal);
  const target = out === undefined ? undefined : resolve(terminal.cwd, out);
  if (target !== undefined && args.options['force'] !== true && (await workspace.host.files.find(target)))
    throw fail.alreadyThere({ path: out ?? '' });
  try {
    const imported = await read(source, args, { terminal, workspace });
    const title = isCurlLine(source) ? 'a command line' : source === '-' ? 'standard input' : basename(source);
    const text = await textOf(imported, title, target, workspace);
    if (target !== undefined) await writeOutput(target, text, [terminal.cwd]);
    tell(imported, { out, text }, args, terminal);
    return 0;
  } catch (error) {
    if (error instanceof ImportError)
      return told(fail.importUnreadable({ path: source, reason: error.message }), terminal);
    throw error;
  }
}

interface Surroundings {
  readonly terminal: Terminal;
  readonly workspace: Workspace;
}

async function read(source: string, { options }: ParsedArguments, around: Surroundings): Promise<ImportedFile> {
  const { terminal, workspace } = around;
  const { files } = workspace.host;
  const wanted = one(options, 'format') as ImportFormat | undefined;
  const baseUrl = one(options, 'base-url');
  const naming = { name: basename(source), ...(baseUrl === undefined ? {} : { baseUrl }) };
  if (isCurlLine(source)) return await importText('curl', source, naming);
  const path = resolve(terminal.cwd, source);
  const found = source === '-' ? undefined : await files.find(path).catch(() => undefined);
  if (found?.kind === 'directory') {
    const collection = importBrunoFolder(await collectionFiles(path, files));
    return inFolder(collection, relative(terminal.cwd, path));
  }
  const text =
    source === '-'
      ? new TextDecoder().decode(await terminal.input(LARGEST))
      : await readNamed(source, { files, cwd: terminal.cwd });
  const format = wanted ?? (await detectFormat(source, text));
  if (format === undefined) throw new ImportError('it is of no known kind; `--format` names one');
  const file = source === '-' ? {} : { file: { path, root: terminal.cwd, files } };
  const imported = await importText(format, text, { ...naming, ...file });
  const namesFiles = format === 'http' || format === 'hurl' || format === 'bruno';
  return namesFiles && source !== '-' ? inFolder(imported, relative(terminal.cwd, dirname(path))) : imported;
}

async function textOf(
  imported: ImportedFile,
  source: string,
  target: string | undefined,
  workspace: Workspace,
): Promise<string> {
  if (target !== undefined && /\.json$/i.test(target)) return importedJson(imported, source);
  const text = importedYaml(imported, source);
  const path = target ?? join(workspace.root, 'imported.yaml');
  const ignored = await meantSo(path, text, workspace);
  return ignored.size === 0 ? text : importedYaml(imported, source, ignored);
}

/** The name of a step, else what it asks for. */
function nameOf({ action: [, params], options: { name } }: ImportedStep): string {
  if (typeof name === 'string') return name;
  const { http_method: method, test_url: url = params['url'] } = params;
  return typeof method === 'string' ? `${method.toUpperCase()} ${String(url)}` : String(url ?? 'a request');
}

function tell(
  { from, steps, lost, secrets }: ImportedFile,
  { out, text }: { readonly out: string | undefined; readonly text: string },
  { options }: ParsedArguments,
  terminal: Terminal,
): void {
  const all = [...lost, ...steps.flatMap((step) => step.lost.map((what) => `${nameOf(step)}: ${what}`))];
  if (options['json']) {
    const value = { from, path: out ?? null, actions: steps.length, not_carried_over: all, environment: secrets };
    terminal.out(`${JSON.stringify(value, null, 2)}\n`, 'json');
  } else if (out === undefined) terminal.out(text, 'file');
  else terminal.out(`${printableLine(out)}: ${counted(steps.length, 'action')} from ${from}\n`);
  for (const what of all) terminal.err(`not carried over: ${printableLine(what)}\n`);
  if (secrets.length > 0) terminal.err(`set in the environment or in .env: ${printableLine(secrets.join(', '))}\n`);
}
