import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type ResolvedCall, type Rule } from '../rule.ts';

/** Compressions by the endings of names that promise them. */
const PROMISES: readonly (readonly [ending: RegExp, compression: string])[] = [
  [/\.(?:tar\.gz|tgz)$/i, 'gz'],
  [/\.(?:tar\.xz|txz)$/i, 'xz'],
  [/\.(?:tar\.bz2|tbz2?)$/i, 'bz2'],
  [/\.(?:tar\.zst|tzst)$/i, 'zst'],
  [/\.tar$/i, 'none'],
];

/** The name of an archive says how it is compressed: other programs go by it. */
export default {
  name: 'no-misnamed-archive',
  preset: 'recommended',
  hint: /\.t/i,
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ name }) => name === 'FA_create_tar')) {
      const target = literal(call, 'target');
      const compression = compressionOf(call);
      if (typeof target !== 'string' || compression === undefined) continue;
      const [, promised] = PROMISES.find(([ending]) => ending.test(target)) ?? [];
      if (promised === undefined || promised === compression) continue;
      report(d.noMisnamedArchive({ at: call.argumentAt('target'), target, compression, promised }));
    }
  },
} satisfies Rule;

/** The compression that is used, where it is literal. */
function compressionOf(call: ResolvedCall): string | undefined {
  const written = literal(call, 'compression');
  if (written === null || written === '') return 'none';
  return typeof written === 'string' ? written.toLowerCase() : undefined;
}
