import { isMetaKey, type Places } from '#schemas/types/plan.ts';

import type { Mapping } from './source-map.ts';

/** Parts of one program: the linked library, and data that it reads as `__svc_program`. */
export interface ProgramParts {
  /** Canonical JSON of the plan, and its SHA-256 in hex. */
  readonly plan: string;
  readonly hash: string;
  readonly places: Places;
  /** JSON of the run part of the configuration. */
  readonly settings: string;
  /** Code linked from the standard library. */
  readonly library: string;
  /** The package that made it, with its version, for the first line. */
  readonly generator: string;
  readonly debug: boolean;
  /** Packages that the linked code imports, with the versions that it was tested with. */
  readonly packages: Readonly<Record<string, readonly string[]>>;
  /** Packages of modules that the plan calls, with the versions that were installed when it was made. */
  readonly modules: Readonly<Record<string, readonly string[]>>;
}

export interface ProgramText {
  /** Pieces of the text, in order: joined, one sign beyond Latin-1 in the library would double the plan's memory. */
  readonly pieces: readonly string[];
  /** Sources that `mappings` speak of, in the order of their first step. */
  readonly sources: readonly string[];
  readonly mappings: readonly Mapping[];
}

const PLAN_START = 'const __svc_text = ';

/**
 * The text of a program: its data first, then the library, whose code refers to the data by a name. Data enters the
 * code only as string literals that JSON.parse reads, so no text of a user is ever code, and `__proto__` is a key like
 * others. With `debug`, each step has a line of its own to stop at, which its mapping ties to the action file.
 */
export function programText(parts: ProgramParts): ProgramText {
  const lines = [', __svc_plan = JSON.parse(__svc_text);'];
  const places = Object.values(parts.places);
  const sources = [...new Set(places.map(({ file }) => file))];
  const mappings = parts.debug ? stops(parts.places, sources, lines) : literals(parts.plan, parts.places, sources);
  lines.push(
    'const __svc_program = {',
    `  plan: __svc_plan, text: __svc_text, hash: ${JSON.stringify(parts.hash)}, settings: JSON.parse(${quoted(parts.settings)}),`,
    `  packages: JSON.parse(${quoted(JSON.stringify(parts.packages))}), modules: JSON.parse(${quoted(JSON.stringify(parts.modules))}),`,
    `  get places() { return JSON.parse(${quoted(JSON.stringify(parts.places))}); },`,
    ...(parts.debug ? ['  stops: __svc_stops,'] : []),
    '};\n',
  );
  const start = `// Made by ${parts.generator}. Compile again instead of editing.\n${PLAN_START}`;
  return { pieces: [start, quoted(parts.plan), lines.join('\n'), parts.library], sources, mappings };
}

/**
 * JSON as a literal of the program. Between single quotes most of it stands as it is: it takes a third of the time and
 * is shorter than between double ones.
 */
function quoted(json: string): string {
  const plain = json.includes('\\') ? json.replaceAll('\\', '\\\\') : json;
  return `'${plain.includes("'") ? plain.replaceAll("'", "\\'") : plain}'`;
}

/** Counts, part by part, the characters of JSON that have a backslash before them in its literal. */
class Escapes {
  readonly #json: string;
  /** The next backslash and the next quote; the end where there is no further one. */
  #backslash: number;
  #quote: number;

  constructor(json: string) {
    this.#json = json;
    this.#backslash = this.#next('\\', 0);
    this.#quote = this.#next("'", 0);
  }

  /** Number of those before an offset that were not counted yet. */
  before(to: number): number {
    let count = 0;
    for (; this.#backslash < to; count += 1) this.#backslash = this.#next('\\', this.#backslash + 1);
    for (; this.#quote < to; count += 1) this.#quote = this.#next("'", this.#quote + 1);
    return count;
  }

  #next(sign: string, from: number): number {
    const at = this.#json.indexOf(sign, from);
    return at < 0 ? this.#json.length : at;
  }
}

/** Adds one line a place; the kernel calls a step's line before the step, so that a debugger can stop there. */
function stops(places: Places, sources: readonly string[], lines: string[]): Mapping[] {
  const call = '  (step, parameters) => step,';
  lines.push('const __svc_stops = [');
  const mappings = Object.entries(places).flatMap(([key, place]) => {
    lines.push(isMetaKey(key) ? '  undefined,' : call);
    if (isMetaKey(key)) return [];
    return {
      line: lines.length,
      column: call.lastIndexOf('step'),
      source: sources.indexOf(place.file),
      sourceLine: place.line - 1,
      sourceColumn: place.column - 1,
    };
  });
  lines.push('];');
  return mappings;
}

/**
 * Ties the place of each step's id in the plan's literal to the step: what stands where, for whoever reads the program.
 */
function literals(plan: string, places: Places, names: readonly string[]): Mapping[] {
  const sources = new Map(names.map((source, index) => [source, index]));
  const mappings: Mapping[] = [];
  let read = 0;
  let column = PLAN_START.length + 1;
  const escapes = new Escapes(plan);
  for (const match of plan.matchAll(/"id":("(?:[^"\\]|\\.){0,65536}")/g)) {
    // Arguments may have ids too, with names that every object knows.
    const text = match[1] ?? '""';
    const id = text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
    const place = Object.hasOwn(places, id) ? places[id] : undefined;
    if (place === undefined) continue;
    column += match.index - read + escapes.before(match.index);
    read = match.index;
    mappings.push({
      line: 1,
      column,
      source: sources.get(place.file) ?? 0,
      sourceLine: place.line - 1,
      sourceColumn: place.column - 1,
    });
  }
  return mappings;
}
