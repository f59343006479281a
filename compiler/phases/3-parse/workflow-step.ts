import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { optionsCarried } from './options-carried.ts';
import type { Reading } from './reading.ts';

/** Keys under which workflows and playbooks hold a command line. */
const LINES: readonly string[] = ['run', 'shell', 'script', 'command', 'cmd'];

/** Keys beside it that say where it runs, and in which shell. */
const FOLDERS: readonly string[] = ['working-directory', 'working_directory', 'workdir', 'chdir', 'cwd', 'dir'];
const SHELL = 'shell';

/** Reports a step of a workflow or a playbook: a command line, or an action of its own. */
export function isWorkflowStep(step: JsonObject, route: Route, reading: Reading): boolean {
  if (Object.keys(step).some(reading.isCommand)) return false;
  return isForeignAction(step, route, reading) || isCommandLine(step, route, reading);
}

/** `uses: actions/checkout@v4` */
function isForeignAction(step: JsonObject, route: Route, { source, report }: Reading): boolean {
  const { uses } = step;
  if (typeof uses !== 'string' || !/^(?:[\w.-]+\/[\w./-]+@[\w./-]+|docker:\/\/.+)$/.test(uses)) return false;
  const at = { source, route: [...route, 'uses'], part: 'value' } as const;
  const operations = [{ kind: 'remove', route }] as const;
  const fixes: readonly Fix[] =
    typeof route.at(-1) === 'number' ? [{ title: 'leave it out', safety: 'unsafe', operations }] : [];
  report(d.foreignAction({ at, name: uses, fixes }));
  return true;
}

/** `run: npm ci` */
function isCommandLine(step: JsonObject, route: Route, { source, report, isCommand }: Reading): boolean {
  const key = LINES.find((each) => typeof step[each] === 'string');
  // A command of ours as a value is told otherwise.
  if (key === undefined || /^(?:WR|AT|FA)_/.test(String(step[key])) || isCommand(String(step[key]))) return false;
  const value = asAction(key, step);
  const at = { source, route: [...route, key], part: 'key' } as const;
  const title = `write it as FA_run_shell: …`;
  // Comments between the keys are lost.
  const operations = [{ kind: 'replace', route, value: value ?? null }] as const;
  report(d.commandLineAsStep({ at, key, fixes: value === undefined ? [] : [{ title, safety: 'unsafe', operations }] }));
  return true;
}

/** The step in our words; undefined where something beside the line has no counterpart. */
function asAction(key: string, step: JsonObject): JsonObject | undefined {
  const line = String(step[key]).trim();
  const shell = key === SHELL ? undefined : step[SHELL];
  const parameters: Record<string, Json> = { command: words(line, typeof shell === 'string' ? shell : 'bash') };
  const { options, others } = optionsCarried(step, [key, SHELL]);
  for (const other of others) {
    if (!FOLDERS.includes(other)) return undefined;
    parameters['cwd'] = step[other] ?? null;
  }
  return { FA_run_shell: parameters, ...options };
}

/** The words of a line that needs no shell; else the shell with the line. */
export function words(line: string, shell: string): readonly string[] {
  const isPlain = /^[\w./:=@%+,-]+(?: +[\w./:=@%+,-]+)*$/.test(line);
  return isPlain ? line.split(/ +/) : [shell, '-c', line];
}
