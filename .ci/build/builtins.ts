import { createRequire } from 'node:module';

import type { Plugin } from 'esbuild';

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
    onLoad({ filter: /./, namespace: FOLDER }, ({ path }) => ({ contents: textFor(path), loader: 'js' }));
  },
};

function textFor(path: string): string {
  const names = Object.keys(require(path) as object).filter((name) => name !== 'default' && /^[\w$]+$/.test(name));
  return [
    `const whole = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)});`,
    'export default whole;',
    // The mark says that asking does nothing by itself.
    ...names.map(
      (name) => `const its_${name} = /* @__PURE__ */ (() => whole.${name})();\nexport { its_${name} as ${name} };`,
    ),
  ].join('\n');
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
