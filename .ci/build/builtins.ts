import { createRequire } from 'node:module';
import { relative } from 'node:path';

import type { Plugin, PluginBuild } from 'esbuild';

import { root } from '../steps.ts';

const require = createRequire(import.meta.url);
const FOLDER = 'builtin-module';

/**
 * Takes modules of Node without an import. For an import Node asks the module for each of its exports, which loads what
 * stands behind them: streams for `node:fs`, worker threads for `node:util`. Names that nobody uses are left out.
 */
export const builtinModules: Plugin = {
  name: 'builtin-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: FOLDER, sideEffects: false } : undefined,
    );
    giveText(onLoad);
  },
};

/**
 * The same, taken by each source for itself: shared, each module of Node would be a file of a line or two, and a file
 * takes longer to load than the line to run.
 */
export const ownBuiltinModules: Plugin = {
  name: 'own-builtin-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind, importer }) =>
      kind === 'import-statement'
        ? {
            path,
            suffix: `?${relative(root, importer).replaceAll(/[\\/]/g, ':')}`,
            namespace: FOLDER,
            sideEffects: false,
          }
        : undefined,
    );
    giveText(onLoad);
  },
};

function giveText(onLoad: PluginBuild['onLoad']): void {
  onLoad({ filter: /./, namespace: FOLDER }, ({ path }) => ({ contents: textFor(path), loader: 'js' }));
}

/** Modules of Node that take a millisecond and more to load, most for their streams: their functions load them. */
const slow = new Set([
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:readline',
  'node:stream/promises',
]);

function textFor(path: string): string {
  const whole = require(path) as Readonly<Record<string, unknown>>;
  const names = Object.keys(whole).filter((name) => name !== 'default' && /^[\w$]+$/.test(name));
  const get = `process.getBuiltinModule(${JSON.stringify(path)})`;
  const isLater = (name: string): boolean => slow.has(path) && /^[a-z]/.test(name) && isPlainFunction(whole[name]);
  return [
    `const whole = /* @__PURE__ */ ${get};`,
    'export default whole;',
    ...names.map((name) =>
      isLater(name)
        ? `export const ${name} = (...given) => ${get}.${name}(...given);`
        : // The mark says that asking does nothing by itself.
          `const its_${name} = /* @__PURE__ */ (() => whole.${name})();\nexport { its_${name} as ${name} };`,
    ),
  ].join('\n');
}

/**
 * The text of a bundle in which asking a module of Node for a name is marked again as doing nothing by itself: esbuild
 * has taken the marks away, and a program would keep each name that another part of the same bundle uses.
 */
export function marked(text: string): string {
  return text.replaceAll(/^var (its_[\w$]+) = (whole\d*)\.([\w$]+);$/gm, 'var $1 = /* @__PURE__ */ (() => $2.$3)();');
}

/** Whether nobody can tell a function that calls it from the function itself: no class, no marks on it. */
function isPlainFunction(value: unknown): boolean {
  return typeof value === 'function' && Object.getOwnPropertySymbols(value).length === 0;
}

/** The part of undici that speaks HTTP/2: as large as the rest, and it loads `node:http2` with all of TLS. */
const HTTP2 = /[\\/]undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/;
const WHOLE = '?whole';

/** Evaluates undici's HTTP/2 part when a connection speaks it first. */
export const lazyHttp2: Plugin = {
  name: 'lazy-http2',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /client-h2\.js\?whole$/ }, ({ importer }) => ({ path: importer, suffix: WHOLE }));
    onLoad({ filter: HTTP2 }, ({ suffix }) =>
      suffix === WHOLE
        ? undefined
        : { contents: `module.exports = (...given) => require('./client-h2.js${WHOLE}')(...given);`, loader: 'js' },
    );
  },
};
