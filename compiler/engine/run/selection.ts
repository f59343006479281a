import { matchesTags, tagsIn, type TagFilter } from '#grammar/tag-filter/parse.ts';
import type { Shard } from '#grammar/shard/ast.ts';
import { partition } from '#grammar/shard/partition.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { Node, Unit } from '#schemas/types/plan.ts';
import { blocksOf, everyNode } from '#schemas/types/walk-nodes.ts';

import { neededSteps, pruned, type Asked } from './needed-steps.ts';

/** Files and steps that a run is asked for. */
export interface Selection {
  /** Filters of which one is enough; none: everything. */
  readonly tags: readonly TagFilter[];
  readonly excluded: readonly TagFilter[];
  readonly grep?: string;
  /** Values that keys of a matrix may have, as ids name them or as text. */
  readonly matrix?: Readonly<Record<string, readonly string[]>>;
  readonly shard?: Shard;
  /** Sources that failed last time. */
  readonly lastFailed?: ReadonlySet<string>;
  readonly withDependencies: boolean;
}

export interface Selected {
  /** Units in plan order. */
  readonly units: readonly Unit[];
  /** Sources among them that were selected themselves, not only needed by others. */
  readonly chosen: ReadonlySet<string>;
  /** Steps of bodies that run, those inside others too; absent: all. The units hold no others inside steps. */
  readonly steps?: (unit: Unit, node: Node) => boolean;
}

/**
 * Narrows a plan's units to those that were asked for. A file is selected by its own tags, path or name, else
 * by its steps that match; a shard deals out the files that were listed; dependencies come along.
 */
export function select(
  units: readonly Unit[],
  listed: ReadonlySet<string>,
  selection: Selection,
  sha1: (text: string) => string,
): Selected {
  const wanted = units.filter((unit) => listed.has(unit.source) && isSelected(unit, selection));
  const sharded = selection.shard
    ? new Set(
        partition(
          wanted.map((unit) => unit.source),
          selection.shard,
          sha1,
        ),
      )
    : undefined;
  const chosen = new Set(wanted.map((unit) => unit.source).filter((source) => sharded?.has(source) ?? true));
  const kept = selection.withDependencies ? withDependencies(units, chosen) : chosen;
  const steps = stepFilter(selection, chosen);
  return {
    units: units
      .filter((unit) => kept.has(unit.source))
      .map((unit) => ({
        ...unit,
        ...(steps && { body: unit.body.map((node) => withChosen(node, (inner) => steps(unit, inner))) }),
        after: unit.after.filter((source) => kept.has(source)),
      })),
    chosen,
    ...(steps && { steps }),
  };
}

function isSelected(unit: Unit, { tags, excluded, grep, lastFailed, matrix }: Selection): boolean {
  if (lastFailed && !lastFailed.has(unit.source)) return false;
  if (isTagged(unit.tags, excluded)) return false;
  if (!isInMatrix(unit, matrix)) return false;
  const byTag =
    tags.length === 0 ||
    isTagged(unit.tags, tags) ||
    hasStep(unit, (node, around) => isTagged(tagsOf(unit, node, around), tags));
  const byText = grep === undefined || fileHasText(unit, grep) || hasStep(unit, (node) => hasText(node, grep));
  return byTag && byText;
}

function isInMatrix(unit: Unit, wanted: Selection['matrix'] = {}): boolean {
  return Object.entries(wanted).every(([key, values]) => namesOf(unit, key).some((name) => values.includes(name)));
}

/** Names of a key's value in the combination of a unit: in its id, and as text; none where it has no such key. */
function namesOf({ source, matrix = {} }: Unit, key: string): readonly string[] {
  const value = Object.hasOwn(matrix, key) ? matrix[key] : undefined;
  if (value === undefined) return [];
  const pairs = source.slice(source.lastIndexOf('[') + 1, -1).split(',');
  const named = pairs.find((pair) => pair.startsWith(`${key}=`))?.slice(key.length + 1);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return named === undefined || named === text ? [text] : [named, text];
}

/** The first tag of filters that no unit and no step of one has, with those that there are. */
export function tagMiss(
  units: readonly Unit[],
  filters: readonly TagFilter[],
): { readonly name: string; readonly known: readonly string[] } | undefined {
  const wanted = filters.flatMap(tagsIn);
  if (wanted.length === 0) return undefined;
  const known = new Set(
    units.flatMap(({ tags, body }) => [...tags, ...everyNode(body).flatMap((node) => node.tags ?? [])]),
  );
  const name = wanted.find((each) => !known.has(each));
  return name === undefined ? undefined : { name, known: [...known].toSorted() };
}

/** A key of a matrix, or a value of one, that no unit has, and those that there are. */
export function matrixMiss(
  units: readonly Unit[],
  wanted: Selection['matrix'] = {},
): { readonly key: string; readonly value?: string; readonly known: readonly string[] } | undefined {
  const keys = [...new Set(units.flatMap(({ matrix = {} }) => Object.keys(matrix)))];
  for (const [key, values] of Object.entries(wanted)) {
    if (!keys.includes(key)) return { key, known: keys };
    const known = units.flatMap((unit) => namesOf(unit, key));
    const value = values.find((each) => !known.includes(each));
    if (value !== undefined)
      return { key, value, known: [...new Set(units.flatMap((unit) => namesOf(unit, key).slice(0, 1)))] };
  }
  return undefined;
}

/**
 * Filter of steps: in files that match only by steps, those run with what they need; steps with an excluded tag
 * never do.
 */
function stepFilter(selection: Selection, chosen: ReadonlySet<string>): Selected['steps'] {
  const { tags, excluded, grep } = selection;
  if (tags.length === 0 && excluded.length === 0 && grep === undefined) return undefined;
  const needed = new Map<SourceId, ReadonlySet<string>>();
  return (unit, node) => {
    if (!chosen.has(unit.source)) return true;
    let ids = needed.get(unit.source);
    if (!ids)
      needed.set(
        unit.source,
        (ids = neededSteps(
          unit,
          (each, around) => isWanted(unit, each, around, selection),
          (each, around) => isTagged(tagsOf(unit, each, around), excluded),
        )),
      );
    return ids.has(node.id);
  };
}

/** Whether a step of the body, or one inside, is like that. */
function hasStep({ body }: Unit, is: Asked): boolean {
  const look = (nodes: readonly Node[], around: readonly Node[]): boolean =>
    nodes.some((node) => is(node, around) || blocksOf(node).some((block) => look(block.nodes, [...around, node])));
  return look(body, []);
}

/** A step without those inside that were not chosen. */
function withChosen(node: Node, isChosen: (node: Node) => boolean): Node {
  const chosen = new Set(
    everyNode([node])
      .filter(isChosen)
      .map(({ id }) => id),
  );
  return pruned([node], (id) => id === node.id || chosen.has(id))[0] ?? node;
}

function isWanted(unit: Unit, node: Node, around: readonly Node[], { tags, grep }: Selection): boolean {
  const byTag = tags.length === 0 || isTagged(unit.tags, tags) || isTagged(tagsOf(unit, node, around), tags);
  return byTag && (grep === undefined || fileHasText(unit, grep) || hasText(node, grep));
}

function isTagged(tags: readonly string[], filters: readonly TagFilter[]): boolean {
  const set = new Set(tags);
  return filters.some((filter) => matchesTags(filter, set));
}

/**
 * A step has its file's tags, those of the steps around it and its own, so that `!slow` leaves out all of a slow file.
 */
function tagsOf(unit: Unit, node: Node, around: readonly Node[]): readonly string[] {
  const tagged = [...around, node].filter(({ tags }) => tags !== undefined);
  return tagged.length === 0 ? unit.tags : [...unit.tags, ...tagged.flatMap(({ tags = [] }) => tags)];
}

function fileHasText(unit: Unit, text: string): boolean {
  return unit.source.includes(text) || unit.name?.includes(text) === true;
}

function hasText(node: Node, text: string): boolean {
  return node.name?.includes(text) === true || node.id.slice(node.id.indexOf('#') + 1).includes(text);
}

function withDependencies(units: readonly Unit[], chosen: ReadonlySet<string>): ReadonlySet<string> {
  const bySource = new Map(units.map((unit) => [unit.source, unit]));
  const kept = new Set<string>();
  const waiting = [...chosen];
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    if (kept.has(source)) continue;
    kept.add(source);
    addAll(waiting, bySource.get(source)?.after ?? []);
  }
  return kept;
}
