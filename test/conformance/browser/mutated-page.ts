/** A drawn locator of a page, and the selector that was offered once the page had changed. */
export interface Judged {
  readonly page: number;
  readonly locator: string;
  readonly changes: readonly string[];
  readonly patch: string | null;
  readonly outcome: 'right' | 'wrong' | 'none';
}

/**
 * A script for a page that holds Playwright's own words for pages: a function of pages (HTML of the body), a number of
 * mutations, a seed and the function under test. Each mutation draws a page, a thing that people use there and a
 * locator of it, changes the page as developers do until the locator finds nothing, and judges what is offered.
 *
 * Changes: an identifier in another style, with a word more or less, shortened, or made by a framework; a text with a
 * word more or less, or in other letters; other classes; an element around it; another place on the page; another tag.
 * Beside them, siblings change places and all classes of the page get suffixes now and then. Where nothing that the
 * locator says is left of the element, nobody could know it: such draws are repeated.
 */
export const judgeMutations = String.raw`({ pages, count, seed, nearest, twice }) => {
  let state = seed;
  const random = () => { state = (state * 1664525 + 1013904223) % 4294967296; return state / 4294967296; };
  const one = (list) => list[Math.floor(random() * list.length)];
  const quote = (text) => JSON.stringify(text);
  const wordsOf = (text) => (text.replace(/([a-z])([A-Z])/g, '$1 $2').match(/[\p{L}\p{N}]+/gu) || []).map((word) => word.toLowerCase());
  const ownText = (element) => (element.textContent || '').replace(/\s+/g, ' ').trim();
  const styles = [
    (words) => words.join('-'),
    (words) => words.join('_'),
    (words) => words.map((word, index) => (index === 0 ? word : word[0].toUpperCase() + word.slice(1))).join(''),
  ];
  const find = (selector) => {
    if (/^(role|label|placeholder|text)=/.test(selector)) {
      const forms = { label: 'internal:label=', placeholder: 'internal:attr=[placeholder=', text: 'internal:text=' };
      const [, kind, rest] = /^(\w+)=(.*)$/s.exec(selector);
      if (kind === 'role') return window[Symbol.for('svc.locators')].all('internal:role=' + rest.replace(/"\]$/, '"s]'));
      return window[Symbol.for('svc.locators')].all(forms[kind] + quote(rest.startsWith('"') ? JSON.parse(rest) : rest) + 's' + (kind === 'placeholder' ? ']' : ''));
    }
    if (selector.startsWith('//')) {
      const found = document.evaluate(selector, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
      return Array.from({ length: found.snapshotLength }, (_, index) => found.snapshotItem(index));
    }
    return [...document.querySelectorAll(selector)];
  };
  const roleOf = (element) =>
    element.localName === 'button' ? 'button' : element.localName === 'a' ? 'link'
      : element.type === 'checkbox' ? 'checkbox' : element.localName === 'select' ? 'combobox' : 'textbox';
  const speaks = (name) => !!name && wordsOf(name).some((word) => /^\p{L}{3,}$/u.test(word));
  const locatorsOf = (element) => {
    const found = [];
    const { id } = element;
    if (speaks(id)) found.push('#' + CSS.escape(id), '//' + element.localName + '[@id=' + quote(id) + ']');
    for (const name of ['name', 'data-testid', 'aria-label', 'placeholder', 'href']) {
      const value = element.getAttribute(name);
      if (speaks(value)) found.push('[' + name + '=' + quote(value) + ']');
    }
    const parent = element.parentElement.closest('[class]');
    if (parent && speaks(id)) found.push('.' + CSS.escape(parent.classList[0]) + ' > #' + CSS.escape(id));
    const text = ownText(element);
    const name = element.getAttribute('aria-label') || text;
    if (['button', 'a'].includes(element.localName) && speaks(name)) found.push('role=' + roleOf(element) + '[name=' + quote(name) + ']');
    if (element.localName === 'button' && speaks(text) && !/"/.test(text)) found.push('//button[normalize-space()=' + quote(text) + ']', 'text=' + text);
    if (element.localName !== 'select' && element.labels && element.labels[0] && speaks(ownText(element.labels[0]))) found.push('label=' + ownText(element.labels[0]));
    if (speaks(element.placeholder)) found.push('placeholder=' + element.placeholder);
    for (const each of element.classList) if (speaks(each) && !/\d/.test(each)) found.push(element.localName + '.' + CSS.escape(each));
    return found.filter((selector) => { const all = find(selector); return all.length === 1 && all[0] === element; });
  };
  const anotherName = (name) => {
    const words = wordsOf(name);
    const ways = [
      () => [...words, one(['field', 'input', 'control', 'new', '2'])],
      () => [one(['form', 'main', 'app', 'x']), ...words],
      () => words.map((word) => (word.length > 5 ? word.slice(0, 4) : word)),
      () => words.toReversed(),
      ...(words.length > 1 ? [() => words.slice(1), () => words.slice(0, -1)] : []),
      () => words,
    ];
    return one(styles)(one(ways)());
  };
  const anotherText = (text) => {
    const words = text.split(' ');
    const ways = [
      () => text + ' ' + one(['now', 'here', '…', '*', '(optional)']),
      () => one(['Please', 'My', 'Your']) + ' ' + text[0].toLowerCase() + text.slice(1),
      () => text.toUpperCase(),
      ...(words.length > 2 ? [() => words.slice(0, -1).join(' '), () => words.slice(1).join(' ')] : []),
      () => words.map((word) => word[0].toUpperCase() + word.slice(1)).join('-'),
    ];
    return one(ways)();
  };
  const replaceText = (element, text) => {
    const node = [...element.childNodes].filter((each) => each.nodeType === 3 && each.data.trim()).at(-1);
    if (node) node.data = ' ' + text + ' ';
    return !!node;
  };
  const rename = (element, attribute) => {
    const before = element.getAttribute(attribute);
    if (!before) return false;
    const after = random() < 0.15 ? one([':r9:', 'ember412', 'fld-' + Math.floor(random() * 900)]) : anotherName(before);
    if (attribute === 'id') for (const label of document.querySelectorAll('label[for=' + quote(before) + ']')) label.htmlFor = after;
    if (attribute !== 'id' && /^(:|ember|fld)/.test(after)) element.removeAttribute(attribute);
    else element.setAttribute(attribute, after);
    return after !== before;
  };
  const changes = {
    id: (element) => rename(element, 'id'),
    name: (element) => rename(element, 'name'),
    testid: (element) => rename(element, 'data-testid'),
    text: (element) => {
      const label = element.getAttribute('aria-label');
      if (label) return element.setAttribute('aria-label', anotherText(label)), true;
      if (['button', 'a'].includes(element.localName)) return replaceText(element, anotherText(ownText(element)));
      const own = element.labels && element.labels[0];
      return !!own && replaceText(own, anotherText(ownText(own)));
    },
    placeholder: (element) => !!element.placeholder && ((element.placeholder = anotherText(element.placeholder)), true),
    address: (element) => element.localName === 'a' && (element.setAttribute('href', element.getAttribute('href') + one(['?ref=nav', '/', '.html'])), true),
    classes: (element) => element.classList.length > 0 && ((element.className = [...element.classList].map((each) => 'ui-' + each.replace(/[_-]+\w{4,6}$/, '') + one(['', '__x3f', '--md'])).join(' ')), true),
    wrapped: (element) => {
      const around = document.createElement('div');
      around.className = 'wrap';
      element.replaceWith(around);
      around.append(element);
      return true;
    },
    moved: (element) => {
      const places = [...document.querySelectorAll('main, form, section, aside, header, fieldset')].filter((each) => !element.contains(each));
      const label = element.labels && element.labels[0];
      const moving = label && label.contains(element) ? label : element;
      const place = one(places);
      if (!place || moving.contains(place)) return false;
      place.append(...(label && label !== moving ? [label] : []), moving);
      return true;
    },
    tag: (element) => {
      const other = { button: 'a', textarea: 'input', a: 'button' }[element.localName];
      if (!other) return false;
      const made = document.createElement(other);
      for (const { name, value } of element.attributes) if (name !== 'href') made.setAttribute(name, value);
      if (other === 'a') made.setAttribute('role', 'button');
      made.append(...element.childNodes);
      element.replaceWith(made);
      return made;
    },
  };
  const used = 'input:not([type=hidden]), select, textarea, button, a';
  const judged = [];
  for (let tries = 0; judged.length < count && tries < count * 50; tries++) {
    const page = Math.floor(random() * pages.length);
    document.body.innerHTML = pages[page];
    let element = one([...document.querySelectorAll(used)]);
    const locators = locatorsOf(element);
    if (locators.length === 0) continue;
    const locator = one(locators);
    const named = () => wordsOf([...['id', 'name', 'data-testid', 'aria-label', 'placeholder', 'href', 'class'].map((name) => element.getAttribute(name) || ''), ownText(element), ...Array.from(element.labels || []).map(ownText)].join(' '));
    const done = [];
    for (let rounds = 0; rounds < 6 && find(locator).length > 0; rounds++) {
      const change = one(Object.keys(changes));
      const ended = changes[change](element);
      if (ended) done.push(change);
      if (ended instanceof Element) element = ended;
    }
    if (random() < 0.3) for (const each of document.querySelectorAll('[class]')) each.className = [...each.classList].map((name) => name + '_k9').join(' ');
    if (random() < 0.3) for (const parent of document.querySelectorAll('form, fieldset, section')) parent.append(parent.firstElementChild);
    if (find(locator).length > 0) continue;
    const noise = new Set(['button', 'link', 'role', 'name', 'normalize', 'space', 'label', 'text', 'placeholder', 'input', 'select', 'a', 'id', 'data', 'testid', 'aria', 'href', 'textbox', 'root']);
    const left = named();
    const said = wordsOf(locator).filter((word) => word.length > 2 && !noise.has(word));
    if (!said.some((word) => left.some((other) => other.includes(word) || (other.length > 2 && word.includes(other))))) continue;
    if (twice) {
      const [own] = element.labels || [];
      // A second field of the same id would have no label.
      if (own && !own.contains(element)) continue;
      const whole = own || element;
      whole.after(whole.cloneNode(true));
    }
    const { patch = null } = nearest(locator);
    const found = patch === null ? [] : find(patch);
    judged.push({ page, locator, changes: done, patch, outcome: patch === null ? 'none' : found.length === 1 && found[0] === element ? 'right' : 'wrong' });
  }
  return judged;
}`;
