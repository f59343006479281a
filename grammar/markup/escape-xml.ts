const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\n': '&#10;',
  '\t': '&#9;',
  '\r': '&#13;',
};

/** Build servers take commands from any line of what is printed, also from within a report. */
const command = /##(?=\[|vso\[|teamcity\[)/g;

/** What any of the replacements below is about. Nearly all texts hold nothing of it. */
const special = /[^ !#-%(-;=?-\ud7ff\ue000-\ufffd]|##/;

/** Text for XML or HTML, in content and in attributes. Characters that XML 1.0 cannot hold become U+FFFD. */
export function escapeXml(text: string): string {
  if (!special.test(text)) return text;
  // oxlint-disable-next-line no-control-regex -- these are the characters that must go
  return text
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
    .replace(/[&<>"'\n\t\r]/g, (character) => entities[character] ?? character)
    .replace(command, '#&#35;');
}
