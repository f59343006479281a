import { printableLine } from '#grammar/source/printable.ts';
import { printReference } from '#grammar/reference/print.ts';
import { addAll } from '#grammar/source/add-all.ts';
import { foldValue, isBlock } from '#schemas/types/fold-value.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Node, Order, Plan, Unit, Value } from '#schemas/types/plan.ts';
import { counted } from '#grammar/source/counted.ts';
import type { DefaultsOf } from '#compiler/engine/defaults.ts';

import { KnownVariables } from './known-variables.ts';

/**
 * The plan as people read it: units in order, steps with their arguments. Those that `defaultsOf` gives are left out.
 */
export function planText(plan: Plan, defaultsOf?: DefaultsOf): string {
  return plan.units.map((unit) => `${linesOf(unit, plan, defaultsOf).map(printableLine).join('\n')}\n`).join('\n');
}

/** Input of the lines of steps. */
interface Printing {
  readonly unit: Unit;
  readonly defaultsOf: DefaultsOf | undefined;
  readonly known: KnownVariables;
}

function linesOf(unit: Unit, { commands }: Plan, defaultsOf: DefaultsOf | undefined): readonly string[] {
  const lines = [unit.name === undefined ? unit.source : `${unit.source}  ${unit.name}`];
  if (unit.locks) lines.push(`  locks ${unit.locks.join(', ')}`);
  if (unit.after.length > 0) lines.push(`  after ${unit.after.join(', ')}`);
  for (const input of unit.inputs)
    lines.push(
      `  input ${input.name}${input.default === undefined ? '' : ` = ${input.secret && input.default !== null ? '***' : JSON.stringify(input.default)}`}`,
    );
  if (unit.rows) lines.push(`  for each row of ${unit.rows.path}`);
  addAll(lines, needsLines(unit));
  const known = new KnownVariables(commands);
  // Not as arguments of one call: there may be more steps than a call takes.
  const steps = (title: string, nodes: readonly Node[], isOrdered = true): readonly string[] => {
    const printing = { unit, defaultsOf, known: isOrdered ? known : new KnownVariables({}) };
    const printed = [`  ${title}`].concat(nodes.flatMap((node) => nodeLines(node, printing, '    ')));
    // Variables that branches of a graph set are not followed.
    if (!isOrdered) known.forget(nodes);
    return printed;
  };
  return [
    ...lines,
    ...(unit.setup.length > 0 ? steps('setup', unit.setup) : []),
    ...steps(`body, ${orderText(unit.order)}`, unit.body, unit.order.kind === 'list'),
    ...(unit.teardown.length > 0 ? steps('teardown', unit.teardown) : []),
  ];
}

function needsLines({ needs }: Unit): string[] {
  const shown = [
    ['effects', needs.effects],
    ['gates', needs.gates],
    ['environment', needs.env],
    ['files', needs.files],
    ['hosts', needs.hosts],
    ['packages', needs.packages],
  ] as const;
  return shown.flatMap(([name, values]) => (values.length === 0 ? [] : [`  ${name}: ${values.join(', ')}`]));
}

function orderText(order: Order): string {
  if (order.kind === 'list')
    return order.on_failure === 'stop'
      ? 'in order; a failure skips the rest'
      : 'in order; the rest runs after a failure';
  const failed = {
    'skip-dependents': 'a failure skips what depends on it',
    'run-dependents': 'a failure skips nothing',
    stop: 'a failure lets nothing more begin',
  }[order.failed];
  return `as a graph, ${order.max_workers} at once; ${failed}`;
}

function nodeLines(node: Node, printing: Printing, indent: string): string[] {
  const { unit, known } = printing;
  const defaults = printing.defaultsOf?.(node.command) ?? {};
  const id = node.id.startsWith(unit.source) ? node.id.slice(unit.source.length) : node.id;
  const name = node.name === undefined ? '' : `  "${node.name}"`;
  let lines = [`${indent}${id}  ${node.command}${name}`];
  if (node.after && node.after.length > 0) lines.push(`${indent}  after ${node.after.join(', ')}`);
  if (node.when) lines.push(`${indent}  when ${node.when.source}`);
  if ('condition' in node) lines.push(`${indent}  ${node.kind} ${node.condition.source}`);
  if (node.kind === 'for_each') lines.push(`${indent}  as ${node.as}${node.branches ? ', in branches' : ''}`);
  if (node.kind === 'use') lines.push(`${indent}  file ${node.source}`);
  for (const [parameter, value] of Object.entries(node.args)) {
    if (isBlock(value))
      lines = lines.concat(
        `${indent}  ${parameter}:`,
        value.block.flatMap((inner) => nodeLines(inner, { ...printing, known: known.copy() }, `${indent}    `)),
      );
    else if (!isDefault(value, defaults[parameter])) {
      const meant = known.resolved(value);
      lines.push(
        `${indent}  ${parameter} = ${valueText(value)}${meant === undefined ? '' : `  (${JSON.stringify(meant)})`}`,
      );
    }
  }
  if (node.kind === 'for_each' && node.collect) lines.push(`${indent}  collect ${valueText(node.collect)}`);
  if (node.kind === 'use' && node.returns) lines.push(`${indent}  returns ${valueText(node.returns)}`);
  for (const condition of node.expect ?? []) lines.push(`${indent}  expect ${condition.source}`);
  for (const capture of node.save_as ?? []) lines.push(`${indent}  save ${capture.name}`);
  known.pass(node);
  return lines;
}

function isDefault(value: Value, written: Json | undefined): boolean {
  return written !== undefined && 'lit' in value && JSON.stringify(value.lit) === JSON.stringify(written);
}

/** A plan value as it was written, on one line. */
export function valueText(value: Value): string {
  return foldValue<string>(value, {
    lit: (literal) => JSON.stringify(literal),
    text: (pieces) =>
      JSON.stringify(pieces.map((piece) => (typeof piece === 'string' ? piece : printReference(piece))).join('')),
    ref: printReference,
    list: (parts) => `[${parts.join(', ')}]`,
    map: (entries) => `{${entries.map(([key, part]) => `${JSON.stringify(key)}: ${part}`).join(', ')}}`,
    block: (nodes) => counted(nodes.length, 'step'),
  });
}
