/**
 * A scenario: files, then commands with what they must print. Sections begin with `=== `: `=== file NAME`, `=== $ svc
 * ARGS [< NAME]`, `=== stdout`, `=== stderr`, `=== exit N`, `=== file NAME is` (content afterwards). `~~~` stands for
 * any text.
 */
export interface Scenario {
  readonly files: ReadonlyMap<string, string>;
  readonly commands: readonly ScenarioCommand[];
}

export interface ScenarioCommand {
  readonly args: readonly string[];
  readonly input?: string;
  stdout: string;
  stderr: string;
  exit: number;
  readonly after: Map<string, string>;
}

export function readScenario(text: string): Scenario {
  const files = new Map<string, string>();
  const commands: ScenarioCommand[] = [];
  for (const section of text.split(/^=== /m).slice(1)) {
    const end = section.indexOf('\n');
    const head = section.slice(0, end).trim();
    readSection(head, section.slice(end + 1), files, commands);
  }
  return { files, commands };
}

function readSection(head: string, body: string, files: Map<string, string>, commands: ScenarioCommand[]): void {
  const last = commands.at(-1);
  if (head.startsWith('$ svc')) commands.push(readCommand(head.slice(5).trim()));
  else if (head.startsWith('file ') && head.endsWith(' is')) last?.after.set(head.slice(5, -3), body);
  else if (head.startsWith('file ')) files.set(head.slice(5), body);
  else if (last && head === 'stdout') last.stdout = body;
  else if (last && head === 'stderr') last.stderr = body;
  else if (last && head.startsWith('exit ')) last.exit = Number(head.slice(5));
  else throw new Error(`a scenario has no section "${head}" there`);
}

function readCommand(line: string): ScenarioCommand {
  const [command = '', input] = line.split(' < ');
  const args = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
  return {
    args,
    ...(input !== undefined && { input: input.trim() }),
    stdout: '',
    stderr: '',
    exit: 0,
    after: new Map(),
  };
}

/** The scenario as a text again, with what really happened. */
export function printScenario(heading: string, { files, commands }: Scenario): string {
  const parts = [...files].map(([name, content]) => `=== file ${name}\n${content}`);
  for (const command of commands) {
    const args = command.args.map((arg) => (/^[\w./:=,@%+-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ');
    parts.push(`=== $ svc ${args}${command.input === undefined ? '' : ` < ${command.input}`}\n`);
    if (command.stdout !== '') parts.push(`=== stdout\n${command.stdout}`);
    if (command.stderr !== '') parts.push(`=== stderr\n${command.stderr}`);
    parts.push(
      `=== exit ${command.exit}\n`,
      ...[...command.after].map(([name, content]) => `=== file ${name} is\n${content}`),
    );
  }
  return `${heading.trimEnd()}\n${parts.map((part) => `${part.trimEnd()}\n`).join('\n')}`;
}

/**
 * Whether the text is what was expected, where `~~~` stands for anything. Blank lines at the ends count for nothing.
 */
export function matches(expected: string, actual: string): boolean {
  if (!expected.includes('~~~')) return expected.trim() === actual.trim();
  const pattern = expected
    .trim()
    .split('~~~')
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*?');
  return new RegExp(`^${pattern}$`).test(actual.trim());
}
