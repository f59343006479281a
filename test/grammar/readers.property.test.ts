import fc from 'fast-check';
import { dump } from 'js-yaml';
import { describe, expect, it } from 'vitest';

import type { Findings as FindingsType } from '#grammar/document/findings.ts';
import { Findings } from '#grammar/document/findings.ts';
import { reportJsonErrors } from '#grammar/document/json/errors.ts';
import { scanJson } from '#grammar/document/json/scan.ts';
import { printJson, printYaml } from '#grammar/document/print.ts';
import { readDocument } from '#grammar/document/read.ts';
import { isSameValue, valueAt } from '#grammar/document/route.ts';
import type { Json } from '#schemas/types/json.ts';

import { mutated, routesOf, tree, value } from './arbitraries.ts';

async function read(
  text: string,
  format: 'json' | 'yaml',
): Promise<NonNullable<Awaited<ReturnType<typeof readDocument>>['document']>> {
  const { document, diagnostics } = await readDocument(text, { source: `case.${format}` });
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  if (document === undefined) throw new Error('There is no document.');
  return document;
}

describe('values survive printing and reading', () => {
  it('as JSON', () =>
    fc.assert(
      fc.asyncProperty(value, fc.constantFrom(0, 1, 2), async (one, indent) => {
        expect((await read(printJson(one, indent), 'json')).value).toEqual(one);
        expect((await read(JSON.stringify(one, null, indent), 'json')).value).toEqual(JSON.parse(JSON.stringify(one)));
      }),
    ));

  it('as YAML', () =>
    fc.assert(
      fc.asyncProperty(value, async (one) => {
        expect((await read(`${printYaml(one)}\n`, 'yaml')).value).toEqual(one);
      }),
      { numRuns: 300 },
    ));

  it('as YAML of another printer', () =>
    fc.assert(
      fc.asyncProperty(value, fc.constantFrom(-1, 0, 1, 2), async (one, flowLevel) => {
        // In a list: that printer counts the indentation of a text that is a whole document from a column before it.
        const text = dump([one], { flowLevel, lineWidth: 40 });
        expect((await read(text, 'yaml')).value).toEqual([one]);
      }),
      { numRuns: 300 },
    ));
});

describe('places', () => {
  it.each(['json', 'yaml'] as const)('of every value hold its text: %s', (format) =>
    fc.assert(
      fc.asyncProperty(tree, fc.boolean(), async (one, foreign) => {
        const text =
          format === 'json' ? printJson(one) : foreign ? dump(one, { lineWidth: 30 }) : `${printYaml(one)}\n`;
        const document = await read(text, format);
        for (const route of routesOf(one)) {
          const at = valueAt(one, route) as Json;
          const span = document.spanAt(route);
          const isBlock = /^[|>]/.test(text.slice(span.start, span.end));
          if (!isBlock) expect(isSameValue(await reread(text, span, format, at), at)).toBe(true);
          expect(document.routeAt(span.start).slice(0, route.length)).toEqual(route);
          if (typeof route.at(-1) === 'string')
            expect(await alone(text.slice(...ends(document.spanAt(route, 'key'))), format)).toBe(route.at(-1));
        }
      }),
      { numRuns: 150 },
    ),
  );

  it.each(['json', 'yaml'] as const)('of parts of texts: %s', (format) =>
    fc.assert(
      fc.asyncProperty(tree, fc.nat(20), fc.boolean(), async (one, offset, foreign) => {
        const text =
          format === 'json' ? printJson(one) : foreign ? dump(one, { lineWidth: 20 }) : `${printYaml(one)}\n`;
        const document = await read(text, format);
        for (const route of routesOf(one)) {
          const at = valueAt(one, route);
          if (typeof at !== 'string') continue;
          const from = Math.min(offset, at.length);
          const { start, end } = document.spanAt(route, [from, from + 1]);
          const whole = document.spanAt(route);
          expect(start).toBeGreaterThanOrEqual(whole.start);
          expect(end).toBeLessThanOrEqual(whole.end);
          // A character that needs no escape stands there as it is.
          if (/[a-z0-9]/.test(at.charAt(from))) expect(text.slice(start, end)).toBe(at.charAt(from));
        }
      }),
      { numRuns: 150 },
    ),
  );
});

function ends({ start, end }: { readonly start: number; readonly end: number }): [number, number] {
  return [start, end];
}

/** The value of a piece of text by itself; lines of a block keep the column of the first. */
async function reread(
  text: string,
  span: { readonly start: number; readonly end: number },
  format: 'json' | 'yaml',
  at: Json,
): Promise<Json> {
  if (span.start === span.end) return null;
  const column = span.start - (text.lastIndexOf('\n', span.start - 1) + 1);
  const isBlock = format === 'yaml' && typeof at === 'object' && at !== null && !/[[{]/.test(text.charAt(span.start));
  if (isBlock) return (await read(`${' '.repeat(column)}${text.slice(span.start, span.end)}\n`, format)).value;
  return alone(text.slice(span.start, span.end), format);
}

/** The value of a text that is no block; inside of a list, where `---` and `...` are no marks. */
async function alone(text: string, format: 'json' | 'yaml'): Promise<Json> {
  const { value: list } = await read(format === 'json' ? `[${text}]` : `- ${text}\n`, format);
  return (list as readonly Json[])[0] as Json;
}

describe('both JSON readers agree', () => {
  it('on values', () =>
    fc.assert(
      fc.property(value, (one) => {
        expect(errorsOf(printJson(one)).diagnostics.map(({ slug }) => slug)).toEqual(['json-syntax']);
      }),
    ));

  it('on any text', () =>
    fc.assert(
      fc.property(mutated(value.map((one) => printJson(one))), (text) => {
        if (scanJson(text, 256).tooDeepAt !== undefined) return;
        const [first] = errorsOf(text).diagnostics;
        // The tolerant reader says "json-syntax" where it finds nothing.
        expect(first?.slug === 'json-syntax').toBe(isJson(text));
      }),
      { numRuns: 1000 },
    ));
});

function errorsOf(text: string): FindingsType {
  const findings = new Findings('case.json');
  reportJsonErrors(text, findings);
  return findings;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
