/** Adds elements to a list, of which there may be more than a call takes arguments (some 120,000). */
export function addAll<Element>(list: Element[], more: Iterable<Element>): void {
  for (const one of more) list.push(one);
}
