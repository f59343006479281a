import { foldValue, type ValueForms } from '#schemas/types/fold-value.ts';
import type { Node, Plan, Unit } from '#schemas/types/plan.ts';
import { conditionsOf, everyNode } from '#schemas/types/walk-nodes.ts';

import type { LinkSet } from './entry.ts';
import { leftOutOf } from './left-out.ts';
import type { AroundName, Library, PartName } from './library.ts';

/** Whether a value is known only at run time. */
const onlyAtRunTime: ValueForms<boolean> = {
  lit: () => false,
  text: () => true,
  ref: () => true,
  list: (parts) => parts.includes(true),
  map: (entries) => entries.some(([, part]) => part),
  block: () => false,
};

export interface LinkOptions {
  /** Reporters beside those of every program. */
  readonly reporters?: readonly string[];
  /** One line a step, for debuggers. */
  readonly debug?: boolean;
}

/**
 * Parts that a plan's program links: its commands, the providers of the ports that they need, validators of
 * those commands alone whose arguments are known only at run time, the parts of the host that all these ask
 * for, and the reporters that were asked for.
 */
export function linkSetOf(plan: Plan, library: Library, options: LinkOptions = {}): LinkSet {
  const steps = plan.units.flatMap(stepsOf);
  const unknown = steps.filter(hasUnknown);
  const called = new Set(unknown.filter(({ kind }) => kind === undefined).map(({ command }) => command));
  // Functions of modules stay outside.
  const isOurs = (command: string): boolean => plan.commands[command]?.module !== true;
  const ports = plan.units.flatMap((unit) => unit.needs.ports).filter((port) => !library.kernelPorts.includes(port));
  const commands = sorted(plan.units.flatMap((unit) => unit.needs.commands).filter(isOurs));
  const linkedPorts = sorted(withTheirNeeds(ports, library));
  const parts = partsOf(plan, steps, unknown.length > 0);
  const around = aroundOf(plan, { commands, ports: linkedPorts, parts }, library);
  const linkedReporters = sorted([...REPORTERS, ...(options.reporters ?? [])]);
  return {
    commands,
    validators: sorted([...called].filter(isOurs)),
    ports: linkedPorts,
    verdicts: sorted(Object.values(plan.commands).flatMap(({ verdict }) => (verdict ? [verdict.message] : []))),
    parts,
    around,
    reporters: linkedReporters,
    leftOut: leftOutOf(
      plan,
      { commands, ports: linkedPorts, parts, around, reporters: linkedReporters, steps, debug: options.debug ?? false },
      library,
    ),
  };
}

/**
 * Reporters of every program: for people, and for machines; the rest are larger, and linked where they are asked for.
 */
const REPORTERS = ['human', 'json'];

/** Parts of the host that the linked modules ask for. Lists that arrive as data may call any command. */
function aroundOf(
  { units }: Plan,
  { commands, ports, parts }: Pick<LinkSet, 'commands' | 'ports' | 'parts'>,
  library: Library,
): readonly AroundName[] {
  const compiles = parts.includes('compile');
  const { asks } = library;
  const asked = new Set([
    ...commands.flatMap((name) => asks.commands[name] ?? []),
    ...ports.flatMap((name) => asks.ports[name] ?? []),
    ...parts.flatMap((name) => asks.parts[name] ?? []),
  ]);
  const is: Readonly<Record<AroundName, boolean>> = {
    bulk: compiles || asked.has('bulk'),
    // `${run.tmp}` is a folder.
    trees: compiles || asked.has('trees') || parts.includes('values'),
    match: parts.includes('values'),
    processes: compiles || asked.has('processes') || units.some((unit) => unit.needs.ports.includes('processes')),
    pinned:
      compiles ||
      units.some(
        ({ needs, modules: used }) => needs.packages.length > 0 || used.length > 0 || needs.ports.includes('modules'),
      ),
  };
  return (Object.keys(is) as AroundName[]).filter((name) => is[name]);
}

function partsOf(plan: Plan, steps: readonly Node[], hasReferences: boolean): readonly PartName[] {
  const { units } = plan;
  const needs = (port: string): boolean => units.some((unit) => unit.needs.ports.includes(port));
  const hasLists = needs('executor') || Object.values(plan.commands).some(({ lists }) => lists !== undefined);
  const usedFiles = steps.filter((node) => node.kind === 'use');
  const parts: Readonly<Record<PartName, boolean>> = {
    values:
      hasReferences ||
      ['references', 'regex', 'executor'].some(needs) ||
      usedFiles.length > 0 ||
      units.some((unit) => unit.inputs.length > 0 || unit.base_url !== undefined) ||
      steps.some(judges),
    blocks: hasLists,
    // Lists that arrive as data may hold any form.
    controls: needs('executor') || steps.some(({ kind }) => kind !== undefined),
    compile: needs('executor'),
    // Lists inside arguments may run at once.
    graph:
      units.some(({ order }) => order.kind === 'graph') ||
      hasLists ||
      usedFiles.some(({ order }) => order.kind === 'graph'),
    inputs: [...units, ...usedFiles].some(({ inputs }) => inputs.length > 0),
    locks: units.some(({ locks }) => locks !== undefined),
    rows: units.some(({ rows }) => rows !== undefined),
    modules: Object.values(plan.commands).some(({ module }) => module),
  };
  return (Object.keys(parts) as PartName[]).filter((name) => parts[name]);
}

/** Steps of all lists of a unit, those inside arguments too. */
function stepsOf({ setup, body, teardown }: Unit): readonly Node[] {
  return everyNode([...setup, ...body, ...teardown]);
}

function judges(node: Node): boolean {
  return conditionsOf(node).length > 0 || node.save_as !== undefined;
}

/** Ports with those that their providers ask for. */
function withTheirNeeds(ports: readonly string[], library: Library): Set<string> {
  const all = new Set<string>();
  const add = (port: string): void => {
    if (all.has(port) || library.kernelPorts.includes(port)) return;
    all.add(port);
    library.ports[port]?.needs.forEach(add);
  };
  ports.forEach(add);
  return all;
}

/** Whether the arguments are known only at run time. */
function hasUnknown({ args }: Node): boolean {
  return Object.values(args).some((value) => foldValue(value, onlyAtRunTime));
}

function sorted(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].toSorted();
}
