/** The names of the envelope in SOAP 1.1 and 1.2. */
const namespaces: ReadonlySet<string> = new Set([
  'http://schemas.xmlsoap.org/soap/envelope/',
  'http://www.w3.org/2003/05/soap-envelope',
]);

/** Length up to which a reason is shown, in UTF-16 units. */
const SHOWN = 200;

/**
 * The reason of a SOAP fault: its text, or its code where it has none; undefined: the text is no fault. Only the first
 * element of the body counts, for a fault may be quoted further in. It reads tags by hand: a parser of XML would come
 * into each program that sends a request.
 */
export function readSoapFault(text: string): string | undefined {
  const [envelope, ...inner] = leadingTags(text);
  const prefix = /^(?:([^\s:/>]+):)?Envelope(?=[\s/>]|$)/.exec(envelope ?? '');
  if (!prefix || !hasNamespace(envelope ?? '', prefix[1])) return undefined;
  const name = (local: string): string => (prefix[1] === undefined ? local : `${prefix[1]}:${local}`);
  const body = inner.findIndex((tag) => nameOf(tag) === name('Body'));
  if (body < 0 || nameOf(inner[body + 1] ?? '') !== name('Fault')) return undefined;
  const reason = contentOf(text, 'faultstring') ?? contentOf(text, 'Text');
  return shown(reason ?? contentOf(text, 'faultcode') ?? contentOf(text, 'Value') ?? 'without a reason');
}

/**
 * Insides of the opening tags up to the first one in the body. What is no tag where one begins ends it: each piece is
 * read once, however long the text is.
 */
function leadingTags(text: string): readonly string[] {
  const piece = /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<\/[^<>]*>|<([^!?/](?:"[^"]*"|'[^']*'|[^<>"'])*)>/y;
  const tags: string[] = [];
  let hasBody = false;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', piece.lastIndex)) {
    piece.lastIndex = at;
    const match = piece.exec(text);
    if (!match) break;
    const [, tag] = match;
    if (tag === undefined) continue;
    tags.push(tag);
    if (hasBody) break;
    hasBody = /^(?:[^\s:/>]+:)?Body(?=[\s/>]|$)/.test(tag);
  }
  return tags;
}

function nameOf(tag: string): string {
  return /^[^\s/>]*/.exec(tag)?.[0] ?? '';
}

function hasNamespace(tag: string, prefix: string | undefined): boolean {
  const attribute = prefix === undefined ? 'xmlns' : `xmlns:${prefix}`;
  const pairs = tag.matchAll(/\s([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  for (const [, name, double, single] of pairs) if (name === attribute) return namespaces.has(double ?? single ?? '');
  return false;
}

/** Text of the first element of a name that holds no elements. */
function contentOf(text: string, name: string): string | undefined {
  const content = new RegExp(`<(?:[^\\s:/<>]+:)?${name}(?:\\s[^<>]*)?>([^<]*)</`).exec(text)?.[1]?.trim();
  return content === '' ? undefined : content;
}

function shown(reason: string): string {
  const line = reason.replace(/\s+/g, ' ');
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
}
