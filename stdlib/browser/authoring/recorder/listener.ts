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

/** Listens to what people do in the page; a second time in one page does nothing. */
export const listening = String.raw`
if (window === window.top && !window.svcRecorder) {
  const control = new AbortController();
  Object.defineProperty(window, 'svcRecorder', { value: control, configurable: true, enumerable: false });
  const listen = (type, work) => window.addEventListener(type, work, { capture: true, signal: control.signal });
  let entered = { element: null, value: '', time: 0 };

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
  const selectorOf = (element) => {
    const named = [
      attribute(element, 'data-testid'), attribute(element, 'data-test-id'), attribute(element, 'data-test'),
      element.id ? '#' + CSS.escape(element.id) : '', attribute(element, 'name'), attribute(element, 'aria-label'),
    ].find((selector) => selector && unique(selector));
    if (named) return named;
    const path = [];
    for (let at = element; at && at !== document.body && at.parentElement; at = at.parentElement) {
      const alike = [...at.parentElement.children].filter((other) => other.localName === at.localName);
      path.unshift(at.localName + ':nth-of-type(' + (alike.indexOf(at) + 1) + ')');
    }
    return ['body', ...path].join(' > ');
  };
  const isSecret = (element, value) => {
    const name = (element.name || element.id || element.autocomplete || '').toLowerCase();
    return element.type === 'password' || /card.?number|cvv|cvc|ssn|secret|token|api.?key|otp|passcode/.test(name) || /^\d{13,19}$/.test(value.replace(/[\s-]/g, ''));
  };
  const typed = (element) => {
    const masked = isSecret(element, element.value);
    keep({ type: 'input', selector: selectorOf(element), control: element.localName, value: masked ? '***MASKED***' : element.value, masked });
  };
  const deepest = (event) => event.composedPath()[0] instanceof Element ? event.composedPath()[0] : event.target;
  const isTick = (element) => element.localName === 'input' && (element.type === 'checkbox' || element.type === 'radio');
  const isText = (element) => element.localName === 'textarea' || (element.localName === 'input' && !['checkbox', 'radio', 'button', 'submit', 'reset', 'image', 'file', 'range', 'color'].includes(element.type));

  listen('click', (event) => {
    const element = deepest(event);
    if (!event.isTrusted || !element || isTick(element) || ['select', 'option'].includes(element.localName)) return;
    // Enter in a field clicks the button of its form by itself; a label ticks its box, which says so.
    if (event.detail === 0 && Date.now() - entered.time < 200) return;
    const label = element.closest('label');
    if (label && label.control && label.control !== element && isTick(label.control)) return;
    const link = element.closest('a, button, [role=button], summary, label');
    keep({ type: 'click', selector: selectorOf(link || element) });
  });
  listen('change', (event) => {
    const element = deepest(event);
    if (isTick(element)) return keep({ type: 'check', selector: selectorOf(element), checked: element.checked });
    if (element.localName !== 'select' && !isText(element)) return;
    if (entered.element === element && entered.value === element.value && Date.now() - entered.time < 200) return;
    typed(element);
  });
  listen('keydown', (event) => {
    const element = deepest(event);
    if (!event.isTrusted || event.key !== 'Enter' || element.localName !== 'input' || !isText(element)) return;
    // The change comes after the key, and the form is sent after that.
    typed(element);
    entered = { element, value: element.value, time: Date.now() };
    keep({ type: 'key', selector: selectorOf(element), value: 'Enter' });
  });
}`;
