import { readdir, readFile } from 'node:fs/promises';

import { load } from 'js-yaml';

/** One thing that both engines must do alike, as steps in neutral words. */
export interface Scenario {
  /** The name of the file that holds it. */
  readonly subject: string;
  readonly name: string;
  /** Opened before the steps. */
  readonly page: string;
  readonly steps: readonly ScenarioStep[];
  /** Reason why the engines give different records here. A scenario fails once they no longer do. */
  readonly differs?: string;
}

/** A verb of `verbs.ts`, its parameters, and what both engines must answer: a value, or `{ error: code }`. */
export type ScenarioStep = readonly [verb: string, params?: Readonly<Record<string, unknown>>, wanted?: unknown];

const folder = new URL('scenarios/', import.meta.url);

/** All scenarios, by subject and place in their file. */
export async function readScenarios(): Promise<readonly Scenario[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).toSorted();
  const lists = await Promise.all(
    files.map(async (name) => {
      const list = load(await readFile(new URL(name, folder), 'utf8')) as readonly Omit<Scenario, 'subject'>[];
      return list.map((scenario) => ({ ...scenario, subject: name.replace('.yaml', '') }));
    }),
  );
  return lists.flat();
}
