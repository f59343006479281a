import { pressedRoles } from '#grammar/markup/pressed-roles.ts';

/** Most events that wait in a page. */
const limit = 5000;

/** Takes the events that wait out of the page: they outlive a navigation within the site. */
export const taking = `
const read = () => {
  try {
    const kept = JSON.parse(sessionStorage.getItem('svc-recorder') || '[]');
    sessionStorage.removeItem('svc-recorder');
    return kept;
  } catch { return []; }
};
return read();`;

/** Ends listening in the page. */
export const ending = `
if (window.svcRecorder) { window.svcRecorder.abort(); delete window.svcRecorder; }`;

/** Longest name that finds an element: a longer one is about more than that. */
const longestName = 80;
/** Elements that people mean when they press something inside. */
const pressed = ['a', 'button', 'summary', 'label', ...[...pressedRoles].map((role) => `[role=${role}]`)].join(', ');

/** Widgets that pages build themselves, and fields that open a list: keys do in them what the page says. */
const widgets =
  'button checkbox combobox grid link listbox menu menubar menuitem option radio radiogroup slider spinbutton switch tab tablist tree'
    .split(' ')
    .map((role) => `[role=${role}]`)
    .join(', ');
const fieldsWithList = '[role=combobox], [list], [aria-autocomplete], [aria-haspopup], [aria-expanded]';

/**
 * A script that listens to what people do in the page; a second time in one page it does nothing. `locators`: the
 * script that finds elements by role and name, which runs in a page only when it is needed.
 */
export const listening = (locators: string): string => String.raw`
if (window === window.top && !window.svcRecorder) {
  const control = new AbortController();
  Object.defineProperty(window, 'svcRecorder', { value: control, configurable: true, enumerable: false });
  const listen = (type, work) => window.addEventListener(type, work, { capture: true, signal: control.signal });
  let entered = { form: null, time: 0 };
  // Of each field whether somebody has typed into it since its value was kept. What the page itself puts in is no deed.
  const isTyped = new WeakMap();

  const keep = (event) => {
    try {
      const kept = JSON.parse(sessionStorage.getItem('svc-recorder') || '[]');
      if (kept.length < ${limit}) sessionStorage.setItem('svc-recorder', JSON.stringify([...kept, { ...event, time: Date.now() }]));
    } catch {}
  };
  const unique = (selector) => { try { return document.querySelectorAll(selector).length === 1; } catch { return false; } };
  const attribute = (element, name) => {
    const value = element.getAttribute(name);
    return value ? element.localName + '[' + name + '="' + value.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ') + '"]' : '';
  };
  const locators = () => {
    if (!window[Symbol.for('svc.locators')]) { ${locators} }
    return window[Symbol.for('svc.locators')];
  };
  // Role and name, where they find the element alone: a place in the page changes with whatever comes before it.
  const roleOf = (element) => {
    try {
      const [role, name] = [locators().role(element), locators().name(element)];
      if (!role || !name || name.length > ${longestName}) return undefined;
      const locator = role + '[name=' + JSON.stringify(name) + ']';
      const found = locators().all('role=' + locator);
      return found.length === 1 && found[0] === element ? locator : undefined;
    } catch { return undefined; }
  };
  const placeOf = (element) => {
    const named = [
      attribute(element, 'data-testid'), attribute(element, 'data-test-id'), attribute(element, 'data-test'),
      element.id ? '#' + CSS.escape(element.id) : '', attribute(element, 'name'), attribute(element, 'aria-label'),
    ].find((selector) => selector && unique(selector));
    if (named) return { selector: named };
    const path = [];
    for (let at = element; at && at !== document.body && at.parentElement; at = at.parentElement) {
      const alike = [...at.parentElement.children].filter((other) => other.localName === at.localName);
      path.unshift(at.localName + ':nth-of-type(' + (alike.indexOf(at) + 1) + ')');
    }
    return { selector: ['body', ...path].join(' > '), role: roleOf(element) };
  };
  const isSecret = (element, value) => {
    const name = (element.name || element.id || element.autocomplete || '').toLowerCase();
    return element.type === 'password' || /card.?number|cvv|cvc|ssn|secret|token|api.?key|otp|passcode/.test(name) || /^\d{13,19}$/.test(value.replace(/[\s-]/g, ''));
  };
  const typed = (element) => {
    if (isTyped.get(element) === false) return;
    isTyped.set(element, false);
    const masked = isSecret(element, element.value);
    keep({ type: 'input', ...placeOf(element), control: element.localName, value: masked ? '***MASKED***' : element.value, masked });
  };
  const deepest = (event) => event.composedPath()[0] instanceof Element ? event.composedPath()[0] : event.target;
  const isTick = (element) => element.localName === 'input' && (element.type === 'checkbox' || element.type === 'radio');
  const isText = (element) => element.localName === 'textarea' || (element.localName === 'input' && !['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'range', 'color'].includes(element.type));

  listen('click', (event) => {
    const element = deepest(event);
    if (!event.isTrusted || !element || isTick(element) || ['select', 'option'].includes(element.localName)) return;
    // Enter in a field clicks the button of its form by itself; a label ticks its box, which says so.
    if (event.detail === 0 && entered.form && element.form === entered.form && Date.now() - entered.time < 200) return;
    const label = element.closest('label');
    if (label && label.control && label.control !== element && isTick(label.control)) return;
    keep({ type: 'click', ...placeOf(element.closest('${pressed}') || element) });
  });
  listen('change', (event) => {
    const element = deepest(event);
    if (isTick(element)) return keep({ type: 'check', ...placeOf(element), checked: element.checked });
    if (element.localName !== 'select' && !isText(element)) return;
    typed(element);
  });
  listen('input', (event) => isTyped.set(deepest(event), true));
  const isMeant = (element, key) => {
    if (key === 'Escape') return element.localName !== 'select';
    if (element.localName === 'input' && isText(element))
      return key === 'Enter' || (/^Arrow(?:Up|Down)$/.test(key) && element.matches('${fieldsWithList}'));
    // Keys in these make a click or a change, which is kept.
    return !element.matches('a, button, input, select, summary, textarea') && element.closest('${widgets}') !== null;
  };
  listen('keydown', (event) => {
    const element = deepest(event);
    const key = event.key === ' ' ? 'Space' : event.key;
    if (!/^(?:Enter|Escape|Space|Arrow\w+|Home|End)$/.test(key) || !event.isTrusted || event.isComposing) return;
    if (event.ctrlKey || event.altKey || event.metaKey || !(element instanceof Element) || !isMeant(element, key)) return;
    // The change comes after the key, and the form is sent after that.
    if (isText(element) && (key === 'Enter' || isTyped.get(element))) typed(element);
    if (key === 'Enter' && isText(element)) entered = { form: element.form, time: Date.now() };
    keep({ type: 'key', ...placeOf(element), value: key });
  });
}`;
