const REFERENCE = /\$\{[^}]*\}|\{\{[^}]*\}\}/g;
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;
const REFERENCE_FIRST = /^(?:\$\{|\{\{)/;

/**
 * A relative address of a request with what `meta.base_url` says, references left as they are. A base that begins
 * with a reference is taken to begin with an origin. The address as it is where there is nothing to add.
 */
export function wholeAddress(address: string, base: string | undefined): string {
  if (base === undefined || ABSOLUTE.test(address) || REFERENCE_FIRST.test(address)) return address;
  const references: string[] = [];
  const stand = (text: string): string => text.replace(REFERENCE, (found) => tokenOf(references.push(found) - 1));
  const added = REFERENCE_FIRST.test(base) ? 'http://' : '';
  const from = `${added}${stand(base)}`;
  const whole = URL.parse(stand(address), from)?.href;
  if (whole === undefined) return address;
  const bare = whole.slice(added.length);
  return references.reduce((text, reference, index) => text.replace(tokenOf(index), () => reference), bare);
}

/** A name that addresses leave as it is, in the place of a reference. */
function tokenOf(index: number): string {
  return `svcreference${index}q`;
}
