import * as fail from '#schemas/generated/failures.ts';
import type { Node, Unit } from '#schemas/types/plan.ts';
import type { ResumePoint } from '#schemas/types/service.ts';
import { eachReferenceOf, everyNode } from '#schemas/types/walk-nodes.ts';
import { counted } from '#grammar/source/counted.ts';

import type { SelectedPart } from './part.ts';

/**
 * The id of the step at which each unit of the named file begins, by its source: more than one where the file has a
 * matrix. Fails where there is no such step, or where what runs needs something that only the steps before it make.
 */
export function resumedAt(
  point: ResumePoint,
  parts: readonly SelectedPart[],
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const refuse = (reason: string): never => {
    const { step, file } = point;
    throw fail.notResumable({ step: `${JSON.stringify(step)}${file === undefined ? '' : ` of ${file}`}`, reason });
  };
  const units = parts.flatMap(({ selected }) => selected.units);
  const chosen = new Set(parts.flatMap(({ selected }) => [...selected.chosen]));
  const own = units.filter(({ source, file = source }) =>
    point.file === undefined ? chosen.has(source) : file === point.file,
  );
  const files = [...new Set(own.map(({ source, file = source }) => file))];
  if (files.length === 0) refuse('the request does not run that file');
  if (files.length > 1) refuse(`it must say in which file, since it runs ${files.length}`);
  const given = Object.keys(variables).map((name) => `variable:${name}`);
  return Object.fromEntries(
    own.map((unit) => {
      const at = placeOf(point, unit, refuse);
      const lost = lostBy(unit, at, given, units);
      if (lost.length > 0) refuse(lost.join('; '));
      return [unit.source, unit.body[at]?.id ?? refuse('there is no such step')];
    }),
  );
}

function placeOf({ step }: ResumePoint, { body, order, rows }: Unit, refuse: (reason: string) => never): number {
  if (order.kind === 'graph') refuse('the file is a graph, in which no step stands before another');
  if (rows) refuse('the file runs once for each row of its data, and which rows are done is not known');
  if (typeof step === 'number')
    return step <= body.length
      ? step - 1
      : refuse(`there ${body.length === 1 ? 'is' : 'are'} ${counted(body.length, 'step')}`);
  const places = body.flatMap((node, index) => (node.name === step || shortId(node.id) === step ? [index] : []));
  const [at] = places;
  if (at === undefined) return refuse('no step of the body has that name or id');
  return places.length === 1 ? at : refuse(`${places.length} steps of the body have that name`);
}

/**
 * Things that the steps to run need of those that are skipped, each as a sentence. One that is made anew before
 * it is needed is not lost.
 */
function lostBy(unit: Unit, at: number, given: readonly string[], units: readonly Unit[]): readonly string[] {
  const skipped = unit.body.slice(0, at);
  const lost = new Map<string, string>();
  for (const node of skipped) for (const made of everyNode([node]).flatMap(madeBy)) lost.set(made, shortId(node.id));
  for (const there of [...everyNode(unit.setup).flatMap(madeBy), ...given]) lost.delete(there);
  for (const { id } of skipped) lost.set(`step:${shortId(id)}`, shortId(id));
  const after = units.filter((other) => other.after.includes(unit.source));
  const running = [...unit.body.slice(at), ...after.flatMap(({ setup, body }) => [...setup, ...body])];
  const found = new Set<string>();
  for (const node of everyNode(running)) {
    for (const need of neededBy(node)) {
      const maker = lost.get(need);
      if (maker !== undefined) found.add(`"${shortId(node.id)}" needs ${told(need)} of "${maker}"`);
    }
    for (const made of madeBy(node)) lost.delete(made);
  }
  return [...found];
}

function madeBy({ provides = [] }: Node): readonly string[] {
  return provides;
}

/** `variable:NAME`, `session:NAME`, `module:PLACE`, and `step:ID` of steps whose results or ends are asked for. */
function neededBy(node: Node): readonly string[] {
  const needs = [...(node.uses ?? []), ...(node.after ?? []).map((id) => `step:${shortId(id)}`)];
  eachReferenceOf(node, ({ ns, name, path = [], default: fallback }, isAsked) => {
    if (ns === 'var' && name === 'steps' && fallback === undefined && !isAsked) needs.push(`step:${String(path[0])}`);
  });
  return needs;
}

function told(need: string): string {
  const [kind = '', name = ''] = need.split(/:(.*)/s);
  return kind === 'step' ? 'the result' : `the ${kind} "${name}"`;
}

function shortId(id: string): string {
  return id.slice(id.indexOf('#') + 1);
}
