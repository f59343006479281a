/** Characters of a page that are sent. */
const MOST = 24_000;

/** Begin of a part that no locator is made of: a comment, or an element. */
const partBegin = /<!--|<(?:script|style|svg|noscript|template)\b/gi;
/** Their ends, by that begin in small letters. */
const partEnds: Readonly<Record<string, RegExp>> = {
  '<!--': /-->/g,
  '<script': /<\/script\s*>/gi,
  '<style': /<\/style\s*>/gi,
  '<svg': /<\/svg\s*>/gi,
  '<noscript': /<\/noscript\s*>/gi,
  '<template': /<\/template\s*>/gi,
};

/** The rest of a tag, up to the end of the page where it has none: so they match wherever a tag begins, in one pass. */
const restOfTag = String.raw`\b(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^>"']+)*(?:>|$)`;
const metaTag = new RegExp(`<meta${restOfTag}`, 'gi');
const inputTag = new RegExp(`<input${restOfTag}`, 'gi');
const typedText = new RegExp(String.raw`(<textarea${restOfTag})(?:[^<]+|<(?!/textarea))*`, 'gi');
const valueOfTag = /(["'\s/])value\s*=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s>"']+)/gi;
/** Inputs whose value no one types: it is what people read, or tells one box from another. */
const fixedInput = /\btype\s*=\s*["']?(?:button|submit|reset|checkbox|radio)\b/i;

/**
 * The parts of a page that locators are made of: no scripts, styles, drawings, comments or long values, nothing that
 * was typed, no tokens, and no runs of blanks.
 */
export function shrinkPage(html: string): string {
  return withoutValues(withoutParts(html))
    .replace(/(=\s*["'])([^"']{200})[^"']*/g, '$1$2…')
    .replace(/\s+/g, ' ')
    .slice(0, MOST)
    .toWellFormed();
}

/** Takes time with the length of the page: an end that was sought in vain is not sought again. */
function withoutParts(html: string): string {
  const ends = { ...partEnds };
  let kept = '';
  let from = 0;
  for (const { 0: begin, index } of html.matchAll(partBegin)) {
    const end = ends[begin.toLowerCase()];
    if (index < from || !end) continue;
    end.lastIndex = index;
    if (end.exec(html)) {
      kept += html.slice(from, index);
      from = end.lastIndex;
    } else delete ends[begin.toLowerCase()];
  }
  return kept + html.slice(from);
}

/** Values of fields, hidden ones among them, and of `meta`: what was typed, and tokens of the session. */
function withoutValues(html: string): string {
  return html
    .replace(metaTag, '')
    .replace(typedText, '$1')
    .replace(inputTag, (tag) => (fixedInput.test(tag) ? tag : tag.replace(valueOfTag, '$1')));
}
