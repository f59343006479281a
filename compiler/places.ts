import type { Document } from '#grammar/document/document.ts';
import { linesOf, type Lines } from '#grammar/source/lines.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Route, Span } from '#schemas/types/place.ts';
import { metaKey, type ConditionPlace, type Place, type Unit } from '#schemas/types/plan.ts';
import { isPlaceholder } from '#schemas/types/secret-forms.ts';
import { tellsOfSecret } from '#schemas/types/secret-key.ts';

import { optionRoute, stepRoute, valueAt } from './phases/3-parse/routes.ts';
import type { Call } from './phases/4-resolve/resolved.ts';
import { listsOf } from './phases/4-resolve/walk-calls.ts';
import type { PlannedNode } from './phases/6-plan/unit.ts';

/** Characters of a step's first line that the table of places carries. */
const MOST_TEXT = 120;
/** Characters of the line that are looked at beyond that, so that masking a long one leaves text to show. */
const MORE_TEXT = 1000;

/** Characters of a whole step that are shown. */
const MOST_SOURCE = 4000;

/** Places of steps, by node id. */
export function placesOf(nodes: readonly PlannedNode[]): Readonly<Record<string, Place>> {
  const known = new Map<Document, Lines>();
  const places: Record<string, Place> = {};
  for (const { node, call, document } of nodes) {
    const lines = known.get(document) ?? linesOf(document.text);
    known.set(document, lines);
    const { start, end } = document.spanAt(stepRoute(call.step));
    const { line, column } = lines.position(start);
    places[node.id] = new StepPlace({ file: document.source, line, column }, { call, document, lines, start, end });
  }
  return places;
}

/** Places at which a file asks for what comes from outside: its inputs, and the sessions of its caller. */
export function placesOfNeeds(
  { inputs, sessions = [], source }: Unit,
  document: Document,
): Readonly<Record<string, Place>> {
  if (inputs.length === 0 && sessions.length === 0) return {};
  const lines = linesOf(document.text);
  const place = (...route: readonly string[]): Place => {
    const { start } = document.spanAt(['meta', ...route], 'key');
    return { file: document.source, ...lines.position(start), text: route.at(-1) ?? '' };
  };
  return Object.fromEntries([
    ...inputs.map(({ name }) => [metaKey(source, `inputs.${name}`), place('inputs', name)] as const),
    ...(sessions.length === 0 ? [] : [[metaKey(source, 'sessions'), place('sessions')] as const]),
  ]);
}

interface PlacedStep {
  readonly call: PlannedNode['call'];
  readonly document: Document;
  readonly lines: Lines;
  readonly start: number;
  readonly end: number;
}

/** Its text is worked out when it is asked for: a run shows only those of steps that fail. */
class StepPlace implements Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly #step: PlacedStep;

  constructor({ file, line, column }: Omit<Place, 'text'>, step: PlacedStep) {
    this.file = file;
    this.line = line;
    this.column = column;
    this.#step = step;
  }

  get text(): string {
    const { start, end } = this.#step;
    return this.#textOf(start, end);
  }

  get source(): string {
    const { call, document, start, end } = this.#step;
    const secrets = [...new Set(everyCall(call).flatMap(secretsOf))].toSorted((a, b) => b.length - a.length);
    const whole = masked(document.text.slice(start, Math.min(end, start + MOST_SOURCE)), secrets);
    return outdented(whole.trimEnd(), this.column - 1);
  }

  get expect(): readonly ConditionPlace[] | undefined {
    const { call, document, lines } = this.#step;
    const expect = call.step.options?.expect;
    if (expect === undefined || expect.length === 0) return undefined;
    const route = optionRoute(call.step, document, 'expect');
    const isList = Array.isArray(valueAt(document.value, route));
    return expect.map((_, index) => {
      const { start, end } = document.spanAt(isList ? [...route, index] : route);
      return { ...lines.position(start), text: this.#textOf(start, end) };
    });
  }

  get save_as(): readonly ConditionPlace[] | undefined {
    const { call, document, lines } = this.#step;
    const written = call.step.options?.save_as;
    // A name alone saves whatever there is.
    if (!written?.some((each) => each?.path !== undefined || each?.match !== undefined)) return undefined;
    const route = optionRoute(call.step, document, 'save_as');
    const isMany = Array.isArray(valueAt(document.value, route));
    return written.map((_, index) => {
      const { start, end } = captureSpan(document, isMany ? [...route, index] : route);
      return { ...lines.position(start), text: this.#textOf(start, end) };
    });
  }

  get when(): ConditionPlace | undefined {
    const { call, document, lines } = this.#step;
    if (call.step.options?.when === undefined) return undefined;
    const { start, end } = document.spanAt(optionRoute(call.step, document, 'when'));
    return { ...lines.position(start), text: this.#textOf(start, end) };
  }

  get condition(): ConditionPlace | undefined {
    const { call, document, lines } = this.#step;
    const key = call.step.control?.form.condition;
    if (key === undefined) return undefined;
    const { start, end } = document.spanAt([...stepRoute(call.step), key]);
    return { ...lines.position(start), text: this.#textOf(start, end) };
  }

  #textOf(start: number, end: number): string {
    const { call, document } = this.#step;
    const secrets = secretsOf(call);
    return shortened(masked(firstLine(document.text, start, end, secrets), secrets));
  }

  toJSON(): Place {
    const { file, line, column, text, expect, save_as, when, condition } = this;
    return {
      file,
      line,
      column,
      text,
      ...(expect && { expect }),
      ...(save_as && { save_as }),
      ...(when && { when }),
      ...(condition && { condition }),
    };
  }
}

/** An entry of `save_as` where it stands on one line, else what it looks for: its `path`, or its `match`. */
function captureSpan(document: Document, route: Route): Span {
  const whole = document.spanAt(route);
  if (!LINE_END.test(document.text.slice(whole.start, whole.end).trimEnd())) return whole;
  const key = ['path', 'match'].find((each) => valueAt(document.value, [...route, each]) !== undefined);
  if (key === undefined) return whole;
  const own = [...route, key];
  return { start: document.spanAt(own, 'key').start, end: document.spanAt(own).end };
}

/**
 * The first line of a step and nothing of its neighbours, whose secrets are not known here: a file may stand on one
 * line. Bounded, but never so short that a secret is cut in two.
 */
function firstLine(text: string, start: number, end: number, secrets: readonly string[]): string {
  const window = MOST_TEXT + MORE_TEXT + secrets.reduce((sum, secret) => sum + 2 * JSON.stringify(secret).length, 0);
  const shown = text.slice(start, Math.min(end, start + window));
  const length = shown.search(LINE_END);
  return (length < 0 ? shown : shown.slice(0, length)).trim();
}

const LINE_END = /[\r\n]/;

/** A step as if it began its line: further lines lose so many blanks, if they have them. */
function outdented(text: string, most: number): string {
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? line : line.slice(Math.min(most, line.search(/[^ ]|$/)))))
    .join('\n');
}

function everyCall(call: Call): readonly Call[] {
  const inside = [...listsOf(call).values()].flatMap(({ calls }) => calls.flatMap(everyCall));
  return [call, ...inside];
}

/** Never half a character. */
function shortened(text: string): string {
  return text.length <= MOST_TEXT ? text : text.slice(0, MOST_TEXT).replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * Literal texts of parameters that are declared secret, and in values under keys that tell of a secret; references tell
 * nothing.
 */
function secretsOf({ signature, args }: Call): readonly string[] {
  const found: string[] = [];
  for (const name in args) gatherSecrets(args[name] ?? null, signature.secrets.has(name), found);
  // A longer one first: a part of it may be another one.
  return found.length < 2 ? found : [...new Set(found)].toSorted((a, b) => b.length - a.length);
}

function gatherSecrets(value: Json, isSecret: boolean, found: string[]): void {
  if (isList(value)) for (const item of value) gatherSecrets(item, isSecret, found);
  else if (isObject(value))
    for (const key in value) gatherSecrets(value[key] ?? null, isSecret || tellsOfSecret(key), found);
  else if (isSecret && typeof value === 'string' && value !== '' && !isPlaceholder(value)) found.push(value);
}

/** Secrets of which a letter or two may be part of any word. */
const SHORT = 4;

function hidden(line: string, secret: string): string {
  if (secret.length >= SHORT)
    return line.replaceAll(secret, '***').replaceAll(JSON.stringify(secret).slice(1, -1), '***');
  // As a whole value only.
  return line
    .split(/([\s,:"'[\]{}]+)/)
    .map((piece) => (piece === secret ? '***' : piece))
    .join('');
}

function masked(text: string, secrets: readonly string[]): string {
  if (secrets.length === 0 && !text.includes('://')) return text;
  const shown = secrets.reduce(hidden, text);
  // A password inside an address.
  return shown.replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:)([^\s@/]+)@/gi, (whole, before: string, password: string) =>
    isPlaceholder(password) ? whole : `${before}***@`,
  );
}
