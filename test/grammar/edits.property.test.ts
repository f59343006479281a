import fc from 'fast-check';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';

import { textEdits } from '#grammar/document/edit/edit.ts';
import { overlay } from '#grammar/document/edit/overlay.ts';
import { printJson, printYaml } from '#grammar/document/print.ts';
import { readDocument } from '#grammar/document/read.ts';
import { isSameValue } from '#grammar/document/route.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import type { TreeOperation } from '#schemas/types/fix.ts';
import type { Json } from '#schemas/types/json.ts';

import { operationsOn, routesOf, scalar, tree } from './arbitraries.ts';

type Layout = 'json' | 'json-flow' | 'yaml' | 'yaml-dump' | 'yaml-flow' | 'yaml-comments';
const layouts: readonly Layout[] = ['json', 'json-flow', 'yaml', 'yaml-dump', 'yaml-flow', 'yaml-comments'];

function printed(value: Json, layout: Layout): string {
  switch (layout) {
    case 'json':
      return printJson(value);
    case 'json-flow':
      return printJson(value, 0);
    case 'yaml':
      return `${printYaml(value)}\n`;
    case 'yaml-dump':
      return dump(value, { lineWidth: 40 });
    case 'yaml-flow':
      return dump(value, { flowLevel: 1 });
    case 'yaml-comments':
      return commented(dump(value, { lineWidth: -1 }));
  }
}

/** A comment above each line that begins an entry; block texts keep their lines. */
function commented(text: string): string {
  let block = -1;
  return text
    .split('\n')
    .map((line, index) => {
      const indent = /^ */.exec(line)?.[0].length ?? 0;
      if (block >= 0 && (line.trim() === '' || indent > block)) return line;
      block = /(?:^|[ -:])[|>][-+0-9]*$/.test(line) ? indent : -1;
      return line.trim() === '' || !/^ *(?:- |[a-z_"']+.*:)/.test(line) || /["'][^"']*$/.test(line)
        ? line
        : `${' '.repeat(indent)}# above ${index}\n${line}`;
    })
    .join('\n');
}

async function document(
  text: string,
  layout: Layout,
): Promise<NonNullable<Awaited<ReturnType<typeof readDocument>>['document']>> {
  const { document: read, diagnostics } = await readDocument(text, {
    source: layout.startsWith('json') ? 'a.json' : 'a.yaml',
  });
  if (read === undefined || diagnostics.length > 0)
    throw new Error(`${diagnostics.map(({ message }) => message).join()}\n${text}`);
  return read;
}

const edited = tree.chain((value) =>
  fc.record({ value: fc.constant(value), operations: operationsOn(value), layout: fc.constantFrom(...layouts) }),
);

describe('text edits', () => {
  it('make what an overlay shows', () =>
    fc.assert(
      fc.asyncProperty(edited, async ({ value, operations, layout }) => {
        const before = await document(printed(value, layout), layout);
        const shown = overlay(before, operations);
        const after = await document(applyEdits(before.text, textEdits(before, operations)), layout);
        expect(isSameValue(after.value, shown.value)).toBe(true);
      }),
      { numRuns: 400 },
    ));

  it('have nothing to do the second time', () =>
    fc.assert(
      fc.asyncProperty(edited, async ({ value, operations, layout }) => {
        const replacements = operations.filter(({ kind }) => kind === 'replace');
        const before = await document(printed(value, layout), layout);
        const after = await document(applyEdits(before.text, textEdits(before, replacements)), layout);
        expect(textEdits(after, replacements)).toEqual([]);
      }),
      { numRuns: 150 },
    ));

  it('keep every comment when a scalar or a key changes', () =>
    fc.assert(
      fc.asyncProperty(tree, scalar, fc.nat(), async (value, fresh, pick) => {
        const before = await document(printed(value, 'yaml-comments'), 'yaml-comments');
        const scalars = routesOf(value).filter(
          (route) =>
            route.length > 0 &&
            before.spanAt(route).end > before.spanAt(route).start &&
            typeof at(value, route) !== 'object',
        );
        const route = scalars[pick % Math.max(1, scalars.length)];
        if (route === undefined) return;
        const operations: readonly TreeOperation[] = [{ kind: 'replace', route, value: fresh }];
        const after = await document(applyEdits(before.text, textEdits(before, operations)), 'yaml-comments');
        expect(after.comments().map(({ text }) => text)).toEqual(before.comments().map(({ text }) => text));
      }),
      { numRuns: 200 },
    ));
});

function at(value: Json, route: readonly (string | number)[]): unknown {
  return route.reduce<unknown>((found, step) => (found as Record<string | number, unknown>)[step], value);
}

describe('overlays', () => {
  it('point to where values came from', () =>
    fc.assert(
      fc.asyncProperty(edited, async ({ value, operations, layout }) => {
        const before = await document(printed(value, layout), layout);
        const shown = overlay(before, operations);
        for (const route of routesOf(shown.value)) {
          const { start, end } = shown.spanAt(route);
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeLessThanOrEqual(before.text.length);
          const origin = shown.originOf(route);
          // What was neither made nor changed inside has its own text.
          if (origin !== undefined) expect(shown.spanAt(route)).toEqual(before.spanAt(origin));
        }
      }),
      { numRuns: 150 },
    ));

  it('leave what they were laid over as it was', () =>
    fc.assert(
      fc.asyncProperty(edited, async ({ value, operations, layout }) => {
        const before = await document(printed(value, layout), layout);
        const copy = structuredClone(before.value);
        overlay(before, operations);
        expect(before.value).toEqual(copy);
      }),
      { numRuns: 100 },
    ));
});
