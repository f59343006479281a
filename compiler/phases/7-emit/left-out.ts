import { literalOf } from '#schemas/types/fold-value.ts';
import type { LeftOut } from '#schemas/types/left-out.ts';
import type { Node, Plan } from '#schemas/types/plan.ts';

import type { LinkSet } from './entry.ts';
import type { Library } from './library.ts';

/** Facts about a plan that are known when the parts are chosen that its program is linked without. */
export interface Linking extends Pick<LinkSet, 'commands' | 'ports' | 'parts' | 'around' | 'reporters'> {
  /** Steps of all lists, those inside arguments too. */
  readonly steps: readonly Node[];
  /** One line a step, for debuggers. */
  readonly debug: boolean;
}

/**
 * The small parts that a plan's program does without, sorted. Where code of others runs, nothing that it could need is
 * among them.
 */
export function leftOutOf(plan: Plan, linking: Linking, library: Library): readonly LeftOut[] {
  const { commands, ports, parts, around, reporters, steps } = linking;
  const isOpen =
    around.includes('pinned') || parts.includes('compile') || parts.includes('modules') || ports.includes('modules');
  // Those of the kernel too, which providers may ask for.
  const needs = new Set([
    ...plan.units.flatMap((unit) => unit.needs.ports),
    ...ports.flatMap((port) => library.ports[port]?.needs ?? []),
  ]);
  const asked = new Set([
    ...commands.flatMap((name) => library.asks.commands[name] ?? []),
    ...ports.flatMap((name) => library.asks.ports[name] ?? []),
  ]);
  const fills = parts.includes('values');
  const hasEnvironment = isOpen || fills || needs.has('environment');
  const reads = isOpen || hasEnvironment || asked.has('withoutReading');
  const is: Readonly<Record<LeftOut, boolean>> = {
    withoutAnswers: !isOpen && !needs.has('http'),
    withoutChance: !isOpen && !needs.has('chance'),
    withoutControls: !parts.includes('controls'),
    withoutDigests: !isOpen && !asked.has('withoutDigests') && !needs.has('digests'),
    withoutEncodings: !isOpen && !isSomeLinked('withoutEncodings', linking, library),
    withoutEnvironment: !hasEnvironment,
    withoutEvidence: !['allure', 'html'].some((name) => reporters.includes(name)),
    withoutExcerpts: !isOpen && !asked.has('withoutExcerpts'),
    withoutFolders: !reporters.includes('allure'),
    withoutForeignCode: !isOpen,
    withoutForms:
      !reads &&
      !parts.includes('rows') &&
      !asked.has('withoutForms') &&
      Object.values(plan.commands).every(({ secret }) => secret === undefined) &&
      effectsOf(plan).every((effect) => quiet.has(effect)),
    withoutGraphs: !parts.includes('graph'),
    withoutHooks: !isOpen && !asked.has('withoutHooks'),
    withoutJobs: !isOpen && !asked.has('withoutJobs'),
    withoutLines: !isOpen && !asked.has('withoutLines'),
    withoutLists: !isOpen && !parts.includes('blocks'),
    withoutLocks: !parts.includes('locks'),
    withoutMatrix: !isOpen && plan.units.every(({ matrix }) => matrix === undefined),
    withoutMoreUnits: plan.units.length === 1,
    withoutObservers: !isOpen && !asked.has('withoutObservers'),
    withoutPreviews: !isOpen && Object.values(plan.commands).every(({ preview }) => preview === undefined),
    withoutReading: !reads,
    withoutRetries:
      !isOpen &&
      !parts.includes('blocks') &&
      !asked.has('withoutHooks') &&
      steps.every(({ retry }) => retry === undefined),
    withoutRows: !parts.includes('rows') && !asked.has('withoutRows'),
    withoutSelection: true,
    withoutSnapshots: !isOpen && !needs.has('snapshots'),
    withoutStated: plan.units.every(({ order }) => order.kind !== 'list' || order.stated === undefined),
    withoutStepSummary: !reporters.includes('github'),
    withoutStops: !linking.debug,
    withoutStorage: !isOpen && !needs.has('storage'),
    withoutTransfers: !isOpen && !isSomeLinked('withoutTransfers', linking, library),
    withoutVariables:
      !isOpen &&
      !fills &&
      // Rows and branches have variables of their own.
      !parts.some((part) => ['blocks', 'controls', 'graph', 'rows'].includes(part)) &&
      !['variables', 'references'].some((port) => needs.has(port)) &&
      steps.every(({ provides, uses, after }) => !provides && !uses && !after),
    withoutVerbose: true,
    withoutVerdicts: !isOpen && Object.values(plan.commands).every(({ verdict }) => verdict === undefined),
    withoutWriteObservers: !isOpen && !asked.has('withoutWriteObservers'),
  };
  return (Object.keys(is) as LeftOut[]).filter((name) => is[name]).toSorted();
}

/** Effects of commands that show nothing but what their file says, where they do not read either. */
const quiet: ReadonlySet<string> = new Set(['pure', 'state', 'clock', 'fs-read', 'fs-write']);

function effectsOf(plan: Plan): readonly string[] {
  return plan.units.flatMap(({ needs }) => needs.effects);
}

/**
 * Whether a command asks for a part itself or by a port, unless all its calls leave the parameter alone that decides
 * about it.
 */
function isSomeLinked(part: LeftOut, { commands, ports, steps }: Linking, library: Library): boolean {
  const { asks, decides } = library;
  const asking = ports.filter((port) => asks.ports[port]?.includes(part));
  // No parameter tells what another provider asks of it.
  if (asking.some((port) => ports.some((other) => library.ports[other]?.needs.includes(port)))) return true;
  return commands.some((command) => {
    if (!asks.commands[command]?.includes(part) && !library.needs[command]?.some((need) => asking.includes(need)))
      return false;
    const parameter = decides[command]?.[part];
    return parameter === undefined || steps.some((step) => step.command === command && !isDefault(step, parameter));
  });
}

function isDefault(
  { args }: Node,
  { name, value: wanted }: { readonly name: string; readonly value: unknown },
): boolean {
  const value = args[name];
  return value === undefined || literalOf(value) === wanted;
}
