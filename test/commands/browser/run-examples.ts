import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import { parseCondition, prepareConditions } from '#grammar/condition/parse.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { Condition } from '#schemas/types/condition-tree.ts';
import { isObject } from '#schemas/types/json.ts';

import { lanes } from '../../fixtures/lanes.ts';
import { ownTemporary } from '../../fixtures/own-temporary.ts';
import { session, type Session } from '../call.ts';
import type { MakeWorld, World } from '../worlds/world.ts';

export interface Example {
  readonly run?: unknown;
  readonly rejects?: unknown;
  readonly with?: string;
  readonly before?: readonly unknown[];
  readonly given?: readonly string[];
  readonly expect?: string | readonly string[];
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Examples of a family as its declaration has them, with the command that each is about. */
export async function examplesOf(family: string): Promise<readonly (readonly [command: string, example: Example])[]> {
  const declared = load(await readFile(join(root, 'stdlib/browser', family, 'commands.yaml'), 'utf8')) as {
    readonly commands: readonly { readonly name: string; readonly examples?: readonly Example[] }[];
  };
  return declared.commands.flatMap(({ name, examples = [] }) => examples.map((example) => [name, example] as const));
}

/** Examples of one world that run at once: they spend much of their time waiting for pages. */
const laneCount = 2;

/** One test for each example that needs no compiler. Examples of one world share it: a few browsers serve all. */
export function runExamples(
  families: readonly string[],
  examples: readonly (readonly [command: string, example: Example])[],
): void {
  let folder = '';
  const opened: Worlds[] = [];
  // Lanes have folders of their own: examples write files of the same names.
  const lane = lanes(laneCount, async () => {
    const worlds = new Worlds(await mkdtemp(join(folder, 'lane-')));
    opened.push(worlds);
    return worlds;
  });
  ownTemporary();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-examples-'));
  });
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await rm(folder, { recursive: true, force: true });
  });

  test(`${families.join(', ')} have examples`, () => expect(examples.length).toBeGreaterThan(0));
  // What needs that nothing was found before comes before everything that finds.
  const ordered = examples.toSorted(
    ([, one], [, other]) => Number(needsNothingFound(other)) - Number(needsNothingFound(one)),
  );
  describe('examples', { shuffle: false }, () =>
    ordered.forEach(([command, example], index) => {
      // What the compiler refuses never reaches a browser.
      if (/^SVC[1-7]/.test(example.with ?? '')) return;
      const title = `${command} example ${index + 1}: ${example.rejects === undefined ? 'runs' : `rejects with ${example.with}`}`;
      test.concurrent(title, () => lane((worlds) => worlds.run(example)));
    }),
  );
}

/** The worlds of one lane; a world that can be reset serves many examples. */
class Worlds {
  readonly #folder: string;
  readonly #shared = new Map<string, Shared>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async run(example: Example): Promise<void> {
    const given = example.given ?? [];
    const key = given.join('+');
    const known = this.#shared.get(key) ?? (await Shared.open(given, this.#folder));
    this.#shared.set(key, known);
    try {
      await known.run(example);
    } finally {
      if (!known.reusable) {
        this.#shared.delete(key);
        await known.close();
      }
    }
  }

  async close(): Promise<void> {
    for (const each of this.#shared.values()) await each.close();
  }
}

function needsNothingFound(example: Example): boolean {
  return ['SVC81032', 'SVC81035'].includes(example.with ?? '');
}

async function conditionOf(source: string): Promise<Condition> {
  await prepareConditions([source]);
  const { tree } = parseCondition(source);
  if (!tree) throw new Error(`"${source}" is no condition`);
  return { source, tree };
}

/** Both forms of parameters become named ones. */
async function namedCall(action: unknown): Promise<[name: string, params: Readonly<Record<string, unknown>>]> {
  const [name, params = {}] = Array.isArray(action) ? (action as readonly unknown[]) : [action];
  if (typeof name !== 'string') throw new Error(`no action: ${JSON.stringify(action)}`);
  if (isObject(params)) return [name, params];
  await catalogue.prepare([name]);
  const positional = (catalogue.get(name)?.params ?? []).filter((param) => !param.keyword_only);
  const values = params as readonly unknown[];
  return [
    name,
    Object.fromEntries(
      positional.flatMap((param, index) => {
        const value = param.variadic ? values.slice(index) : values[index];
        return value === undefined || (value === null && index > 0) ? [] : [[param.name, value]];
      }),
    ),
  ];
}

/** A unit in given worlds. */
class Shared {
  readonly reusable: boolean;
  readonly #worlds: readonly World[];
  readonly #unit: Session;
  #fresh = true;

  static async open(given: readonly string[], folder: string): Promise<Shared> {
    const worlds = await Promise.all(
      given.map(async (name) => {
        const module = (await import(`../worlds/${name}.ts`)) as { readonly world: MakeWorld };
        return module.world({ root: folder });
      }),
    );
    const settings = Object.assign({}, ...worlds.map((world) => world.settings ?? {})) as NonNullable<
      World['settings']
    >;
    const unit = await session({ settings, root: folder, host: nodeHost({ cwd: folder }) });
    const shared = new Shared(worlds, unit);
    for (const world of worlds) for (const step of world.before ?? []) await shared.#step(step);
    return shared;
  }

  constructor(worlds: readonly World[], unit: Session) {
    this.#worlds = worlds;
    this.#unit = unit;
    this.reusable = worlds.some((world) => world.reset !== undefined);
  }

  async run(example: Example): Promise<void> {
    if (!this.#fresh) for (const world of this.#worlds) for (const step of world.reset ?? []) await this.#step(step);
    this.#fresh = false;
    for (const step of example.before ?? []) await this.#step(step);
    const conditions = example.expect === undefined ? [] : [example.expect].flat();
    const ended = await this.#end(example.run ?? example.rejects, conditions);
    if (example.rejects === undefined) expect(ended.failure).toBeUndefined();
    else expect(ended.failure?.facts.code, ended.failure?.message).toBe(example.with);
  }

  async close(): Promise<void> {
    await this.#unit.end();
    for (const world of this.#worlds) await world[Symbol.asyncDispose]();
  }

  async #step(action: unknown): Promise<void> {
    const { failure } = await this.#end(action, []);
    if (failure) throw failure;
  }

  async #end(action: unknown, conditions: readonly string[]): ReturnType<Session['step']> {
    const [name, params] = await namedCall(this.#fill(action));
    return this.#unit.step(
      name,
      params,
      conditions.length === 0 ? {} : { expect: await Promise.all(conditions.map(conditionOf)) },
    );
  }

  #fill(value: unknown): unknown {
    if (typeof value === 'string')
      return value.replace(
        /\$\{ENV\.(\w+)\}/g,
        (_, key: string) => this.#worlds.map((world) => world.env?.[key]).find((text) => text !== undefined) ?? '',
      );
    if (Array.isArray(value)) return value.map((part) => this.#fill(part));
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, this.#fill(part)]))
      : value;
  }
}
