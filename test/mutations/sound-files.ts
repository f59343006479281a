import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openCatalogue } from '#compiler/catalogue.ts';
import { readDocument } from '#grammar/document/read.ts';
import type { CommandInfo } from '#schemas/types/command.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

export interface SoundFile {
  readonly name: string;
  readonly value: JsonObject;
}

const root = join(import.meta.dirname, '../..');

/**
 * Action files without mistakes: one of each example of a declaration, with what stands before it there, and those of
 * the repository.
 */
export async function soundFiles(): Promise<readonly SoundFile[]> {
  return [...(await ofDeclarations()), ...(await ofRepository())];
}

async function ofDeclarations(): Promise<readonly SoundFile[]> {
  const all = await openCatalogue().all();
  const sessions = new Map(all.map((command) => [command.name, command.sessions]));
  return all
    .filter(({ implemented, replaced_by }) => implemented && replaced_by === undefined)
    .flatMap(({ name, examples = [] }) =>
      examples.flatMap((example, index) => {
        if (!('run' in example)) return [];
        const steps = [...(example.before ?? []), example.run].map(objectForm);
        return [{ name: `${name} ${index}`, value: { actions: [...openersOf(steps, sessions), ...steps] } }];
      }),
    );
}

async function ofRepository(): Promise<readonly SoundFile[]> {
  const files: SoundFile[] = [];
  for (const name of globSync(['examples/*/*.yaml', 'test/rules/*/valid-*.yaml'], { cwd: root }).toSorted()) {
    if (/config\.yaml$|mock\.yaml$|suppress|unknown-rule|duplicate-name/.test(name)) continue;
    const { document } = await readDocument(readFileSync(join(root, name), 'utf8'), { source: name });
    const value = document?.value;
    if (value !== undefined && isObject(value)) files.push({ name, value });
    else if (value !== undefined && isList(value)) files.push({ name, value: { actions: value } });
  }
  return files;
}

type Sessions = ReadonlyMap<string, CommandInfo['sessions']>;

const openers: Readonly<Record<string, Json>> = {
  audit: { FA_audit_open: { db_path: 'audit.db' } },
  playwright: { WR_pw_launch: null },
  webdriver: { WR_set_driver: { webdriver_name: 'chrome' } },
};

/**
 * Steps for the sessions that the tests of examples have open already: the browsers that the steps use before
 * they open one.
 */
function openersOf(steps: readonly Json[], sessions: Sessions): readonly Json[] {
  const open = new Set<string>();
  const found: Json[] = [];
  for (const [name, given] of steps.flatMap((step) => (isObject(step) ? Object.entries(step) : []))) {
    const { uses: usual, by, opens } = sessions.get(name) ?? {};
    const named = by === undefined || !isObject(given) ? undefined : given[by];
    const uses = typeof named === 'string' ? named : usual;
    const opener = uses === undefined || open.has(uses) ? undefined : openers[uses];
    if (opener !== undefined && uses !== undefined) {
      found.push(opener);
      open.add(uses);
    }
    if (opens !== undefined) open.add(opens);
  }
  return found;
}

/** A step with its parameters by name, where they are: the form that most faults are made in. */
function objectForm(step: Json): Json {
  if (typeof step === 'string') return { [step]: null };
  if (!isList(step)) return step;
  const [name, params, options] = step;
  if (typeof name !== 'string') return step;
  if (step.length === 1) return { [name]: null };
  if (options === undefined || isObject(options)) {
    if (params !== undefined && isObject(params)) return { [name]: params, ...options };
    if (options === undefined && isList(params)) return { [name]: params };
  }
  return step;
}
