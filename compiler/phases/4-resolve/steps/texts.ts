import type { Label } from '#schemas/types/diagnostic.ts';
import { isList } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import type { ReferenceProblem } from '#grammar/reference/ast.ts';
import type { Range } from '#grammar/language/problem.ts';
import { rangesOf, type ParsedText } from '#grammar/reference/parse.ts';
import { referenceDiagnostic } from '#grammar/reference/report.ts';

import type { StepOptions } from '../../3-parse/ast.ts';
import { optionRoute, valueAt } from '../../3-parse/routes.ts';

import { checkCondition } from '../conditions.ts';
import { foreignCondition } from '../meant/foreign/foreign-condition.ts';
import type { Knowledge } from '../knowledge.ts';
import { checkReference, type Spot } from '../references.ts';
import { argumentRoute, conditionRoute, type Call, type WrittenText } from '../resolved.ts';
import { typeOfReference } from '../typed-by.ts';
import type { KnownValue } from '../value-type.ts';
import { askedBy } from '../ways/guards.ts';

/** Looks at the references in the texts and conditions of a file, one step at a time. */
export class StepTexts {
  readonly #knowledge: Knowledge;
  readonly #said = new Set<string>();

  constructor(knowledge: Knowledge) {
    this.#knowledge = knowledge;
  }

  /** Looks at the condition under which a step runs. */
  guard(call: Call, when: string, spot: Spot): void {
    this.#condition(call, when, () => this.#optionRoute(call, 'when'), spot);
  }

  /** Looks at the condition of a control form. */
  ownCondition(call: Call, spot: Spot): void {
    const own = call.step.control?.condition;
    if (own !== undefined) this.#condition(call, own, () => conditionRoute(call), spot);
  }

  /** Texts of a step's arguments. */
  arguments(call: Call, texts: readonly WrittenText[], spot: Spot): void {
    const { document, tokens } = this.#knowledge;
    for (const written of texts) {
      const parsed = written.parsed ?? tokens.text(written.text);
      if (parsed === undefined) continue;
      this.#typeOf(call, written.text, parsed, spot);
      this.#parsed(written.text, parsed, () => argumentRoute(call, written.parameter, document, written.inside), spot);
    }
  }

  /** Notes what a text that is one reference stands for, where that is known. */
  #typeOf(call: Call, text: string, { parts }: ParsedText, spot: Spot): void {
    const [only, second] = parts;
    if (only === undefined || typeof only === 'string' || second !== undefined || !TYPED.has(only.ns)) return;
    if (only.convert !== undefined) return;
    const known = typeOfReference(only, spot, this.#knowledge, true);
    if (known === undefined) return;
    const { types } = this.#knowledge;
    const own = types.get(call) ?? new Map<string, KnownValue>();
    types.set(call, own.set(text, known));
  }

  /** One text with references. */
  text(text: string, route: () => Route, spot: Spot): void {
    const parsed = this.#knowledge.tokens.text(text);
    if (parsed !== undefined) this.#parsed(text, parsed, route, spot);
  }

  #parsed(text: string, parsed: ParsedText, route: () => Route, spot: Spot): void {
    const { document, report } = this.#knowledge;
    let ranges: readonly Range[] | undefined;
    for (const problem of parsed.problems)
      if (!isOfUnreadName(text, problem, this.#knowledge))
        report(referenceDiagnostic(asVariable(problem, spot), { source: document.source, route: route() }));
    for (let index = 0; index < parsed.parts.length; index += 1) {
      const part = parsed.parts[index];
      if (part === undefined || typeof part === 'string') continue;
      const at = (): Label => ({
        source: document.source,
        route: route(),
        part: (ranges ??= rangesOf(text))[index] ?? 'value',
      });
      checkReference(part, at, spot, this.#knowledge, this.#said);
    }
  }

  /** Conditions that a step expects to hold. */
  expect(call: Call, conditions: NonNullable<StepOptions['expect']>, spot: Spot): void {
    const route = (index: number): Route => {
      const at = this.#optionRoute(call, 'expect');
      return conditions.length > 1 || this.#isListed(call, 'expect') ? [...at, index] : at;
    };
    for (const [index, condition] of conditions.entries()) {
      if (condition !== undefined) this.#condition(call, condition, () => route(index), spot);
    }
  }

  #isListed(call: Call, option: string): boolean {
    return isList(valueAt(this.#knowledge.document.value, this.#optionRoute(call, option)));
  }

  #condition(call: Call, source: string, route: () => Route, spot: Spot): void {
    const parsed = this.#knowledge.tokens.condition(source);
    const foreign = foreignCondition(source, parsed, spot);
    if (foreign !== undefined) return this.#knowledge.report(foreign(this.#knowledge.document.source, route()));
    const guarded = { ...spot, ofList: askedBy(spot.ofList, source, parsed, spot.isWaiting === true) };
    const truth = checkCondition(
      source,
      route,
      this.#knowledge,
      (ref, at, isAsked) =>
        checkReference(ref, at, isAsked ? { ...guarded, isAsked } : guarded, this.#knowledge, this.#said),
      (ref) => typeOfReference(ref, spot, this.#knowledge, false),
    );
    if (truth === undefined) return;
    const { decided } = this.#knowledge;
    decided.set(call, (decided.get(call) ?? new Set<string>()).add(source));
  }

  #optionRoute(call: Call, option: string): Route {
    return optionRoute(call.step, this.#knowledge.document, option);
  }
}

/** Whether what cannot be read is a name that was reported where it is made: `{{my name}}`. */
function isOfUnreadName(text: string, { from }: ReferenceProblem, { unread }: Knowledge): boolean {
  const open = text.lastIndexOf('{{', from);
  const close = text.indexOf('}}', from);
  return open >= 0 && close >= 0 && unread().has(text.slice(open + 2, close).trim());
}

/** `${name}` is meant for a variable where there is one of that name. */
function asVariable(problem: ReferenceProblem, { view }: Spot): ReferenceProblem {
  const { found = '', nearest, whole } = problem;
  const isOne = whole !== undefined && nearest === undefined && view.hasVariable(found);
  return isOne ? { ...problem, nearest: `{{${whole.inside}}}` } : problem;
}

/** References that values may be known of. */
const TYPED: ReadonlySet<string> = new Set(['var', 'ROW', 'MATRIX', 'ENV']);
