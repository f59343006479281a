import { printPath } from '#grammar/reference/print.ts';
import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Label, Report } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Ref } from '#schemas/types/reference.ts';

import { quoted } from '../3-parse/fields.ts';
import { optionRoute, stepRoute, valueAt } from '../3-parse/routes.ts';

import type { ListFacts, Knowledge } from './knowledge.ts';
import type { Call } from './resolved.ts';
import { bareWordMeant, captureMeant, lengthMeant, rewritten, textMeant } from './meant/bare-words.ts';
import { memberMeant, renamedMember } from './meant/member-meant.ts';
import { fieldOfOtherWord, withField, withoutPlace, writtenAt } from './meant/places-of-other-tools.ts';
import { checkResultPath, undeclared, whatIsThere } from './result-fields.ts';
import type { View } from './flow-facts.ts';
import { storedNames } from './stored-names.ts';
import { declarerOf, maybeNoMember, noMember } from './value-type.ts';
import { placesOf, type Gap, type Variable } from './variable.ts';

/** Surroundings of a reference: they decide which names it can see. */
export interface Spot {
  readonly view: View;
  readonly ofList: ListFacts;
  /** Step whose own result is there: in its `expect`. */
  readonly resultOf: Call | undefined;
  /** Whether nothing need be there: in `exists(…)`. */
  readonly isAsked: boolean;
  /** Whether a value that is not there yet is waited for: in the condition of `until`. */
  readonly isWaiting?: boolean;
}

/**
 * Reports what the compiler can know to be missing when the reference is filled; silent where only a run can know.
 * `said` keeps what is told once a file.
 */
export function checkReference(ref: Ref, at: () => Label, spot: Spot, knowledge: Knowledge, said: Set<string>): void {
  switch (ref.ns) {
    case 'var':
      return checkVariable(ref, at, spot, knowledge, said);
    case 'ENV':
    case 'env':
      return checkKey(ref, at, spot, knowledge, said);
    case 'ROW':
      return checkColumn(ref, at, spot, knowledge);
    case 'MATRIX':
      return checkCombination(ref, at, knowledge);
    case 'event':
      if (!spot.ofList.hasEvent && !knowledge.isPart)
        knowledge.report(d.eventOutsideWatch({ at: at(), field: ref.name }));
      else if (ref.name === 'dest' && isNeeded(ref, spot) && spot.ofList.eventKinds?.includes('moved') === false)
        knowledge.report(d.eventWithoutField({ at: at(), field: ref.name, events: quoted(spot.ofList.eventKinds) }));
      return;
    // Secret files are the host's; the others are always there.
    case 'file':
    case 'date':
    case 'uuid':
    case 'run':
    case 'cwd':
    case 'root':
    case 'here':
      return;
  }
}

function checkVariable(ref: Ref, at: () => Label, spot: Spot, knowledge: Knowledge, said: Set<string>): void {
  const { report } = knowledge;
  switch (ref.name) {
    case 'run':
      return checkRun(ref, at, knowledge);
    case 'steps':
      return checkStep(ref, at, spot, knowledge);
    case 'result':
      if (spot.resultOf === undefined) report(d.resultOutsideExpect({ at: at() }));
      else if (isNeeded(ref, spot)) checkResultPath(spot.resultOf, ref.path ?? [], at, knowledge);
      return;
    case 'last_response':
      if (makesResponse(spot.resultOf)) checkOwnResponse(ref, at, spot.resultOf, spot, knowledge);
      else if (!isThere(ref, spot)) report(d.noResponseYet({ at: at() }));
      else checkKnown(ref, at, spot, knowledge, said);
      return;
  }
  if (isThere(ref, spot)) return checkKnown(ref, at, spot, knowledge, said);
  const step = knowledge.ids.get(ref.name);
  if (step === undefined) notDefined(ref, at(), spot, knowledge);
  else if (!said.has(`step ${ref.name}`)) {
    said.add(`step ${ref.name}`);
    stepAsVariable(ref.name, step, at(), knowledge);
  }
}

/** A variable that is there: what stands in it, and whether every way defines it. */
function checkKnown(ref: Ref, at: () => Label, spot: Spot, knowledge: Knowledge, said: Set<string>): void {
  const { view } = spot;
  if (!isNeeded(ref, spot) || view.isOpen()) return;
  const found = variableOf(ref, view);
  if (found === undefined) return;
  const { name, variable, path } = found;
  const { report, document } = knowledge;
  const missing = path.length === 0 ? undefined : noMember(variable.cell.get(), path);
  const declarer = missing && declarerOf(missing.type);
  if (missing !== undefined && declarer !== undefined) {
    report({
      ...undeclared(missing, String(path[missing.index]), at(), declarer),
      related: placesOf(name, variable, document.source),
    });
    return;
  }
  if (missing !== undefined) {
    const place = at();
    const member = String(path[missing.index]);
    const meant = missing.index === path.length - 1 ? lengthMeant(member, place, knowledge) : undefined;
    const lost = { ...missing, path };
    const nearest = memberMeant(lost);
    report(
      d.noMember({
        at: place,
        path: pathText(name, path.slice(0, missing.index)),
        member,
        what: whatIsThere(missing),
        nearest: meant?.text ?? nearest,
        related: placesOf(name, variable, document.source),
        fixes: meant === undefined ? renamedMember(lost, nearest, place, document.value) : [rewritten(place, meant)],
      }),
    );
    return;
  }
  const lacking = path.length === 0 ? undefined : maybeNoMember(variable.cell.get(), path);
  if (lacking !== undefined && !spot.ofList.guards.some(({ reads }) => reads.has(name))) {
    // The definition that lacks it tells more than the one that has it.
    const without = variable.either?.find(({ cell }) => noMember(cell.get(), path) !== undefined);
    report(
      d.maybeNoMember({
        at: at(),
        path: pathText(name, path.slice(0, lacking)),
        member: String(path[lacking]),
        related: placesOf(name, without ?? variable, document.source),
      }),
    );
  }
  if (variable.gap !== undefined && !isGuarded(name, variable.gap, spot.ofList) && !said.has(`gap ${name}`)) {
    said.add(`gap ${name}`);
    const place = { source: document.source, route: stepRoute(variable.gap.call.step), part: 'value' } as const;
    report(d.maybeNotDefined({ at: at(), name, related: [{ ...place, text: GAPS[variable.gap.kind] }] }));
  }
}

/** The way on which a variable is not defined, as people are told. */
const GAPS: Readonly<Record<Gap['kind'], string>> = {
  when: 'where this step is skipped by its `when`',
  branch: 'where the other branch is taken, or none',
  list: 'where this step runs none of its steps',
  loop: 'where this loop has no item',
  again: 'in a further round of this loop',
  row: 'in a further row',
  use: 'where the file that this uses takes another way',
};

/** Whether the steps run only where somebody has asked for the variable, or for its step, or where that ran. */
export function isGuarded(name: string, { call, kind }: Gap, { guards, section, waitsFor }: ListFacts): boolean {
  const { when, id } = call.step.options ?? {};
  const own = call.step.control?.condition;
  // A teardown runs on every path, so that much is possible in it.
  return (
    section === 'teardown' ||
    (kind === 'when' && waitsFor?.(call) === true) ||
    guards.some(({ source, reads }) => source === when || source === own || reads.has(name) || reads.has(`steps.${id}`))
  );
}

/** The variable that a reference reads, and the path that is left: the longest name that is stored wins. */
export function variableOf(
  ref: Ref,
  view: Pick<View, 'hasVariable' | 'variable'>,
): { readonly name: string; readonly variable: Variable; readonly path: Route } | undefined {
  const { path = [] } = ref;
  const names = storedNames(ref);
  const index = names.findIndex(view.hasVariable);
  const name = names[index];
  const variable = name === undefined ? undefined : view.variable(name);
  return name === undefined || variable === undefined
    ? undefined
    : { name, variable, path: path.slice(names.length - 1 - index) };
}

/** A name that is stored stands as it is, with dots and brackets. */
function pathText(name: string, path: Route): string {
  return name + printPath(['_', ...path]).slice(1);
}

function makesResponse(call: Call | undefined): call is Call {
  return call?.signature.flow?.defines.includes('last_response') === true;
}

/** Checks a reference to the last response in an `expect`: it is the step's own, where its command makes one. */
function checkOwnResponse(ref: Ref, at: () => Label, call: Call, spot: Spot, knowledge: Knowledge): void {
  if (isNeeded(ref, spot)) checkResultPath(call, ref.path ?? [], at, knowledge);
}

/** Whether a reference that leads nowhere is a mistake. */
function isNeeded(ref: Ref, { isAsked }: Spot): boolean {
  return !isAsked && ref.default === undefined;
}

function isThere(ref: Ref, { view, isAsked, ofList }: Spot): boolean {
  if (isAsked || ref.default !== undefined || view.isOpen()) return true;
  if (ofList.guards.some(({ finds }) => finds.has(ref.name))) return true;
  return ref.path === undefined ? view.hasVariable(ref.name) : storedNames(ref).some(view.hasVariable);
}

function notDefined(ref: Ref, at: Label, { view, resultOf }: Spot, knowledge: Knowledge): void {
  const { report, definers } = knowledge;
  const unread = knowledge.unread();
  if (storedNames(ref).some((name) => unread.has(name))) return;
  const inside = withoutPlace(ref, writtenAt(at, knowledge.document.value), view);
  if (inside !== undefined)
    return report(
      d.variableNotDefined({
        at,
        name: ref.name,
        nearest: inside,
        fixes: [rewritten(at, { text: inside, safety: 'unsafe' })],
      }),
    );
  const outside = storedNames(ref)
    .map((stored) => meantOutside(stored, knowledge))
    .find((meant) => meant !== undefined);
  if (outside !== undefined && Array.isArray(at.part)) return fromOutside(ref.name, outside, at, report);
  const later = storedNames(ref)
    .map((name) => definers().get(name))
    .find((call) => call !== undefined);
  const isOwn = later !== undefined && later === resultOf;
  const related = later === undefined ? [] : [definition(later, isOwn, knowledge)];
  const word = isOwn
    ? captureMeant(ref, at, later, knowledge)
    : later === undefined
      ? bareWordMeant(ref, at, resultOf, knowledge)
      : undefined;
  const near = later === undefined && word === undefined ? nearNames(ref, view, resultOf, knowledge) : [];
  const meant = word ?? (later === undefined && near.length === 0 ? textMeant(ref, at, knowledge) : undefined);
  report(
    d.variableNotDefined({
      at,
      name: ref.name,
      nearest: meant?.text ?? (near.length === 0 ? undefined : near.join('" or "')),
      related,
      fixes: meant === undefined ? renamedVariable(ref.name, near, at, knowledge) : [rewritten(at, meant)],
    }),
  );
}

/** The reference with the name that is nearest. */
function renamedVariable(
  name: string,
  [nearest]: readonly string[],
  at: Label,
  { document }: Knowledge,
): readonly Fix[] {
  const written = writtenAt(at, document.value);
  const from = written.indexOf(name);
  if (nearest === undefined || !/^\w+$/.test(nearest) || from < 0) return [];
  const text = written.slice(0, from) + nearest + written.slice(from + name.length);
  return [rewritten(at, { text, safety: 'unsafe' })];
}

function definition({ step }: Call, isOwn: boolean, { document }: Knowledge): Label {
  const place = { source: document.source, route: optionRoute(step, document, 'save_as'), part: 'value' } as const;
  return isOwn ? { ...place, text: 'made when `expect` has been judged, for later steps' } : place;
}

/** `ENV.CI`, `env.CI` and `process.env.CI` as references. */
function meantOutside(name: string, { meta }: Knowledge): string | undefined {
  const [, kind = '', key] = /^(ENV|ROW|MATRIX|row|matrix|(?:process\.)?env)\.([A-Za-z_]\w*)$/.exec(name) ?? [];
  if (key === undefined) return undefined;
  if (kind === 'row') return meta.dataset === undefined ? undefined : `\${ROW.${key}}`;
  if (kind === 'matrix') return meta.matrix === undefined ? undefined : `\${MATRIX.${key}}`;
  return kind.endsWith('env') ? `\${env:${key}}` : `\${${kind}.${key}}`;
}

/** `ENV.CI` is no variable: what comes from outside is written `${ENV.CI}`. */
function fromOutside(name: string, meant: string, at: Label, report: Report): void {
  report(d.variableNotDefined({ at, name, nearest: meant, fixes: [rewritten(at, { text: meant, safety: 'safe' })] }));
}

/** The id of a step is no variable: `save_as` makes one of its result. Said once a step. */
function stepAsVariable(id: string, { step }: Call, at: Label, { document, report }: Knowledge): void {
  const route = stepRoute(step);
  const isFree = step.form === 'object' && step.options?.save_as === undefined && /^[A-Za-z_]\w*$/.test(id);
  const insert: Fix = {
    title: `add save_as: ${id} to that step`,
    safety: 'unsafe',
    operations: [{ kind: 'insert', route, key: 'save_as', value: id }],
  };
  const related = [{ source: document.source, route: optionRoute(step, document, 'id'), part: 'value' as const }];
  report(d.stepIdAsVariable({ at, id, related, fixes: isFree ? [insert] : [] }));
}

/** Names may hold dots and brackets, so that the whole path may have been meant as one. */
function nearNames(
  ref: Ref,
  view: View,
  resultOf: Call | undefined,
  { definers, suggestions }: Knowledge,
): readonly string[] {
  const [whole = ref.name] = storedNames(ref);
  const count = view.variableCount() + definers().size;
  const names = (): ReadonlySet<string> => new Set([...view.variables(), ...definers().keys()]);
  const near = suggestions.nearest(ref.name, count, names);
  if (near.length > 0) return near;
  const own = resultOf === undefined ? [] : didYouMean(ref.name, ['result', 'last_response'], 2);
  return own.length > 0 || whole === ref.name ? own : suggestions.nearest(whole, count, names);
}

const RUN_FIELDS = ['failed', 'status'];
const FAILED_FIELDS = ['command', 'id', 'message'];
const STEP_FIELDS = ['result', 'status'];

/** `{{run.status}}` and `{{run.failed[0].id|command|message}}`. */
function checkRun({ path = [] }: Ref, at: () => Label, knowledge: Knowledge): void {
  const [field, , inside] = path;
  if (field !== undefined) checkField('run', field, RUN_FIELDS, at, knowledge);
  if (field === 'failed' && inside !== undefined) checkField('run.failed[n]', inside, FAILED_FIELDS, at, knowledge);
}

function checkField(
  owner: string,
  field: string | number,
  fields: readonly string[],
  at: () => Label,
  { report, document }: Knowledge,
): void {
  const name = String(field);
  if (fields.includes(name)) return;
  const nearest = fieldOfOtherWord(name, fields) ?? didYouMean(name, fields)[0];
  const place = at();
  const text = nearest === undefined ? undefined : withField(writtenAt(place, document.value), owner, name, nearest);
  const fixes = text === undefined ? [] : [rewritten(place, { text, safety: 'unsafe' })];
  report(d.noSuchField({ at: place, owner, field: name, allowed: quoted(fields), nearest, fixes }));
}

/** `{{steps.ID.status|result}}`: a step of this file that has ended. */
function checkStep(ref: Ref, at: () => Label, spot: Spot, knowledge: Knowledge): void {
  const { path = [] } = ref;
  const { view } = spot;
  const { ids, report, document, suggestions } = knowledge;
  const [written, field] = path;
  if (written === undefined) return;
  const id = String(written);
  const step = ids.get(id);
  if (step === undefined && (knowledge.isPart || knowledge.unread().has(id))) return;
  if (step === undefined) {
    const [nearest] = suggestions.nearest(id, ids.size, () => ids.keys());
    return report(d.unknownStep({ at: at(), id, nearest }));
  }
  if (!view.hasStep(id)) {
    const related = [
      { source: document.source, route: optionRoute(step.step, document, 'id'), part: 'value' as const },
    ];
    return report(d.stepNotBefore({ at: at(), id, related }));
  }
  if (field !== undefined) checkField(`steps.${id}`, field, STEP_FIELDS, at, knowledge);
  if (field === 'result' && isNeeded(ref, spot)) checkResultPath(step, path.slice(2), at, knowledge);
  const skips = field === 'result' && step.step.options?.when !== undefined;
  const gap = view.stepGap(id) ?? (skips ? ({ kind: 'when', call: step } as const) : undefined);
  if (gap === undefined || !isNeeded(ref, spot) || isGuarded(`steps.${id}`, gap, spot.ofList)) return;
  const place = { source: document.source, route: stepRoute(gap.call.step), part: 'value' } as const;
  report(d.maybeNotRun({ at: at(), id, related: [{ ...place, text: GAPS[gap.kind] }] }));
}

/** Reports a key that nothing gives, once a key and file. */
function checkKey(ref: Ref, at: () => Label, { view, isAsked }: Spot, knowledge: Knowledge, said: Set<string>): void {
  const { environment, isEnvironmentStrict, isPart, meta, report, suggestions } = knowledge;
  if (meta.env_keys?.includes(ref.name) === false) return undeclaredKey(ref, at, meta.env_keys, knowledge, said);
  if (
    isPart ||
    isAsked ||
    ref.default !== undefined ||
    environment.has(ref.name) ||
    view.hasMoreEnvironment() ||
    said.has(`key ${ref.name}`)
  )
    return;
  said.add(`key ${ref.name}`);
  const keys = environment.keys();
  const [nearest] = suggestions.nearest(ref.name, keys.length, () => keys);
  const diagnostic = d.unknownEnvironmentKey({
    at: at(),
    key: ref.name,
    files: environment.lookedFor.map((file) => `"${file}"`).join(' and '),
    nearest,
  });
  report(isEnvironmentStrict ? { ...diagnostic, severity: 'error' } : diagnostic);
}

function undeclaredKey(
  { name: key }: Ref,
  at: () => Label,
  declared: readonly string[],
  { report }: Knowledge,
  said: Set<string>,
): void {
  if (said.has(`key ${key}`)) return;
  said.add(`key ${key}`);
  report(d.undeclaredEnvironmentKey({ at: at(), key, nearest: didYouMean(key, declared)[0] }));
}

/** `${MATRIX.key}`: every combination has every key. */
function checkCombination({ name: key }: Ref, at: () => Label, { meta, document, isPart, report }: Knowledge): void {
  const axes = meta.matrix?.axes.map((axis) => axis.name);
  if (axes === undefined) {
    // One that is wrong was reported itself.
    const isWritten = valueAt(document.value, ['meta', 'matrix']) !== undefined;
    if (!isPart && !isWritten) report(d.matrixOutside({ at: at(), key }));
  } else if (!axes.includes(key)) {
    report(d.unknownMatrixKey({ at: at(), key, keys: quoted(axes), nearest: didYouMean(key, axes)[0] }));
  }
}

function checkColumn(
  ref: Ref,
  at: () => Label,
  { ofList, isAsked }: Spot,
  { document, meta, rows, isPart, report, suggestions }: Knowledge,
): void {
  const column = ref.name;
  if (isPart && ofList.ownRows === undefined) return;
  if (ofList.ownRows === undefined && meta.dataset === undefined) {
    // One that is wrong was reported itself.
    if (valueAt(document.value, ['meta', 'dataset']) === undefined) report(d.rowOutsideDataset({ at: at(), column }));
    return;
  }
  if (ofList.ownRows === undefined && ofList.section !== 'body')
    return report(d.rowOutsideBody({ at: at(), column, section: ofList.section }));
  const columns = ofList.ownRows === undefined ? rows?.columns : ofList.ownRows.columns;
  if (columns === undefined || columns.has(column) || isAsked || ref.default !== undefined) return;
  const dataset = ofList.ownRows === undefined ? (meta.dataset?.path ?? '') : 'rows';
  report(
    d.unknownColumn({
      at: at(),
      dataset,
      column,
      columns: quoted([...columns.keys()]),
      nearest: suggestions.nearest(column, columns.size, () => columns.keys())[0],
    }),
  );
}
