import { parseText, rangesOf } from '#grammar/reference/parse.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Ref } from '#schemas/types/reference.ts';

import type { Rule } from '../rule.ts';

/** Letters that stand for parts of a date in other languages, and the directive of each. */
const MEANT: Readonly<Record<string, string>> = {
  YYYY: '%Y',
  yyyy: '%Y',
  YY: '%y',
  yy: '%y',
  MM: '%m',
  DD: '%d',
  dd: '%d',
  HH: '%H',
  hh: '%H',
  mm: '%M',
  ss: '%S',
};

/** A format of a date has directives. */
export default {
  name: 'no-constant-date',
  preset: 'recommended',
  hint: /date:[^%}]*\}/,
  texts:
    ({ at, report }) =>
    (text, path) => {
      if (!text.includes('date:')) return;
      for (const [index, part] of parseText(text).parts.entries()) {
        const format = typeof part === 'string' ? '' : formatOf(part);
        if (format === '' || format.includes('%')) continue;
        const route = path();
        const [from, to] = rangesOf(text)[index] ?? [0, text.length];
        const nearest = meantBy(format);
        const fixed = nearest && text.slice(from, to).replace(format, nearest);
        report(
          d.noConstantDate({
            at: at(route, [from, to]),
            format,
            nearest,
            fixes:
              fixed === undefined
                ? []
                : [
                    {
                      title: `write ${fixed}`,
                      safety: 'unsafe',
                      operations: [{ kind: 'replace-text', route, from, to, text: fixed }],
                    },
                  ],
          }),
        );
      }
    },
} satisfies Rule;

function formatOf({ ns, name }: Ref): string {
  if (ns === 'date') return name;
  return ns === 'run' && name.startsWith('date:') ? name.slice('date:'.length) : '';
}

/** `%Y-%m-%d` for `YYYY-MM-DD`; undefined where letters of another meaning are left. */
function meantBy(format: string): string | undefined {
  const pieces = format.match(/([A-Za-z])\1*|[^A-Za-z]+/g) ?? [];
  const meant = pieces.map((piece) =>
    Object.hasOwn(MEANT, piece) ? MEANT[piece] : piece === 'T' || !/[A-Za-z]/.test(piece) ? piece : undefined,
  );
  return meant.includes(undefined) || !meant.some((piece) => piece?.startsWith('%')) ? undefined : meant.join('');
}
