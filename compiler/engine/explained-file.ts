import type { Compilation, CompileOptions } from '#compiler/api.ts';
import { stepRoute } from '#compiler/phases/3-parse/routes.ts';
import type { Document } from '#grammar/document/document.ts';
import { linesOf, type Lines } from '#grammar/source/lines.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { SourceId } from '#schemas/types/place.ts';
import type { Node, Unit } from '#schemas/types/plan.ts';
import { everyNode } from '#schemas/types/walk-nodes.ts';

/**
 * Facts about a file that are known before it runs (`svc plan --types`, `svc explain FILE`). Types are JSON
 * schemas; an empty one is any value.
 */
export interface ExplainedFile {
  readonly file: SourceId;
  readonly inputs: readonly JsonObject[];
  /** Schemas of `meta.returns`, by name. */
  readonly returns?: JsonObject;
  /** Session kinds: those that a caller must bring, those that are opened and closed, for certain or on some ways. */
  readonly sessions: {
    readonly needs: readonly string[];
    readonly opens: readonly string[];
    readonly closes: readonly string[];
    readonly possible: readonly string[];
  };
  readonly needs: Unit['needs'];
  readonly steps: readonly ExplainedStep[];
}

export interface ExplainedStep {
  readonly id: string;
  /** The file in which it stands, where that is one that is used. */
  readonly file?: SourceId;
  readonly line: number;
  readonly endLine: number;
  readonly command: string;
  readonly result: JsonObject;
  /** Variables that it defines. */
  readonly defines: JsonObject;
  /** Variables that are there when it begins; only of the steps that were asked for. */
  readonly scope?: readonly KnownVariable[];
  /** Sessions that are open, or may be, when it begins. */
  readonly open?: readonly string[];
  /** Reasons why it may not run. */
  readonly skipped: readonly string[];
  /** It has an error for which nothing is known of what it does. */
  readonly isUnread?: true;
}

export interface KnownVariable {
  readonly name: string;
  readonly type: JsonObject;
  /** Whether it is not defined on every way. */
  readonly maybe?: true;
}

type Follow = NonNullable<CompileOptions['follow']>;
type Followed = Parameters<Follow>[0];

/**
 * Hears of the steps of files while they are compiled. `line`: the one whose scope is kept, in files that were named.
 */
export class Following {
  readonly #line: number | undefined;
  readonly #lines = new Map<Document, Lines>();
  readonly #steps = new Map<
    Followed['step'],
    {
      readonly document: Document;
      readonly result: JsonObject;
      readonly defines: JsonObject;
      readonly scope?: readonly KnownVariable[];
      readonly open?: readonly string[];
    }
  >();

  constructor(line?: number) {
    this.#line = line;
  }

  readonly follow: Follow = (followed) => {
    const { step, document } = followed;
    if (followed.moment === 'after') {
      const before = this.#steps.get(step);
      this.#steps.set(step, { ...before, document, result: followed.result(), defines: followed.defines() });
      return;
    }
    if (this.#line === undefined) return;
    const { line, endLine } = this.#placeOf(step, document);
    if (this.#line < line || endLine < this.#line) return;
    const known = { scope: followed.scope(), open: followed.open() };
    this.#steps.set(step, { document, result: {}, defines: {}, ...known });
  };

  /** The files that were named; of those with errors what could be read. */
  files(compilation: Compilation): readonly ExplainedFile[] {
    return compilation.files
      .filter(({ isPulledIn }) => !isPulledIn)
      .flatMap(({ source }) => this.#file(source, compilation) ?? []);
  }

  #file(source: SourceId, compilation: Compilation): ExplainedFile | undefined {
    const isBroken = compilation.isBroken(source);
    const [planned] = (isBroken ? compilation.partialUnits(source) : compilation.units(source)) ?? [];
    if (planned === undefined) return undefined;
    const { unit, nodes } = planned;
    const { returns, ...sessions } = compilation.signature(source);
    const reasons = reasonsOf(unit);
    return {
      file: source,
      inputs: unit.inputs.map((input) => ({ ...input })),
      ...(returns && { returns }),
      sessions,
      needs: unit.needs,
      steps: [
        ...nodes.map(({ node, call: { step }, document }) =>
          ofFile(
            document,
            source,
            this.#stepOf(step, document, node.id.slice(node.id.indexOf('#') + 1), reasons(node)),
          ),
        ),
        ...this.#unread(source, new Set(nodes.map(({ call }) => call.step))),
      ],
    };
  }

  #stepOf(step: Followed['step'], document: Document, id: string, skipped: readonly string[]): ExplainedStep {
    const { result = {}, defines = {}, scope, open } = this.#steps.get(step) ?? {};
    return {
      id,
      ...this.#placeOf(step, document),
      command: step.command,
      result,
      defines,
      ...(scope && { scope }),
      ...(open && { open }),
      skipped,
    };
  }

  #placeOf(step: Followed['step'], document: Document): Pick<ExplainedStep, 'line' | 'endLine'> {
    const lines = this.#lines.get(document) ?? linesOf(document.text);
    this.#lines.set(document, lines);
    const { start, end } = document.spanAt(stepRoute(step));
    return { line: lines.position(start).line, endLine: lines.position(end).line };
  }

  /** Steps of a file on the line that was asked for, of which an error leaves nothing but what comes before them. */
  #unread(source: SourceId, read: ReadonlySet<Followed['step']>): readonly ExplainedStep[] {
    return [...this.#steps]
      .filter(([step, { document }]) => document.source === source && !read.has(step))
      .map(([step, { document }]) => {
        const id = step.options?.id ?? String(step.index);
        return { ...this.#stepOf(step, document, id, []), isUnread: true };
      });
  }
}

function ofFile(document: Document, source: SourceId, { id, ...step }: ExplainedStep): ExplainedStep {
  return { id, ...(document.source !== source && { file: document.source }), ...step };
}

/** Finder of reasons why steps of a unit may be skipped. */
function reasonsOf({ setup, body, teardown, order }: Unit): (node: Node) => readonly string[] {
  const all = everyNode([...setup, ...body, ...teardown]);
  const makers = new Map<string, Node[]>();
  for (const node of all)
    for (const made of node.provides ?? []) {
      const known = makers.get(made);
      if (known) known.push(node);
      else makers.set(made, [node]);
    }
  const first = new Set([setup[0]?.id, body[0]?.id]);
  const own = new Set(body.map(({ id }) => id));
  return (node) => {
    const reasons: string[] = [];
    if (node.when) reasons.push(`its \`when\` does not hold: ${node.when.source}`);
    for (const id of node.after ?? []) reasons.push(`${idOf(id)} failed or was skipped`);
    // A form reads, when its block has run, values that are made in there.
    const inside = new Set(node.uses === undefined ? [] : everyNode([node]));
    for (const used of node.uses ?? []) {
      const maker = makers.get(used)?.find((each) => !inside.has(each));
      const [kind = '', name = ''] = used.split(':');
      if (maker) reasons.push(`${idOf(maker.id)} did not make the ${kind} "${name}"`);
    }
    if (own.has(node.id) && !first.has(node.id) && order.kind === 'list' && order.on_failure === 'stop')
      reasons.push('a step before it failed');
    return reasons;
  };
}

function idOf(id: string): string {
  return id.slice(id.indexOf('#'));
}

/** A type as people read it: `text`, `{mail: text}`, `list of number or null`. */
export function typeText(schema: Json, depth = 0): string {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return 'any value';
  const { type, properties, items, anyOf, oneOf } = schema as JsonObject;
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return [...new Set(choices.map((each) => typeText(each, depth)))].join(' or ');
  if (type === undefined) return 'any value';
  const words = (Array.isArray(type) ? type : [type]).map((word) => {
    if (word === 'object' && properties !== undefined && depth < 3)
      return `{${Object.entries(properties as JsonObject)
        .map(([key, each]) => `${key}: ${typeText(each, depth + 1)}`)
        .join(', ')}}`;
    if (word === 'array') return items === undefined ? 'list' : `list of ${typeText(items, depth + 1)}`;
    return TYPE_WORDS[String(word)] ?? String(word);
  });
  return [...new Set(words)].join(' or ');
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
};
