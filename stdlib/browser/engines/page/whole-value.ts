/**
 * Forms in which HTML writes the values of fields that take one as a whole, by the type of the field. Keys typed there
 * go into parts of the field, in the order of the user's language.
 */
const forms: Readonly<Record<string, RegExp>> = {
  color: /^#[\da-f]{6}$/i,
  date: /^\d{4,6}-\d\d-\d\d$/,
  'datetime-local': /^\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/,
  month: /^\d{4,6}-\d\d$/,
  range: /^-?\d+(?:\.\d+)?$/,
  time: /^\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/,
  week: /^\d{4,6}-W\d\d$/,
};

/** Values as users may write them, for messages. */
const samples: Readonly<Record<string, string>> = {
  date: '2026-12-31',
  'datetime-local': '2026-12-31T23:59',
  month: '2026-12',
  time: '23:59',
  week: '2026-W52',
};

/** Whether the text is written as a field of this type has its value. */
export function isWholeValue(type: string, text: string): boolean {
  return Object.hasOwn(forms, type) && forms[type]?.test(text) === true;
}

/** Whether a field of this type drops, without a word, what is no value of it. */
export function dropsValues(type: string): boolean {
  return Object.hasOwn(samples, type);
}

/** Reason why a field of this type that was given `text` is empty now. */
export function droppedValue(type: string, text: string): string {
  return `a field of the type "${type}" does not take "${text}", but text such as "${samples[type]}"`;
}

/**
 * Function in a page of a field and a text; it makes the text the value, past setters that frameworks put on the field,
 * tells the page as if a user had, and yields the value that the field has then.
 */
export const setWhole = String.raw`(field, text) => {
  field.focus();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
  return field.value;
}`;
