/// <reference lib="esnext.disposable" preserve="true" />
import { catalogue } from '#compiler/catalogue.ts';
import { remoteGates } from '#runtime/kernel/guard.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { StepObserver } from '#runtime/kernel/step-observer.ts';
import type {
  ActionAnswer,
  ActionCalls,
  CallOptions,
  CallsAround,
  ServedCommand,
} from '#runtime/servers/action-calls.ts';
import type { CommandInfo } from '#schemas/types/command.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { makeCompileActions } from '../compile-actions.ts';
import { actionItems } from './action-items.ts';
import { openUnit, type OpenUnit } from '../unit-session.ts';

/** The command that runs a list that came from outside. */
const RUN = 'FA_execute_action';

/** What servers run actions by: each list in a unit of its own, which stays for the watches and schedules that it began. */
export function actionCalls(around: CallsAround): ActionCalls {
  const staying = new Set<OpenUnit>();
  let commands: Promise<readonly ServedCommand[]> | undefined;
  return {
    commands: () => (commands ??= servedCommands()),
    run: (actions, options) => run(actions, options, around, staying),
    transfers: () => around.progress.list(),
    metrics: () => around.metrics.render(),
    close: async () => {
      await Promise.all([...staying].map((unit) => unit.close()));
    },
  };
}

async function run(
  actions: Json,
  { access, signal, dryRun = false }: CallOptions,
  around: CallsAround,
  staying: Set<OpenUnit>,
): Promise<ActionAnswer> {
  const { host, root, progress } = around;
  const allows = (command: string): boolean => access.allows(command);
  // All names are known before the first action runs; what arrives as data later on is held to the same list.
  await makeCompileActions(undefined, allows).list(actions, 'call', { host, root, here: root });
  const unit = await openUnit({
    host,
    root,
    signal,
    progress,
    settings: remoteSettings(around.settings),
    unit: { source: 'call' },
    observers: [counting(around)],
    allows: (command) => command === RUN || allows(command),
  });
  try {
    const results = (await unit.call(RUN, { action_list: actions, dry_run: dryRun })) as JsonObject;
    return answerOf(results, actionItems(actions));
  } finally {
    if (unit.work.jobs.size === 0) await unit.close();
    else stay(unit, staying);
  }
}

/** Keeps a unit open until what it began has ended. */
function stay(unit: OpenUnit, staying: Set<OpenUnit>): void {
  staying.add(unit);
  void unit.settled().then(async () => {
    if (staying.delete(unit)) await unit.close();
  });
}

function remoteSettings(settings: Partial<Settings> = {}): Partial<Settings> {
  return { ...settings, gates: remoteGates };
}

function counting({ metrics }: CallsAround): StepObserver {
  return {
    ended: (_step, { command, status, duration_ms: ms }) => {
      if (command !== RUN && (status === 'passed' || status === 'failed'))
        metrics.count(command, ms / 1000, status === 'passed');
    },
  };
}

/** Results by the actions as they were given. */
function answerOf(results: JsonObject, items: readonly Json[]): ActionAnswer {
  const all = Object.values(results) as readonly JsonObject[];
  return {
    results: Object.fromEntries(
      all.map((result, index) => [
        `execute[${index}]: ${JSON.stringify(items[index] ?? result['action'] ?? null)}`,
        result,
      ]),
    ),
    failed: all.filter((result) => result['status'] === 'error').length,
  };
}

/** Commands that run, as servers tell of them. */
export async function servedCommands(): Promise<readonly ServedCommand[]> {
  const implemented = (await catalogue.all()).filter((info) => info.implemented);
  return implemented.map(served).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function served(info: CommandInfo): ServedCommand {
  const { name, summary, params, effects, repeat, needs, gate } = info;
  return {
    name,
    summary,
    effects,
    repeat,
    isPowerful: gate === 'shell' || needs.includes('actionServer'),
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        params.map(({ name: each, schema, about }) => [
          each,
          { ...schema, ...(about !== undefined && { description: about }) },
        ]),
      ),
      required: params.filter(({ required }) => required).map(({ name: each }) => each),
      additionalProperties: false,
    },
  };
}
