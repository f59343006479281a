import { readdirSync, readFileSync } from 'node:fs';

import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import { printJson, printYaml } from '#grammar/document/print.ts';

import { tree } from '../grammar/arbitraries.ts';
import { casesOf } from '../grammar/case-file.ts';

/** Texts to mutate: the inputs of all cases, the examples of the project, and printed values. */
export async function documentSeeds(format: 'json' | 'yaml'): Promise<Arbitrary<string>> {
  const names = format === 'json' ? ['json'] : ['yaml', 'yaml-broken'];
  const cases = await Promise.all(
    names.map((name) => casesOf(new URL(`../grammar/document/${name}.yaml`, import.meta.url))),
  );
  const texts = [
    ...cases.flat().map(({ input }) => input),
    ...(format === 'yaml' ? filesUnder(new URL('../../examples/', import.meta.url)) : []),
  ];
  return fc.oneof(
    fc.constantFrom(...texts),
    tree.map((value) => (format === 'json' ? printJson(value) : `${printYaml(value)}\n`)),
  );
}

/** The inputs of a small language's cases. */
export async function languageSeeds(name: string): Promise<Arbitrary<string>> {
  const cases = await casesOf(new URL(`../grammar/${name}/cases.yaml`, import.meta.url));
  return fc.constantFrom(...cases.map(({ input }) => input));
}

function filesUnder(folder: URL): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'));
}
