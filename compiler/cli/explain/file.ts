import { catalogue } from '#compiler/catalogue.ts';
import { Following, typeText, type ExplainedFile, type ExplainedStep } from '#compiler/engine/explained-file.ts';
import { compileSources } from '#compiler/engine/compile-project.ts';
import { printableLine } from '#grammar/source/printable.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { answer } from '../answer.ts';
import { openWorkspaces, printFindings } from '../workspace.ts';
import { together } from '../together.ts';

/** Prints what is known of an action file, or of the steps on one of its lines. */
export async function explainFile(
  path: string,
  line: number | undefined,
  args: ParsedArguments,
  terminal: Terminal,
): Promise<ExitStatus> {
  const workspaces = await openWorkspaces({ ...args, positional: [path] }, terminal);
  const following = new Following(line);
  const compilations = await Promise.all(
    workspaces.map((workspace) =>
      compileSources('plan', workspace.sources, {
        ...workspace,
        compileOptions: { ...workspace.compileOptions, follow: following.follow },
      }),
    ),
  );
  const { diagnostics, files } = together(compilations, workspaces, terminal.cwd);
  printFindings(diagnostics, files, workspaces, terminal);
  const explained = compilations.flatMap((compilation) => following.files(compilation));
  const shown = line === undefined ? explained : explained.map((file) => ({ ...file, steps: stepsAt(file, line) }));
  await catalogue.prepare(shown.flatMap(({ steps }) => steps.map(({ command }) => command)).filter(catalogue.has));
  answer(shown, () => shown.map((file) => textOf(file, line)).join('\n'), args, terminal);
  return compilations.some(({ hasErrors }) => hasErrors) ? 1 : 0;
}

/** The innermost step on a line, behind those that hold it. */
function stepsAt({ steps }: ExplainedFile, line: number): readonly ExplainedStep[] {
  return steps.filter((step) => step.file === undefined && step.line <= line && line <= step.endLine);
}

function textOf(file: ExplainedFile, line: number | undefined): string {
  const lines = line === undefined ? fileLines(file) : file.steps.flatMap((step) => stepLines(file, step));
  if (line !== undefined && lines.length === 0) lines.push(`${file.file}:${line} no step stands here`);
  return lines.map((each) => `${printableLine(each)}\n`).join('');
}

function fileLines(file: ExplainedFile): string[] {
  const { inputs, returns, sessions, needs, steps } = file;
  const said = (name: string): string => (sessions.possible.includes(name) ? `${name} (on some ways)` : name);
  const maySkip = steps.filter(({ skipped }) => skipped.some((reason) => reason !== 'a step before it failed'));
  return [
    file.file,
    ...inputs.map(
      ({ name, schema, default: fallback, secret }) =>
        `  input ${String(name)}: ${typeText(schema ?? {})}${fallback === undefined || secret === true ? '' : ` = ${JSON.stringify(fallback)}`}`,
    ),
    ...(returns === undefined ? [] : [`  returns ${typeText({ type: 'object', properties: returns })}`]),
    ...listed('needs a session', sessions.needs),
    ...listed('opens', sessions.opens.map(said)),
    ...listed('closes', sessions.closes.map(said)),
    ...listed('effects', needs.effects),
    ...listed('gates', needs.gates),
    ...listed('environment', needs.env),
    ...listed('files', needs.files),
    ...listed('hosts', needs.hosts),
    ...listed('packages', needs.packages),
    ...steps.flatMap(({ id, defines }) => defined(defines).map((each) => `  #${id} defines ${each}`)),
    ...maySkip.map(({ id, skipped }) => `  #${id} is skipped where ${skipped.join(', or where ')}`),
  ];
}

function stepLines({ file }: ExplainedFile, step: ExplainedStep): readonly string[] {
  const { id, line, command, result, defines, scope = [], open = [], skipped, isUnread = false } = step;
  const about = catalogue.has(command) ? `  ${catalogue.get(command)?.summary ?? ''}` : '';
  return [
    `${file}:${line} #${id} ${command}${about}`,
    isUnread ? '  has an error' : `  result: ${typeText(result)}`,
    ...defined(defines).map((each) => `  defines ${each}`),
    ...scope.map(({ name, type, maybe }) => `  {{${name}}}: ${typeText(type)}${maybe ? ' (not on every way)' : ''}`),
    ...listed('open sessions', open),
    ...skipped.map((reason) => `  is skipped where ${reason}`),
  ];
}

function defined(defines: JsonObject): readonly string[] {
  return Object.entries(defines).map(([name, type]) => `${name}: ${typeText(type)}`);
}

function listed(title: string, values: readonly string[]): readonly string[] {
  return values.length === 0 ? [] : [`  ${title}: ${values.join(', ')}`];
}
