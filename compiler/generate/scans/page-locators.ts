import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { transform } from 'esbuild';

import type { Outputs } from '../outputs.ts';

const bundle = 'node_modules/playwright-core/lib/coreBundle.js';

/**
 * The script that finds elements by role, label, text and the like inside a page. It is the one that Playwright puts
 * into pages itself, taken out of its bundle, so that a locator means the same on both engines. Documents keep it under
 * a symbol and get it once.
 */
export async function writePageLocators(root: string, outputs: Outputs): Promise<void> {
  const injected = injectedScript(readFileSync(join(root, bundle), 'utf8'));
  const { code } = await transform(`(() => { const module = {}; ${injected}\n${entry} })();`, {
    minify: true,
    target: 'es2020',
    charset: 'ascii',
    legalComments: 'none',
  });
  outputs.add('page-locators.ts', moduleText(code), 'built');
}

/** The text of the bundle's module that holds it: one literal in quotes. */
function injectedScript(text: string): string {
  const module = text.indexOf('src/generated/injectedScriptSource.ts"() {');
  const begin = text.indexOf("= '", module) + 3;
  if (module < 0 || begin < 3) throw new Error(`${bundle} no longer holds the script for pages where it was`);
  let end = begin;
  while (text[end] !== "'") end += text[end] === '\\' ? 2 : 1;
  // A literal alone: nothing of the bundle runs.
  return String(runInNewContext(text.slice(begin - 1, end + 1)));
}

const entry = `
const agent = navigator.userAgent;
const options = {
  isUnderTest: false, sdkLanguage: 'javascript', frameSeq: 0, testIdAttributeName: 'data-testid', stableRafCount: 1,
  browserName: agent.includes('Firefox/') ? 'firefox' : /Version\\/.*Safari\\//.test(agent) ? 'webkit' : 'chromium',
  shouldPrependErrorPrefix: false, isUtilityWorld: false, customEngines: [],
};
const injected = new (module.exports.InjectedScript())(window, options);
Object.defineProperty(window, Symbol.for('svc.locators'), {
  value: Object.freeze({
    all: (selector) => injected.querySelectorAll(injected.parseSelector(selector), document),
    role: (element) => injected.utils.getAriaRole(element),
    name: (element) => injected.utils.getElementAccessibleNameText(element, false),
    tree: () => injected.ariaSnapshotJSON(document.body || document.documentElement, { mode: 'default' }).json,
  }),
});`;

function moduleText(script: string): string {
  return `// Generated from the package \`playwright-core\` by \`npm run generate\`. Do not edit.

/** A script for pages: finds elements by Playwright's selectors, and tells roles (\`Symbol.for('svc.locators')\`). */
export const pageLocators = ${JSON.stringify(script)};
`;
}
