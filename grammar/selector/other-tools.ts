/** Selectors that calls of other tools stand for, by the name of the call. */
const CALLS: Readonly<Record<string, (text: string, name?: string) => string>> = {
  getByRole: (role, name) => `role=${role}${name === undefined ? '' : `[name=${JSON.stringify(name)}]`}`,
  getByText: (text) => `text=${text}`,
  getByLabel: (text) => `label=${text}`,
  getByLabelText: (text) => `label=${text}`,
  getByPlaceholder: (text) => `placeholder=${text}`,
  getByPlaceholderText: (text) => `placeholder=${text}`,
  getByTestId: (id) => `test_id=${id}`,
  getByAltText: (text) => `[alt=${JSON.stringify(text)}]`,
  getByTitle: (text) => `[title=${JSON.stringify(text)}]`,
  contains: (text) => `text=${text}`,
  linkText: (text) => `text=${text}`,
  id: (id) => `[id=${JSON.stringify(id)}]`,
  name: (name) => `[name=${JSON.stringify(name)}]`,
  className: (name) => `.${name}`,
  tagName: (name) => name,
  xpath: (path) => `xpath=${path}`,
  locator: (selector) => selector,
  get: (selector) => selector,
  querySelector: (selector) => selector,
  cssSelector: (selector) => selector,
  css: (selector) => selector,
  $: (selector) => selector,
  $$: (selector) => selector,
};

/** Pseudo-classes of jQuery that no browser knows, and what stands for them here. */
const PSEUDO_CLASSES: Readonly<Record<string, string>> = {
  contains: '`text=…` behind ` >> `',
  eq: '`:nth-child(…)`, or `nth=…` behind ` >> ` in the second engine',
  first: '`:first-child`, or `nth=0` behind ` >> ` in the second engine',
  last: '`:last-child`, or `nth=-1` behind ` >> ` in the second engine',
};

const CALL =
  /^(?:await\s+)?(?:\w+\.)*([A-Za-z$]\w*|\$\$)\(\s*(["'`])((?:\\.|(?!\2)[^\\])*)\2(?:\s*,\s*\{\s*name:\s*(["'`])((?:\\.|(?!\4)[^\\])*)\4[^}]*\})?/;

/** The selector that a call of another tool, by its name, stands for; undefined for names that are none. */
export function selectorOfCall(call: string, argument: string, name?: string): string | undefined {
  return Object.hasOwn(CALLS, call) ? CALLS[call]?.(argument, name) : undefined;
}

/** Reason why a call of another tool (`getByRole("button")`) is no selector, with what it stands for where known. */
export function callProblem(text: string): string {
  const [, call = '', , argument = '', , name] = CALL.exec(text) ?? [];
  const meant = selectorOfCall(call, argument, name);
  if (meant === undefined) return '"(" must stand behind a pseudo-class, as in ":is("';
  return `it is a call of another tool; write ${meant}`;
}

/** Reason why a pseudo-class of jQuery is none; undefined for all others. */
export function pseudoClassProblem(text: string, at: number): string | undefined {
  const [, name = ''] = /^:(contains|eq|first|last)(?![\w-])/.exec(text.slice(at, at + 10)) ?? [];
  return name === '' ? undefined : `":${name}" is known to jQuery alone; there is ${PSEUDO_CLASSES[name]}`;
}
