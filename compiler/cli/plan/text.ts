import { printableLine } from '#grammar/source/printable.ts';
import { printReference } from '#grammar/reference/print.ts';
import { foldValue, isBlock } from '#schemas/types/fold-value.ts';
import type { Node, Order, Plan, Unit, Value } from '#schemas/types/plan.ts';

/** The plan as people read it: units in order, steps with their arguments filled. */
export function planText(plan: Plan): string {
  return plan.units.map((unit) => `${linesOf(unit).map(printableLine).join('\n')}\n`).join('\n');
}

function linesOf(unit: Unit): readonly string[] {
  const lines = [unit.name === undefined ? unit.source : `${unit.source}  ${unit.name}`];
  if (unit.after.length > 0) lines.push(`  after ${unit.after.join(', ')}`);
  for (const input of unit.inputs)
    lines.push(
      `  input ${input.name}${input.default === undefined ? '' : ` = ${input.secret ? '***' : JSON.stringify(input.default)}`}`,
    );
  if (unit.rows) lines.push(`  for each row of ${unit.rows.path}`);
  lines.push(...needsLines(unit));
  // Not as arguments of one call: there may be more steps than a call takes.
  const steps = (title: string, nodes: readonly Node[]): readonly string[] =>
    [`  ${title}`].concat(nodes.flatMap((node) => nodeLines(node, unit, '    ')));
  return [
    ...lines,
    ...(unit.setup.length > 0 ? steps('setup', unit.setup) : []),
    ...steps(`body, ${orderText(unit.order)}`, unit.body),
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

export function orderText(order: Order): string {
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

function nodeLines(node: Node, unit: Unit, indent: string): string[] {
  const id = node.id.startsWith(unit.source) ? node.id.slice(unit.source.length) : node.id;
  const name = node.name === undefined ? '' : `  "${node.name}"`;
  let lines = [`${indent}${id}  ${node.command}${name}`];
  if (node.after && node.after.length > 0) lines.push(`${indent}  after ${node.after.join(', ')}`);
  if (node.when) lines.push(`${indent}  when ${node.when.source}`);
  for (const [parameter, value] of Object.entries(node.args)) {
    if (isBlock(value))
      lines = lines.concat(
        `${indent}  ${parameter}:`,
        value.block.flatMap((inner) => nodeLines(inner, unit, `${indent}    `)),
      );
    else lines.push(`${indent}  ${parameter} = ${valueText(value)}`);
  }
  for (const condition of node.expect ?? []) lines.push(`${indent}  expect ${condition.source}`);
  for (const capture of node.save_as ?? []) lines.push(`${indent}  save ${capture.name}`);
  return lines;
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
    block: (nodes) => `${nodes.length} steps`,
  });
}
