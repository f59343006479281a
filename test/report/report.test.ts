import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'vitest';

import { lint } from '#compiler/api.ts';
import { openCatalogue } from '#compiler/catalogue.ts';
import { sourcesOf } from '#compiler/engine/sources-of.ts';
import { annotations } from '#compiler/report/annotations.ts';
import { human } from '#compiler/report/human.ts';
import { json } from '#compiler/report/json.ts';
import { locate } from '#compiler/report/locate.ts';
import { sarif, withReasons } from '#compiler/report/sarif.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';

import { misfits } from '../contracts/schema-of.ts';
import { suite, type SuiteCase } from '../suite.ts';

const catalogue = openCatalogue();
const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
/** The published schema, whole: draft 4, of which it uses nothing that draft 7 reads otherwise. */
const published = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
formats.default(published);
const isPublishedSarif = published.compile(
  JSON.parse(readFileSync(join(import.meta.dirname, 'sarif-published.schema.json'), 'utf8')) as object,
);
const isSarif = ajv.compile(JSON.parse(readFileSync(join(import.meta.dirname, 'sarif.schema.json'), 'utf8')) as object);

const names = {
  'human.txt': 'human',
  'annotations.txt': 'annotations',
  'diagnostics.json': 'json',
  'report.sarif': 'sarif',
} as const;

/**
 * Every format is held to its schema; `formats.json` of a case names those that are kept as goldens (`human.txt`
 * alone).
 */
suite('reports of findings', {
  folder: join(import.meta.dirname, 'cases'),
  isGolden: (path) => Object.hasOwn(names, path),
  mostLines: 140,
  run: async ({ files }: SuiteCase) => {
    const kept = JSON.parse(files.get('formats.json') ?? '["human.txt"]') as readonly string[];
    const host = memoryHost({ cwd: '/work' });
    const listed = [...files.keys()].filter((name) => name !== 'formats.json').toSorted();
    for (const name of listed)
      await host.files.write(`/work/${name}`, (files.get(name) ?? '').replaceAll('␍\n', '\r\n'), { parents: true });
    const written = listed.filter((name) => /\.(?:ya?ml|json)$/.test(name));
    const meantSo: (readonly [diagnostic: Diagnostic, reason: string])[] = [];
    const onSuppressed = (...told: (typeof meantSo)[number]): void => void meantSo.push(told);
    const linted = await lint(
      written.map((name) => ({ path: `/work/${name}` })),
      { root: '/work', catalogue, lint: { preset: 'strict' }, onSuppressed },
      host,
    );
    const sources = sourcesOf(linted.compilation.files);
    const located = locate(linted.diagnostics, sources);
    const suppressed = withReasons(
      meantSo.map(([diagnostic]) => diagnostic),
      meantSo.map(([, reason]) => reason),
      (each) => locate(each, sources),
    );
    const texts: Readonly<Record<keyof typeof names, string>> = {
      'human.txt': human(located, { colour: false, files: written.length }),
      'annotations.txt': annotations(located),
      'diagnostics.json': json(located, sources, written.length),
      'report.sarif': sarif(located, sources, {
        version: '0.0.0',
        about: () => ({ text: 'What it means.', severity: 'warning' }),
        suppressed,
      }),
    };
    expect(misfits('diagnostic', JSON.parse(texts['diagnostics.json']))).toEqual([]);
    checkSarif(texts['report.sarif'], located.length + suppressed.length);
    expect(texts['annotations.txt'].split('\n').length - 1, 'an annotation a line').toBe(located.length);
    return new Map(Object.entries(texts).filter(([name]) => kept.includes(name)));
  },
});

interface Log {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly results: readonly {
        readonly ruleId: string;
        readonly ruleIndex: number;
        readonly partialFingerprints: Readonly<Record<string, string>>;
      }[];
    },
  ];
}

function checkSarif(text: string, count: number): void {
  const log = JSON.parse(text) as Log;
  expect(isSarif(log), ajv.errorsText(isSarif.errors?.slice(0, 3))).toBe(true);
  expect(isPublishedSarif(log), published.errorsText(isPublishedSarif.errors?.slice(0, 3))).toBe(true);
  const [{ tool, results }] = log.runs;
  expect(results.length).toBe(count);
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  expect(
    new Set(results.map(({ partialFingerprints }) => Object.values(partialFingerprints).join())).size,
    'fingerprints tell findings apart',
  ).toBe(results.length);
}
