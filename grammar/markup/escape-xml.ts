type Entities = readonly (string | undefined)[];

/** Texts in the place of characters, by their codes; those that XML 1.0 cannot hold become U+FFFD. */
const everywhere: Entities = Array.from({ length: 0x40 }, (_, code) => {
  if (code < 0x20) return [0x09, 0x0a, 0x0d].includes(code) ? `&#${code};` : '\ufffd';
  return { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }[String.fromCharCode(code)];
});
const inPages = everywhere.map((entity, code) => (code === 0x0a ? undefined : entity));
/** Quotation marks, apostrophes and tabs mean nothing between two elements. */
const betweenElements = inPages.map((entity, code) => ([0x09, 0x22, 0x27].includes(code) ? undefined : entity));

/** Build servers take commands from any line of what is printed, also from within a report. */
const command = /##(?=\[|vso\[|teamcity\[)/g;

/**
 * Characters that any of the replacements below changes, in classes of which each is looked for quickly: nearly all
 * texts hold none of them, and one class of all takes three times as long.
 */
const quoting = /["'&<>]/;
const marking = /[&<>]/;
const controls = /[\0-\x1f\ud800-\udfff\ufffe\uffff]/;
const controlsInContent = /[\0-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]/;

const wide = /[\ud800-\udfff\ufffe\uffff]/;
/** Characters beyond the first 64 that XML 1.0 cannot hold. */
const unheld = /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text for XML or HTML, in content and in attributes. Characters that XML 1.0 cannot hold become U+FFFD. */
export function escapeXml(text: string): string {
  return isSpecial(text) ? escaped(text, everywhere) : text;
}

/** The same for a page, in which line breaks stay. */
export function escapeHtml(text: string): string {
  return isSpecial(text) ? escaped(text, inPages) : text;
}

/** The same for a text between two elements of a page, where quotation marks stay too. */
export function escapeHtmlContent(text: string): string {
  const isChanged = marking.test(text) || controlsInContent.test(text) || text.includes('##');
  return isChanged ? escaped(text, betweenElements) : text;
}

function isSpecial(text: string): boolean {
  return quoting.test(text) || controls.test(text) || text.includes('##');
}

/** A loop over codes takes a quarter of the time of a replacement by a function. */
function escaped(text: string, entities: Entities): string {
  let result = '';
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const entity = entities[text.charCodeAt(at)];
    if (entity === undefined) continue;
    result += text.slice(from, at) + entity;
    from = at + 1;
  }
  result += text.slice(from);
  return (wide.test(result) ? result.replace(unheld, '\ufffd') : result).replace(command, '#&#35;');
}
