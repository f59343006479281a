/// <reference lib="esnext.disposable" preserve="true" />
import { catalogue } from '#compiler/catalogue.ts';
import { yieldTurn } from '#runtime/hosts/node/threads/yield-turn.ts';
import { remoteGates } from '#runtime/kernel/guard.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { StepObserver } from '#runtime/kernel/step-observer.ts';
import type { AccessList } from '#runtime/servers/access-list.ts';
import type {
  ActionAnswer,
  ActionCalls,
  CallOptions,
  CallsAround,
  ServedCommand,
} from '#runtime/servers/action-calls.ts';
import type { CommandInfo } from '#schemas/types/command.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { stepResult, type StepResult } from '#stdlib/files/step-results.ts';

import { commonOfUnits, type CommonOfUnits } from '../lists/common-of-units.ts';
import { actionItems } from './action-items.ts';
import { openUnit, type OpenUnit, type UnitOptions } from '../unit-session.ts';
import { confinedHost } from './confined-host.ts';
import { JobsOfCalls, type JoinedJobs } from './joined-jobs.ts';

/** Calls of servers: each list runs in a unit of its own, which stays for the watches and schedules that it began. */
export function actionCalls(given: CallsAround): ActionCalls {
  const { root, outside } = given;
  const { host, guard: confined } =
    outside === 'anywhere' ? { host: given.host, guard: undefined } : confinedHost(given.host, [root, ...outside]);
  // Thousands of short steps one after the other would let nobody else have a turn.
  const guard: NonNullable<UnitOptions['guard']> = async (command, args) => {
    await yieldTurn();
    await confined?.(command, args);
  };
  // Every unit reads the whole environment, which is slow where it is that of the process itself, and has a name.
  const around = {
    ...given,
    host: { ...host, env: { ...host.env }, random: { ...host.random, uuid: () => crypto.randomUUID() } },
  };
  const settings = { ...given.settings, gates: remoteGates, environment_closed: !given.environment };
  const common = commonOfUnits(around.host, settings);
  const calling: Calling = { around, guard, staying: new Map(), jobs: new WeakMap(), common, settings };
  let commands: Promise<readonly ServedCommand[]> | undefined;
  return {
    commands: () => (commands ??= servedCommands()),
    run: (actions, options) => run(actions, options, calling),
    transfers: () => around.progress.list(),
    jobs: () => [...calling.staying.values()].flatMap((joined) => joined.own()),
    metrics: () => around.metrics.render(),
    close: async () => {
      await Promise.all([...calling.staying.keys()].map((unit) => unit.close()));
      common.threads.close();
    },
  };
}

interface Calling {
  readonly around: CallsAround;
  readonly guard: NonNullable<UnitOptions['guard']>;
  /** Units whose jobs go on, and these among the jobs of all. */
  readonly staying: Map<OpenUnit, JoinedJobs>;
  /** Jobs of each caller, who is known by its access list: others are not told what became of them. */
  readonly jobs: WeakMap<AccessList, JobsOfCalls>;
  readonly common: CommonOfUnits;
  readonly settings: Partial<Settings>;
}

/** All names are known before the first action runs; what arrives as data later on is held to the same access list. */
async function run(
  actions: Json,
  { access, signal, dryRun = false }: CallOptions,
  { around, guard, staying, jobs, common, settings }: Calling,
): Promise<ActionAnswer> {
  const { host, root, progress } = around;
  const own = jobs.get(access) ?? new JobsOfCalls();
  jobs.set(access, own);
  const joined = own.join();
  const unit = await openUnit({
    host,
    root,
    signal,
    progress,
    jobs: joined,
    settings,
    unit: { source: 'call' },
    observers: [counting(around)],
    allows: (command) => access.allows(command),
    guard,
    common,
  });
  try {
    const list = await unit.list(actions);
    const results = (await list.run({ dry: dryRun })).map(stepResult);
    return { ...answerOf(results, actionItems(actions)), commands: list.commands };
  } finally {
    if (unit.work.jobs.size > 0) stay(unit, joined, staying);
    else await unit.close().finally(() => joined.leave());
  }
}

/** Keeps a unit open until what it began has ended. */
function stay(unit: OpenUnit, joined: JoinedJobs, staying: Calling['staying']): void {
  staying.set(unit, joined);
  void unit.settled().then(async () => {
    joined.leave();
    if (staying.delete(unit)) await unit.close();
  });
}

function counting({ metrics }: CallsAround): StepObserver {
  return {
    ended: (_step, { command, status, duration_ms: ms }) => {
      if (status === 'passed' || status === 'failed') metrics.count(command, ms / 1000, status === 'passed');
    },
  };
}

/** Results by the actions as they were given. */
function answerOf(all: readonly StepResult[], items: readonly Json[]): Omit<ActionAnswer, 'commands'> {
  return {
    results: Object.fromEntries(
      all.map((result, index) => [
        `execute[${index}]: ${JSON.stringify(items[index] ?? result.action)}`,
        result as unknown as JsonObject,
      ]),
    ),
    failed: all.filter(({ status }) => status === 'error').length,
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
    aliases: new Map(params.flatMap(({ name: each, aliases = [] }) => aliases.map((alias) => [alias, each] as const))),
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
