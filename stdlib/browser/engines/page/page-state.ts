import { isList, isObject, type Json } from '#schemas/types/json.ts';

import { askPage } from './page-scripts.ts';
import type { PageScripts } from './page-scripts.ts';

/** The state of a page, for people who look at a failure. What fields for passwords and cards hold is hidden. */
export interface PageState {
  readonly title: string;
  readonly url: string;
  readonly source: string;
  /** Requests of the page, a line each. */
  readonly network: string;
}

/** The most requests that a summary lists; the last ones. */
const mostRequests = 500;

/**
 * Longest text of a page that is looked at. It is more than evidence keeps, so that a secret of the run at the cut is
 * still whole where it is looked for.
 */
const mostSource = (512 + 16) * 1024;

/** Reads the state of the page, or its current frame; it changes nothing there. */
export async function pageState(page: PageScripts, scope: { readonly signal: AbortSignal }): Promise<PageState> {
  const answer = await askPage(page, scope, `${hiding}\n${reading}`, [mostSource, mostRequests]);
  const found = isObject(answer) ? answer : {};
  const text = (name: string): string => (typeof found[name] === 'string' ? found[name] : '');
  return { title: text('title'), url: text('url'), source: text('source'), network: text('network') };
}

/**
 * Texts of the fields of a document whose owner did not hide them; asked whether they are secrets before a picture is
 * taken.
 */
export async function typedTexts(
  page: PageScripts,
  scope: { readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const answer = await askPage(page, scope, `${hiding}\n${typing}`);
  return isList(answer) ? answer.filter((each) => typeof each === 'string') : [];
}

/**
 * Shows dots in place of these values in a document, in fields and in other text, and of what fields for codes and
 * cards hold. Yields whether there was anything to cover.
 */
export async function coverSecrets(
  page: PageScripts,
  scope: { readonly signal: AbortSignal },
  values: readonly Json[],
): Promise<boolean> {
  return (await askPage(page, scope, `${hiding}\n${covering}`, [values])) === true;
}

/** Shows again what was covered. */
export async function uncover(page: PageScripts, scope: { readonly signal: AbortSignal }): Promise<void> {
  await askPage(page, scope, uncovering);
}

/**
 * The tree of roles and names as YAML, as assistive technology is told of it; `script` holds Playwright's own words for
 * pages.
 */
export async function accessibilityTree(
  page: PageScripts,
  scope: { readonly signal: AbortSignal },
  script: () => Promise<string>,
): Promise<string> {
  const asking = `${hiding}\nconst engine = window[Symbol.for('svc.locators')]; return engine ? clean(engine.tree()) : null;`;
  const answer = (await askPage(page, scope, asking)) ?? (await askPage(page, scope, `${await script()}\n${asking}`));
  return isList(answer) ? answer.flatMap((node) => linesOf(node, '')).join('\n') : '';
}

/** Property of a node that is told in brackets. */
const marks = ['level', 'checked', 'disabled', 'expanded', 'invalid', 'pressed', 'selected', 'active'] as const;

function linesOf(node: unknown, indent: string): readonly string[] {
  if (typeof node === 'string') return [`${indent}- text: ${JSON.stringify(node)}`];
  if (!isObject(node)) return [];
  const { role, name, text, children } = node;
  const told = marks.flatMap((mark) => {
    const value = node[mark];
    return value === undefined || value === false
      ? []
      : [value === true ? ` [${mark}]` : ` [${mark}=${String(value)}]`];
  });
  const head = `${indent}- ${String(role)}${typeof name === 'string' && name !== '' ? ` ${JSON.stringify(name)}` : ''}${told.join('')}`;
  const inner = isList(children) ? children.flatMap((child) => linesOf(child, `${indent}  `)) : [];
  if (inner.length > 0) return [`${head}:`, ...inner];
  return [typeof text === 'string' && text !== '' ? `${head}: ${JSON.stringify(text)}` : head];
}

/** `clean(value)`: without what fields for passwords, codes and cards hold; `kept`: the other fields. */
const hiding = `
const all = (root) => [...root.querySelectorAll('*')].flatMap((each) => [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])]);
const fields = all(document).filter((each) => each.matches('input, textarea'));
const isHidden = (field) =>
  field.type === 'password' ||
  /(^|\\s)((current|new)-password|one-time-code|cc-(number|csc|exp.*))(\\s|$)/.test(
    field.autocomplete || field.getAttribute('autocomplete') || '',
  );
const secrets = fields.filter(isHidden).map((field) => field.value).filter((value) => value !== '');
const clean = (value) => {
  const without = (text, secret) => (secret.length < 4 ? text : text.split(secret).join('***'));
  if (typeof value === 'string') return secrets.includes(value) ? '***' : secrets.reduce(without, value);
  if (Array.isArray(value)) return value.map(clean);
  return value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, clean(part)])) : value;
};`;

const reading = `
const [mostSource, mostRequests] = arguments;
// In a document that is not shown: it loads no pictures and makes no elements of the page's own.
const copy = document.implementation.createHTMLDocument('').importNode(document.documentElement, true);
for (const field of copy.querySelectorAll('input')) if (isHidden(field) && field.hasAttribute('value')) field.setAttribute('value', '***');
const doctype = document.doctype ? '<!doctype ' + document.doctype.name + '>\\n' : '';
const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
const line = ({ responseStatus, duration, transferSize, initiatorType, name }) =>
  [responseStatus || '-', Math.round(duration) + ' ms', (transferSize || 0) + ' B', initiatorType, name].join('  ');
return {
  title: clean(document.title),
  url: location.href,
  source: clean(doctype + copy.outerHTML).slice(0, mostSource),
  network: clean(
    [
      ...(entries.length > mostRequests ? [entries.length - mostRequests + ' earlier requests are left out'] : []),
      ...entries.slice(-mostRequests).map(line),
    ].join('\\n'),
  ),
};`;

const typing = `
const untyped = ['checkbox', 'radio', 'file', 'submit', 'button', 'reset', 'image', 'color', 'range'];
return fields
  .filter((field) => !isHidden(field) && !untyped.includes(field.type))
  .map((field) => field.value)
  .filter((value) => value.length > 3);`;

const covering = `
const [values] = arguments;
const key = Symbol.for('svc.covered');
window[key] = window[key] || [];
const shows = (each) => [...each.childNodes].some((node) => node.nodeType === 3 && values.some((value) => node.data.includes(value)));
const holds = (each) =>
  each.matches('input, textarea')
    ? each.type !== 'password' && each.value !== '' && (isHidden(each) || values.some((value) => each.value.includes(value)))
    : values.length > 0 && shows(each);
for (const each of all(document).filter((each) => each.style && holds(each))) {
  const { style } = each;
  window[key].push([each, style.getPropertyValue('-webkit-text-security'), style.getPropertyPriority('-webkit-text-security')]);
  style.setProperty('-webkit-text-security', 'disc', 'important');
}
if (window[key].length === 0) return false;
// Fonts and paint follow in the next frame; a page that is not shown has none.
await Promise.race([
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  new Promise((resolve) => setTimeout(resolve, 100)),
]);
return true;`;

const uncovering = `
const key = Symbol.for('svc.covered');
for (const [each, before, priority] of window[key] || []) each.style.setProperty('-webkit-text-security', before, priority);
window[key] = [];
return null;`;
