/** Function in a page of an element; it yields the element as failures name it: `<button#go> "Go"`. */
export const describeElement = String.raw`(at) => {
    const id = at.id ? '#' + at.id : at.classList.length > 0 ? '.' + at.classList[0] : '';
    const text = (at.textContent || '').replace(/\s+/g, ' ').trim().slice(0, 30);
    return '<' + at.localName + id + '>' + (text ? ' "' + text + '"' : '');
  }`;

/** Elements that a failure names. */
const shown = 5;

/** Function in a page of elements; it yields the first ones as failures name them. */
export const describeElements = `(elements) => elements.slice(0, ${shown}).map(${describeElement})`;

/** Elements as one text, with how many are not named. */
export function listed(answer: unknown, count: number): string {
  const names = Array.isArray(answer) ? answer.filter((each) => typeof each === 'string') : [];
  const more = count - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
