import type { TreeOperation } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import type { Catalogue } from '../catalogue.ts';
import { isControlWord } from '../phases/1-read/control-forms.ts';
import { isBodyKey } from '../phases/1-read/vocabulary.ts';
import { signatureOf, type Signature } from '../phases/4-resolve/signature.ts';

import { onEngine, type Engine } from './engines.ts';
import type { NoteLeft } from './left.ts';
import { byName, byPosition } from './parameters.ts';
import { canStand, printWritten, readWritten, type WrittenStep } from './written-step.ts';

/** Wanted form of steps; each part left out stays as it is. */
export interface Wanted {
  readonly params?: 'keyword' | 'positional';
  readonly form?: 'object' | 'array';
  readonly engine?: Engine;
}

/** Keys of control forms that hold steps. */
const BLOCKS = ['do', 'then', 'else', 'group', 'always'];

/** Something converted: its new value, and the operations that make it where itself stays as it is. */
interface Result {
  readonly value: Json;
  readonly operations: readonly TreeOperation[];
}

/** Writes the steps of one file in another way, as operations on its tree. Commands must have been prepared. */
export class StepConverter {
  readonly #catalogue: Catalogue;
  readonly #wanted: Wanted;
  readonly #note: NoteLeft;
  readonly #signatures = new Map<string, Signature>();

  constructor(catalogue: Catalogue, wanted: Wanted, note: NoteLeft) {
    this.#catalogue = catalogue;
    this.#wanted = wanted;
    this.#note = note;
  }

  file(value: Json): readonly TreeOperation[] {
    if (isList(value)) return this.#list(value, []).operations;
    if (!isObject(value)) return [];
    const keys = Object.keys(value).filter((key) => key === 'setup' || key === 'teardown' || isBodyKey(key));
    return [
      ...keys.flatMap((key) => this.#list(value[key] ?? null, [key]).operations),
      ...this.#sessions(value),
      ...this.#defaults(value),
    ];
  }

  /** A list of steps, or an object that holds one under a body key. */
  #list(value: Json, route: Route): Result {
    if (isList(value)) return rebuilt(value.map((item, index) => this.#element(item, [...route, index])));
    if (!isObject(value)) return { value, operations: [] };
    const key = Object.keys(value).find(isBodyKey);
    return key === undefined
      ? { value, operations: [] }
      : this.#inside(value, [[key, this.#list(value[key] ?? null, [...route, key])]]);
  }

  /** A step, or the node of a graph. */
  #element(value: Json, route: Route): Result {
    if (isObject(value) && Object.hasOwn(value, 'action') && !this.#catalogue.has('action'))
      return this.#inside(value, [['action', this.#element(value['action'] ?? null, [...route, 'action'])]]);
    if (isObject(value) && Object.keys(value).some(isControlWord)) return this.#control(value, route);
    const step = readWritten(value, () => true);
    return step === undefined ? { value, operations: [] } : this.#step(step, value, route);
  }

  #control(value: JsonObject, route: Route): Result {
    if (this.#wanted.form === 'array') this.#note({ route, part: 'value', text: 'control forms are always objects' });
    this.#used(value, route);
    const found = BLOCKS.filter((key) => Object.hasOwn(value, key)).map(
      (key) => [key, this.#list(value[key] ?? null, [...route, key])] as const,
    );
    const branches = Object.hasOwn(value, 'parallel')
      ? [['parallel', this.#branches(value['parallel'] ?? null, [...route, 'parallel'])] as const]
      : [];
    return this.#inside(value, [...found, ...branches]);
  }

  /** A file that is used has the sessions of its caller, and is written by itself. */
  #used({ use: file }: JsonObject, route: Route): void {
    const { engine } = this.#wanted;
    if (engine !== undefined && typeof file === 'string')
      this.#note({
        route: [...route, 'use'],
        part: 'value',
        text: `the steps of "${file}" stay as they are: svc convert ${file} --engine ${engine}`,
      });
  }

  #branches(value: Json, route: Route): Result {
    if (isList(value)) return rebuilt(value.map((item, index) => this.#list(item, [...route, index])));
    if (!isObject(value)) return { value, operations: [] };
    return this.#inside(
      value,
      Object.entries(value).map(([key, item]) => [key, this.#list(item, [...route, key])] as const),
    );
  }

  #inside(value: JsonObject, parts: readonly (readonly [string, Result])[]): Result {
    const changed = Object.fromEntries(parts.map(([key, part]) => [key, part.value]));
    return { value: { ...value, ...changed }, operations: parts.flatMap(([, part]) => part.operations) };
  }

  #step(written: WrittenStep, value: Json, route: Route): Result {
    const signature = this.#signatureOf(written.name);
    const nested = signature === undefined ? undefined : this.#blocks(written, signature, route);
    const inner = nested?.step ?? written;
    const placed = this.#placed(this.#onEngine(inner, signature, route), route);
    // Only what is written otherwise is written anew: the rest keeps its comments and its layout.
    const before = nested === undefined ? value : printAs(inner, value);
    const after = placed === inner ? before : printWritten(placed);
    if (JSON.stringify(after) !== JSON.stringify(before))
      return { value: after, operations: [{ kind: 'replace', route, value: after }] };
    return { value: before, operations: nested?.operations ?? [] };
  }

  /** The steps that parameters hold. */
  #blocks(
    step: WrittenStep,
    { blocks, positional: names }: Signature,
    route: Route,
  ): { readonly step: WrittenStep; readonly operations: readonly TreeOperation[] } | undefined {
    const at = step.form === 'object' ? [...route, step.name] : [...route, 1];
    const operations: TreeOperation[] = [];
    let { keywords, positional } = step;
    for (const { name } of blocks) {
      if (keywords !== undefined && Object.hasOwn(keywords, name)) {
        const way = step.form === 'array' && positional !== undefined ? [...route, 2, name] : [...at, name];
        const part = this.#list(keywords[name] ?? null, way);
        keywords = { ...keywords, [name]: part.value };
        operations.push(...part.operations);
      }
      const index = names.findIndex((parameter) => parameter.name === name);
      const value = index < 0 ? undefined : positional?.[index];
      if (value === undefined || positional === undefined) continue;
      const part = this.#list(value, [...at, index]);
      positional = positional.with(index, part.value);
      operations.push(...part.operations);
    }
    return operations.length === 0 ? undefined : { step: { ...step, keywords, positional }, operations };
  }

  #onEngine(step: WrittenStep, signature: Signature | undefined, route: Route): WrittenStep {
    const { engine } = this.#wanted;
    if (engine === undefined) return step;
    if (signature === undefined) {
      if (step.name.startsWith('WR_'))
        this.#note({ route, part: 'value', text: `"${step.name}" stays as it is: there is no such command` });
      return step;
    }
    const named = byName(step, signature);
    if (named === undefined) return step;
    const { step: changed, why } = onEngine(named, engine, (name) => this.#catalogue.get(name));
    if (why !== undefined) this.#note({ route, part: 'value', text: why });
    if (changed === named) return step;
    if (step.positional === undefined) return changed;
    const other = this.#signatureOf(changed.name);
    const back = other === undefined ? undefined : byPosition(changed, other);
    return back !== undefined && back.others.length === 0 ? back.step : changed;
  }

  /** The step with parameters and in a form as wanted, as far as one allows the other. */
  #placed(step: WrittenStep, route: Route): WrittenStep {
    const { params, form } = this.#wanted;
    const signature = this.#signatureOf(step.name);
    const target = form ?? (step.form === 'object' ? 'object' : 'array');
    let placed = this.#parameters(step, signature, route);
    if (form !== undefined) placed = { ...placed, form };
    if (canStand(placed, target)) return placed;
    const named = signature === undefined ? undefined : byName(placed, signature);
    const why =
      target === 'array'
        ? 'an array has no place for step options behind positions'
        : 'an object takes positions or names, not both';
    if (params === 'positional')
      this.#note({ route, part: 'value', text: `the parameters are written by name: ${why}` });
    if (named !== undefined) return named;
    this.#note({
      route,
      part: 'value',
      text: `the step stays as it is: ${why}, and the parameters of "${step.name}" are not known`,
    });
    return step;
  }

  #parameters(step: WrittenStep, signature: Signature | undefined, route: Route): WrittenStep {
    const { params } = this.#wanted;
    if (params === undefined) return step;
    const isGiven = params === 'keyword' ? step.positional !== undefined : step.keywords !== undefined;
    if (!isGiven) return step;
    if (signature === undefined) {
      this.#note({ route, part: 'value', text: `the parameters of "${step.name}" are not known` });
      return step;
    }
    if (params === 'keyword') return byName(step, signature) ?? step;
    const { step: placed, others } = byPosition(step, signature);
    if (others.length > 0)
      this.#note({
        route,
        part: 'value',
        text: `${others.map((name) => `"${name}"`).join(', ')} can stand by name alone`,
      });
    return placed.positional === undefined ? step : placed;
  }

  /** `meta.sessions` names the engine that a caller brings. */
  #sessions(value: JsonObject): readonly TreeOperation[] {
    const { engine } = this.#wanted;
    const meta = value['meta'] ?? null;
    const sessions = isObject(meta) ? meta['sessions'] : undefined;
    if (engine === undefined || !isList(sessions)) return [];
    const other = engine === 'playwright' ? 'webdriver' : 'playwright';
    return sessions.flatMap((name, index) =>
      name === other ? [{ kind: 'replace' as const, route: ['meta', 'sessions', index], value: engine }] : [],
    );
  }

  /** `meta.defaults` of commands of the other engine, as far as these have counterparts. */
  #defaults(value: JsonObject): readonly TreeOperation[] {
    const { engine } = this.#wanted;
    const meta = value['meta'] ?? null;
    const defaults = isObject(meta) ? (meta['defaults'] ?? null) : null;
    if (engine === undefined || !isObject(defaults)) return [];
    return Object.entries(defaults).flatMap(([name, keywords]) => {
      const route = ['meta', 'defaults', name];
      if (!isObject(keywords)) return [];
      const step: WrittenStep = { form: 'object', name, positional: undefined, keywords, options: {} };
      const { step: changed, why } = onEngine(step, engine, (each) => this.#catalogue.get(each));
      const isTaken = changed !== step && Object.hasOwn(defaults, changed.name);
      const text = isTaken ? `${changed.name} has defaults already` : why;
      if (text !== undefined) this.#note({ route, part: 'value', text });
      if (changed === step || isTaken) return [];
      return [
        { kind: 'replace', route, value: changed.keywords ?? {} },
        { kind: 'rename-key', route, key: changed.name },
      ];
    });
  }

  #signatureOf(name: string): Signature | undefined {
    const known = this.#signatures.get(name);
    const info = known === undefined && this.#catalogue.has(name) ? this.#catalogue.get(name) : undefined;
    if (info === undefined) return known;
    const made = signatureOf(info);
    this.#signatures.set(name, made);
    return made;
  }
}

function rebuilt(parts: readonly Result[]): Result {
  return { value: parts.map(({ value }) => value), operations: parts.flatMap(({ operations }) => operations) };
}

/** A step whose blocks have changed, in the very shape that it had: a scalar stays one. */
function printAs(step: WrittenStep, value: Json): Json {
  const printed = printWritten(step);
  if (!isObject(value) || !isObject(printed)) return printed;
  return Object.fromEntries(Object.keys(value).map((key) => [key, printed[key] ?? null]));
}
