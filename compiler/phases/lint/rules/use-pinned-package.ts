import * as d from '#schemas/generated/diagnostics.ts';
import { isList } from '#schemas/types/json.ts';

import { literal, type Rule } from '../rule.ts';

/** Programs that load a package by name, and the words that may stand in front of that. */
const loaders: Readonly<Record<string, RegExp>> = {
  npx: /^$/,
  bunx: /^$/,
  uvx: /^$/,
  bun: /^(?:add|x)$/,
  npm: /^(?:install|i|add|exec)$/,
  pnpm: /^(?:add|dlx|install)$/,
  yarn: /^(?:add|dlx)$/,
  pip: /^install$/,
  pip3: /^install$/,
  pipx: /^(?:install|run)$/,
  gem: /^install$/,
  cargo: /^install$/,
  go: /^install$/,
};

/** Packages are loaded in a version that is named. */
export default {
  name: 'use-pinned-package',
  preset: 'recommended',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ gate }) => gate === 'shell')) {
      const command = call.info.gate === 'shell' ? literal(call, 'command') : undefined;
      if (!isList(command) || !command.every((word) => typeof word === 'string')) continue;
      const found = unpinned(command);
      if (found === undefined) continue;
      const at = call.argumentAt('command');
      report(d.usePinnedPackage({ at: { ...at, route: [...at.route, found] }, package: String(command[found]) }));
    }
  },
} satisfies Rule;

/** Flags that name a version, or a place other than that of the newest packages. */
const placed = /^(?:-v|--vers(?:ion)?|--path|--git|--spec)(?:=|$)/;

function unpinned(words: readonly string[]): number | undefined {
  const verbs = loaders[words[0] ?? ''];
  if (verbs === undefined) return undefined;
  let at = verbs.test('') ? 1 : 2;
  if (!verbs.test('') && !verbs.test(words[1] ?? '')) return undefined;
  while (words[at]?.startsWith('-')) at += 1;
  const name = words[at];
  if (/^(?:cargo|gem|pipx)$/.test(words[0] ?? '') && words.some((word) => placed.test(word))) return undefined;
  if (name === undefined || /^[./~]|:|\.(?:txt|tgz|whl)$/.test(name)) return undefined;
  return /^@?[^@]+(?:@v?\d|==)/.test(name) ? undefined : at;
}
