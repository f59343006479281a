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

/**
 * The parts of a page that locators are made of: no scripts, styles, drawings, comments or long values, and no runs of
 * blanks.
 */
export function shrinkPage(html: string): string {
  return withoutParts(html)
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
