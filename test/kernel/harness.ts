import { unitWith } from '#compiler/engine/unit-with.ts';
import { memoryHost, type MemoryHost, type MemoryHostOptions } from '#runtime/hosts/memory.ts';
import type { RunEvent, RunOutcome } from '#runtime/kernel/events.ts';
import { blocks } from '#runtime/kernel/blocks.ts';
import { controls } from '#runtime/kernel/control/controls.ts';
import { runGraph } from '#runtime/kernel/graph.ts';
import type { RunOptions } from '#runtime/kernel/options.ts';
import type { Base, Ports } from '#runtime/kernel/ports.ts';
import type { Implementation } from '#runtime/kernel/linked.ts';
import type { Parts, Program } from '#runtime/kernel/program.ts';
import { start } from '#runtime/kernel/run.ts';
import { checkSchema } from '#runtime/kernel/values/check-schema.ts';
import { values } from '#runtime/kernel/values/values.ts';
import type { CommandFacts } from '#schemas/types/command.ts';
import type { Condition, ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Json } from '#schemas/types/json.ts';
import type { CallNode, Node, Unit, Value } from '#schemas/types/plan.ts';
import type { RunRecord } from '#schemas/types/record.ts';
import type { Ref } from '#schemas/types/reference.ts';

/** Context of a test's command: every port of the kernel. */
export type TestContext = Base &
  Pick<Ports, 'variables' | 'files' | 'clock' | 'environment' | 'references' | 'records' | 'gates'>;
type TestCommand = (params: { readonly [name: string]: never }, ctx: TestContext) => unknown;

export interface TestCommands {
  readonly [name: string]: TestCommand | (Partial<CommandFacts> & { readonly does: TestCommand });
}

/** Commands that every test has. */
const common: TestCommands = {
  SET: { effects: ['state'], does: ({ name, value }, ctx) => void ctx.variables.set(String(name), value ?? null) },
  GET: ({ value }) => value,
  FAIL: ({ text }) => {
    throw new Error(text ?? 'it failed');
  },
  SLEEP: ({ ms }, ctx) => ctx.clock.sleep(ms ?? 0, ctx.signal),
};

const needs: readonly string[] = ['variables', 'files', 'clock', 'environment', 'references', 'records', 'gates'];

export interface Case {
  readonly commands?: TestCommands;
  readonly units?: readonly Partial<Unit>[];
  readonly unit?: Partial<Unit>;
  readonly body?: readonly Node[];
  readonly options?: Partial<RunOptions>;
  readonly host?: MemoryHostOptions;
  readonly program?: Partial<Program>;
  readonly parts?: Parts;
  /** Files that are there before the run. */
  readonly files?: Readonly<Record<string, string>>;
  /** Called when the run has begun; time stands still until it resolves. */
  readonly meanwhile?: (run: {
    stop(reason: string): void;
    readonly host: MemoryHost;
    readonly records: readonly RunRecord[];
  }) => Promise<void>;
}

export interface Ran {
  readonly outcome: RunOutcome;
  readonly records: readonly RunRecord[];
  readonly events: readonly RunEvent[];
  readonly host: MemoryHost;
  /** `id status`, or `id skipped: reason`. */
  readonly lines: readonly string[];
  of(id: string): RunRecord;
}

/** Runs plan nodes in a memory host whose clock moves on whenever nothing else can happen. */
export async function runCase(test: Case): Promise<Ran> {
  const host = memoryHost(test.host);
  for (const [path, text] of Object.entries(test.files ?? {})) await host.files.write(path, text, { parents: true });
  const records: RunRecord[] = [];
  const events: RunEvent[] = [];
  const run = start(
    programOf(test),
    {
      root: '/work',
      run: 'r1',
      records: {
        add: (record) => void records.push(structuredClone(record)),
        flush: () => undefined,
        close: () => undefined,
      },
      reporters: [{ event: (event) => void events.push(event) }],
      ...test.options,
    },
    host,
  );
  await test.meanwhile?.({ stop: (reason) => run.stop(reason), host, records });
  const outcome = await host.clock.run(run.outcome);
  return {
    outcome,
    records,
    events,
    host,
    lines: records.map(
      ({ id, row, occurrence, status, reason }) =>
        `${id}${row === undefined ? '' : ` row ${row}`}${occurrence === undefined ? '' : ` again ${occurrence}`} ${status}${reason === undefined ? '' : `: ${reason}`}`,
    ),
    of: (id) => {
      const found = records.find((record) => record.id === id);
      if (!found) throw new Error(`no record of ${id}`);
      return found;
    },
  };
}

function programOf({ commands = {}, unit = {}, units = [unit], body, program, parts }: Case): Program {
  const all = { ...common, ...commands };
  const facts: Record<string, CommandFacts> = {};
  const implementations: Record<string, () => Implementation> = {};
  for (const [name, entry] of Object.entries(all)) {
    const { does, ...given } = typeof entry === 'function' ? { does: entry } : entry;
    facts[name] = { effects: ['pure'], needs, repeat: 'idempotent', ...given };
    implementations[name] = () => does as unknown as Implementation;
  }
  return {
    plan: {
      version: 1,
      commands: facts,
      units: units.map((part, index) => unitOf({ ...(index === 0 && body && { body }), ...part })),
    },
    hash: 'h',
    places: {},
    commands: implementations,
    ports: {},
    validators: {},
    settings: { gates: {} },
    parts: {
      values: () => values,
      blocks: () => blocks,
      controls: () => controls,
      graph: () => runGraph,
      inputs: () => checkSchema,
      ...parts,
    },
    ...program,
  };
}

function unitOf(part: Partial<Unit>): Unit {
  const ports = ['references', 'records', 'environment'];
  return unitWith({ source: 'a.yaml', ...part, needs: { ...unitWith().needs, ports, ...part.needs } });
}

/** A node; arguments that are not plan values yet are literals. */
export function node(
  id: string,
  command: string,
  args: Readonly<Record<string, Value | Json>> = {},
  options: Partial<CallNode> = {},
): CallNode {
  return {
    id: id.includes('#') ? id : `a.yaml#${id}`,
    command,
    args: Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, isValue(value) ? value : { lit: value }]),
    ),
    ...options,
  };
}

function isValue(value: Value | Json): value is Value {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.keys(value).length > 0 &&
    Object.keys(value).every((key) => ['lit', 'text', 'ref', 'list', 'map', 'block', 'as'].includes(key))
  );
}

/** `{{name.path}}`. */
export function variable(name: string, ...path: (string | number)[]): Ref {
  return { ns: 'var', name, ...(path.length > 0 && { path }) };
}

/** A condition that compares a path with a literal. */
export function compares(
  ref: Ref,
  operator: '==' | '!=' | '<' | '<=' | '>' | '>=',
  value: string | number | boolean | null,
): Condition {
  const tree: ConditionTree = {
    kind: 'compare',
    operator,
    left: { kind: 'reference', ref },
    right: { kind: 'literal', value },
  };
  return { source: `${[ref.name, ...(ref.path ?? [])].join('.')} ${operator} ${JSON.stringify(value)}`, tree };
}
