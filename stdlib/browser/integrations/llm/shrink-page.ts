/** Characters of a page that are sent. */
const MOST = 24_000;

/**
 * The parts of a page that locators are made of: no scripts, styles, drawings, comments or long values, and no runs of
 * blanks.
 */
export function shrinkPage(html: string): string {
  return html
    .replace(/<!--[^]*?-->/g, '')
    .replace(/<(script|style|svg|noscript|template)\b[^]*?<\/\1\s*>/gi, '')
    .replace(/(=\s*["'])([^"']{200})[^"']*/g, '$1$2…')
    .replace(/\s+/g, ' ')
    .slice(0, MOST)
    .toWellFormed();
}
