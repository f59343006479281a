import { isObject } from '#schemas/types/json.ts';

/** Candidates that a failure shows. */
const shown = 3;
/** By so much the best candidate must be more like the locator than the next one to be offered in its place. */
const clear = 0.1;

/**
 * A function of the text of a locator that found nothing; it yields the elements that are most like what was meant,
 * best first, each as text with a selector, and the selector of the best where it is clearly that.
 */
export const nearest = String.raw`(wanted) => {
  const wordsOf = (text) => (String(text).toLowerCase().match(/[\p{L}\p{N}]+/gu) || []);
  const noise = new Set(['css', 'xpath', 'id', 'name', 'class', 'tag', 'link', 'text', 'div', 'span', 'contains', 'normalize', 'space', 'and', 'or', 'not', 'nth', 'child', 'of', 'type', 'a', 'the']);
  const wantedWords = wordsOf(wanted.replace(/([a-z])([A-Z])/g, '$1 $2')).filter((word) => !noise.has(word));
  if (wantedWords.length === 0) return [];
  const near = (one, other) => {
    if (one === other) return 1;
    if (one.length >= 3 && other.length >= 3 && (one.includes(other) || other.includes(one))) return 0.7;
    if (Math.abs(one.length - other.length) > 2 || Math.min(one.length, other.length) < 3) return 0;
    let row = Array.from({ length: other.length + 1 }, (_, index) => index);
    for (let i = 1; i <= one.length; i++) {
      const next = [i];
      for (let j = 1; j <= other.length; j++) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1));
      row = next;
    }
    return row[other.length] <= Math.floor(Math.max(one.length, other.length) / 3) ? 0.6 : 0;
  };
  const attributes = ['id', 'name', 'data-testid', 'data-test', 'aria-label', 'placeholder', 'title', 'alt', 'class', 'type', 'value'];
  const selectorOf = (element) => {
    const unique = (selector) => document.querySelectorAll(selector).length === 1;
    const id = element.id && '#' + CSS.escape(element.id);
    if (id && unique(id)) return id;
    for (const name of ['data-testid', 'name', 'aria-label']) {
      const value = element.getAttribute(name);
      const selector = value && element.localName + '[' + name + '=' + JSON.stringify(value) + ']';
      if (selector && unique(selector)) return selector;
    }
    return '';
  };
  const scored = [];
  const all = document.body ? document.body.getElementsByTagName('*') : [];
  for (let index = 0; index < all.length && index < 5000; index++) {
    const element = all[index];
    // A label stands for its field.
    if (['script', 'style', 'template'].includes(element.localName) || (element.localName === 'label' && element.control)) continue;
    const own = element.children.length === 0 ? (element.textContent || '').slice(0, 60) : '';
    const words = [...attributes.flatMap((name) => (name === 'value' && element.type === 'password' ? [] : wordsOf((element.getAttribute(name) || '').replace(/([a-z])([A-Z])/g, '$1 $2')))), ...wordsOf(own), ...Array.from(element.labels || []).flatMap((label) => wordsOf((label.textContent || '').slice(0, 60)))];
    if (words.length === 0) continue;
    const score = wantedWords.reduce((sum, word) => sum + Math.max(0, ...words.map((other) => near(word, other))), 0) / wantedWords.length
      + (wantedWords.includes(element.localName) ? 0.2 : 0);
    if (score >= 0.45) scored.push({ element, score, own });
  }
  scored.sort((one, other) => other.score - one.score);
  const named = scored.flatMap(({ element, own, score }) => {
    const selector = selectorOf(element);
    return selector ? [{ selector, score, text: selector + (own.trim() ? ' ("' + own.replace(/\s+/g, ' ').trim().slice(0, 30) + '")' : '') }] : [];
  });
  // Elements without a selector of their own compete, too: of two that are alike, one would be a guess.
  const [best, second] = scored;
  const isClear = best && named[0] && named[0].score === best.score && (!second || best.score - second.score >= ${clear});
  return { names: named.slice(0, ${shown}).map(({ text }) => text), patch: isClear ? named[0].selector : null };
}`;

/**
 * The locator, what is most like it, and the selector to write in its place where that is clear, as failures show them;
 * nothing where nothing is.
 */
export type Near = { readonly expected?: string; readonly actual?: readonly string[]; readonly help?: string };

export function nearestTo(wanted: string, answer: unknown, waits: string): Near {
  const { names, patch } = isObject(answer) ? answer : { names: undefined, patch: undefined };
  const texts = Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
  if (texts.length === 0) return {};
  if (typeof patch !== 'string') return { expected: wanted, actual: texts };
  const help = `If it has another name now, write \`${patch}\` in its place. If it comes later, wait for it: \`${waits}\` before this step, or \`retry: { max_s: 10 }\` at it.`;
  return { expected: wanted, actual: texts, help };
}
