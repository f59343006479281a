/** Texts in the place of characters, by their codes; those that XML 1.0 cannot hold become U+FFFD. */
const entities: readonly (string | undefined)[] = Array.from({ length: 0x40 }, (_, code) => {
  if (code < 0x20) return [0x09, 0x0a, 0x0d].includes(code) ? `&#${code};` : '\ufffd';
  return { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }[String.fromCharCode(code)];
});

/** Build servers take commands from any line of what is printed, also from within a report. */
const command = /##(?=\[|vso\[|teamcity\[)/g;

/** Characters that any of the replacements below changes. Nearly all texts hold none of them. */
const special = /[^ !#-%(-;=?-\ud7ff\ue000-\ufffd]|##/;

const wide = /[\ud800-\udfff\ufffe\uffff]/;
/** Characters beyond the first 64 that XML 1.0 cannot hold. */
const unheld = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text for XML or HTML, in content and in attributes. Characters that XML 1.0 cannot hold become U+FFFD. */
export function escapeXml(text: string): string {
  return special.test(text) ? escaped(text, '&#10;') : text;
}

/** The same for a page, in which line breaks stay. */
export function escapeHtml(text: string): string {
  return special.test(text) ? escaped(text, '\n') : text;
}

/** A loop over codes takes a quarter of the time of a replacement by a function. */
function escaped(text: string, lineBreak: string): string {
  let result = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const entity = code === 0x0a ? lineBreak : entities[code];
    if (entity === undefined) continue;
    result += text.slice(from, at) + entity;
    from = at + 1;
  }
  result += text.slice(from);
  return (wide.test(result) ? result.replace(unheld, '\ufffd') : result).replace(command, '#&#35;');
}
