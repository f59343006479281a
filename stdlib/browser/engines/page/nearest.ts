import { isObject } from '#schemas/types/json.ts';

/** Candidates that a failure shows. */
const shown = 3;
/** By so much the best candidate must be more like the locator than the next one to be offered in its place. */
const clear = 0.08;
/** Score from which on a candidate is shown, and from which on it is offered. */
const [similar, alike] = [0.4, 0.5];

/**
 * The words of a locator, and what kind of element it speaks of. A prefix says that all of it is a name or a text
 * (`label=`); else the last part of a selector describes the element, those before it where it stands.
 */
const reading = String.raw`
  const wordsOf = (text) => (String(text).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase().match(/\p{L}+|\p{N}+/gu) || []);
  const kinds = { button: 'button', a: 'link', link: 'link', input: 'field', textarea: 'field', textbox: 'field', searchbox: 'field', spinbutton: 'field', select: 'choice', combobox: 'choice', listbox: 'choice', checkbox: 'check', radio: 'check', switch: 'check' };
  const elements = /^(?:div|span|p|li|ul|ol|td|th|tr|table|form|fieldset|section|main|nav|header|footer|aside|article|label|h[1-6]|img|i|b|svg|body|html)$/;
  const read = (locator) => {
    const plain = /^(id|name|class|link|partial-link|label|placeholder|text|test_id)=([^]*)$/.exec(locator);
    if (plain) return { words: wordsOf(plain[2]).map((word) => [word, 1]), kind: { label: 'any field', placeholder: 'field', link: 'link', 'partial-link': 'link' }[plain[1]] };
    const parts = [{ words: [], kind: undefined }];
    const pieces = locator.replace(/^(?:css|xpath|role|deep_css)=/, '').match(/"[^"]*"|'[^']*'|\[@?[\w-]+\s*[~^$*|]?=?|@[\w-]+|::?[\w-]+\(?|[\w-]+\(|[#.]?(?:[\p{L}\p{N}_-]|\\.)+|[>+~/ ]|./gu) || [];
    let depth = 0;
    for (const piece of pieces) {
      const part = parts.at(-1);
      if (/^\[/.test(piece)) { depth += 1; const told = { name: 'any field', value: 'any field', placeholder: 'field', href: 'link' }[piece.replace(/[^\w-]/g, '')]; part.kind = part.kind || told; continue; }
      if (piece === ']') depth -= 1;
      if (/^[>+~/ ]$/.test(piece)) { if (depth === 0 && (part.words.length > 0 || part.kind)) parts.push({ words: [], kind: undefined }); continue; }
      if (/^[@:]|\($/.test(piece) || (/^\d+$/.test(piece))) continue;
      const bare = piece.toLowerCase();
      if (depth === 0 && Object.hasOwn(kinds, bare)) Object.assign(part, { kind: kinds[bare], tag: bare });
      else if (!elements.test(bare) && !/^(?:and|or|not|css|xpath)$/.test(bare)) part.words.push(...wordsOf(piece.replace(/\\/g, '')));
    }
    while (parts.length > 1 && parts.at(-1).words.length === 0 && !parts.at(-1).kind) parts.pop();
    const own = parts.at(-1);
    const around = parts.slice(0, -1).flatMap(({ words }) => words);
    return { words: [...own.words.map((word) => [word, 1]), ...around.map((word) => [word, own.words.length > 0 ? 0.25 : 1])], kind: own.kind, tag: own.tag };
  };`;

/** Facts about an element, by where they stand; a selector that finds it alone, steady ones first. */
const describing = String.raw`
  const control = 'input, select, textarea, button, a, summary, [role=button], [role=link], [role=checkbox], [role=tab], [role=menuitem]';
  const tidy = (text) => (text || '').replace(/\s+/g, ' ').trim();
  const textOf = (element) => (element.matches(control) || element.children.length === 0 ? tidy(element.textContent).slice(0, 60) : '');
  const kindOf = (element) => {
    const role = element.getAttribute('role');
    if (role && kinds[role]) return kinds[role];
    if (element.localName !== 'input') return kinds[element.localName];
    return ['checkbox', 'radio'].includes(element.type) ? 'check' : ['submit', 'button', 'reset', 'image'].includes(element.type) ? 'button' : 'field';
  };
  const sourcesOf = (element) => [
    ...['id', 'name', 'data-testid', 'data-test', 'aria-label', 'placeholder', 'title', 'alt', 'class', 'href'].map((name) => element.getAttribute(name)),
    element.type === 'password' ? '' : element.getAttribute('value'),
    textOf(element),
    ...Array.from(element.labels || []).map((label) => tidy(label.textContent).slice(0, 60)),
  ].map((text) => (text ? wordsOf(text) : [])).filter((words) => words.length > 0);
  const isMade = (id) => /[:«»]/.test(id) || /^(?:ember|mui|radix|react|headlessui|ui-id|ext-gen|yui|fld)\b.*\d|^(?:ember|fld)-?\d|^[0-9a-f-]{8,}$/i.test(id);
  const selectorOf = (element) => {
    const alone = (selector) => { try { return document.querySelectorAll(selector).length === 1 ? selector : ''; } catch { return ''; } };
    const by = (name) => { const value = element.getAttribute(name); return value ? alone(element.localName + '[' + name + '=' + JSON.stringify(value) + ']') : ''; };
    const id = element.id ? alone('#' + CSS.escape(element.id)) : '';
    if (id && !isMade(element.id)) return id;
    for (const name of ['data-testid', 'name', 'aria-label', 'placeholder', 'title', 'alt']) { const found = by(name); if (found) return found; }
    const label = tidy(element.labels && element.labels[0] && element.labels[0].textContent);
    const isSole = (all, text, each) => all.filter((other) => tidy(each(other)).toLowerCase().includes(text.toLowerCase())).length === 1;
    if (label && !element.labels[0].querySelector('select, textarea') && isSole([...document.querySelectorAll('label')], label, (other) => other.textContent)) return 'label=' + JSON.stringify(label);
    const [kind, text] = [kindOf(element), tidy(element.textContent)];
    const isPlain = !element.querySelector('[alt], [aria-label], [aria-hidden], [hidden], svg title') && !element.hasAttribute('aria-labelledby') && !element.hasAttribute('aria-label');
    if ((kind === 'button' || kind === 'link') && text && isPlain) {
      const same = [...document.querySelectorAll(control)].filter((other) => kindOf(other) === kind && tidy(other.textContent) === text);
      if (same.length === 1 && (kind !== 'link' || element.hasAttribute('href') || element.hasAttribute('role'))) return 'role=' + kind + '[name=' + JSON.stringify(text) + ']';
    }
    for (const found of [by('href'), ...[...element.classList].map((name) => alone(element.localName + '.' + CSS.escape(name))), id]) if (found) return found;
    return '';
  };`;

/**
 * A function of a locator that found nothing (`label=…` where it is no selector); it yields the elements that are most
 * like what was meant, best first, each as text with a selector, and the selector of the best where it is clearly that.
 * Words count the more the fewer elements have them, and other digits speak against an element.
 */
export const nearest = String.raw`(wanted) => {${reading}${describing}
  const near = (one, other) => {
    if (one === other) return 1;
    if (/\d/.test(one) || /\d/.test(other) || one.length < 3 || other.length < 3) return 0;
    if (one.startsWith(other) || other.startsWith(one)) return 0.85;
    if (one.includes(other) || other.includes(one)) return 0.7;
    if (Math.abs(one.length - other.length) > 2) return 0;
    let row = Array.from({ length: other.length + 1 }, (_, index) => index);
    for (let i = 1; i <= one.length; i++) {
      const next = [i];
      for (let j = 1; j <= other.length; j++) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1));
      row = next;
    }
    return row[other.length] <= Math.floor(Math.max(one.length, other.length) / 3) ? 0.6 : 0;
  };
  const { words, kind, tag } = read(wanted);
  if (words.length === 0) return { names: [], patch: null };
  const candidates = [];
  const all = document.body ? document.body.getElementsByTagName('*') : [];
  for (let index = 0; index < all.length && index < 5000; index++) {
    const element = all[index];
    // A label stands for its field, a button or a link for what is inside.
    if (['script', 'style', 'template'].includes(element.localName) || (element.localName === 'label' && element.control)) continue;
    if (element.parentElement.closest('button, a, [role=button]')) continue;
    const sources = sourcesOf(element);
    const own = new Set([...sources.flat(), ...wordsOf(element.getAttribute('type') || '')]);
    const hits = words.map(([word]) => { let best = 0; for (const other of own) best = Math.max(best, near(word, other)); return best; });
    if (hits.some((hit) => hit > 0)) candidates.push({ element, sources, own, hits });
  }
  const rarity = words.map(([, weight], at) => weight / (1 + Math.log(1 + candidates.filter(({ hits }) => hits[at] === 1).length)));
  const total = rarity.reduce((sum, each) => sum + each, 0);
  const main = words.filter(([, weight]) => weight === 1);
  const digits = new Set(main.map(([word]) => word).filter((word) => /\d/.test(word)));
  const kindScore = (own, isControl) => {
    if (!kind) return isControl ? 0.1 : 0;
    if (own === kind || (kind === 'any field' && ['field', 'choice', 'check'].includes(own))) return 0.2;
    if (['button', 'link'].includes(kind) && ['button', 'link'].includes(own)) return 0.12;
    return isControl ? 0.05 : -0.1;
  };
  const scored = candidates.map(({ element, sources, own, hits }) => {
    const recall = hits.reduce((sum, hit, at) => sum + hit * rarity[at], 0) / total;
    const whole = Math.max(...sources.map((source) => (2 * main.reduce((sum, [word]) => sum + Math.max(0, ...source.map((other) => near(word, other))), 0)) / (main.length + source.length)));
    const strange = digits.size > 0 && ![...digits].some((digit) => own.has(digit)) && [...own].some((word) => /\d/.test(word) && !digits.has(word));
    const likeness = 0.6 * recall + 0.4 * Math.min(1, whole);
    const score = likeness + kindScore(kindOf(element), element.matches(control)) + (tag === element.localName ? 0.05 : 0) - (strange ? 0.4 : 0);
    return { element, score, text: textOf(element) };
  }).filter(({ score }) => score >= ${similar}).sort((one, other) => other.score - one.score);
  const named = scored.slice(0, 20).flatMap(({ element, text, score }) => {
    const selector = selectorOf(element);
    return selector ? [{ selector, score, text: selector + (text && !selector.includes(text) ? ' ("' + text.slice(0, 30) + '")' : '') }] : [];
  });
  // Elements without a selector of their own compete, too: of two that are alike, one would be a guess.
  const [best, second] = scored;
  const isClear = best && best.score >= ${alike} && named[0] && named[0].score === best.score && (!second || best.score - second.score >= ${clear});
  return { names: named.slice(0, ${shown}).map(({ text }) => text), patch: isClear ? named[0].selector : null };
}`;

/** The locator, what is most like it, and what to write in its place where that is clear, as failures show them. */
export type Near = { readonly expected?: string; readonly actual?: readonly string[]; readonly help?: string };

/** Nothing where nothing is like it. `written`: a selector as the action file has it. */
export function nearestTo(wanted: string, answer: unknown, waits: string, written = inTicks): Near {
  const { names, patch } = isObject(answer) ? answer : { names: undefined, patch: undefined };
  const texts = Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : [];
  if (texts.length === 0) return {};
  if (typeof patch !== 'string') return { expected: wanted, actual: texts };
  const help = `${renamed(written(patch))} If it comes later, wait for it: \`${waits}\` before this step, or \`retry: { max_s: 10 }\` at it.`;
  return { expected: wanted, actual: texts, help };
}

/** Help for a wait whose locator found nothing: what to write in its place, where that is clear. */
export function renamedHelp(answer: unknown): { readonly help?: string } {
  const patch = isObject(answer) ? answer['patch'] : undefined;
  return typeof patch === 'string' ? { help: renamed(inTicks(patch)) } : {};
}

function renamed(written: string): string {
  return `If it has another name now, write ${written} in its place.`;
}

function inTicks(text: string): string {
  return `\`${text}\``;
}
