/** Names of frameworks with a number behind them: another one at each load. */
const framework =
  /^(?:ember|mui|mat|cdk|radix|react|headlessui|ui-id|ext-gen|ext-comp|yui|fld|downshift|rc|el-id|gwt-uid|vaadin|tippy|chakra|mantine|v)\b.*\d|^(?:ember|fld|yui|ext-gen|rc_unique|__BVID__|_r)[-_]*\d|j_idt\d|^(?:input|field|checkbox|select|button|control|id)-\d+$/i;

/** An id, or another name in the code of a page, that a program made: it is another one at the next load. */
export function isMade(name: string): boolean {
  return (
    /:\w*:|[«»]/.test(name) || /^_r_\w+_$/.test(name) || framework.test(name) || name.split(/[\W_]+/).some(isDigest)
  );
}

/** Letters and digits in turns, eight digits of a digest, or the time of a clock. */
function isDigest(word: string): boolean {
  if (/^\d{10,}$/.test(word) || (/^[0-9a-f]{8,}$/i.test(word) && /\d/.test(word))) return true;
  return word.length >= 5 && (word.match(/\d(?=[a-z])|[a-z](?=\d)/gi) ?? []).length >= 3;
}

/** Classes that libraries of styles and components give. */
const libraries = /^(?:css|sc|svelte|emotion|jsx|astro|ng|ant|chakra|mantine|el|mat|cdk)-|^Mui|^jss\d|^makeStyles/;
/** Ends of the names of modules of styles: `Menu_item__d3E4f`. */
const moduleEnd = /_(?=[a-z]*[0-9A-Z])[A-Za-z0-9]{4,8}(?:_\d+)?$/;
/** Classes that come and go while a page is used. */
const state =
  /^(?:is|has)-|^(?:active|open|opened|closed|selected|current|checked|disabled|enabled|focus|focused|hover|hidden|show|shown|visible|collapsed|expanded|loading|loaded|error|invalid|valid|dirty|pristine|touched|first|last|odd|even|done)$/;

/** A class that says what an element is, and says it at the next load too. */
export function isSteadyClass(name: string): boolean {
  return !isMade(name) && !libraries.test(name) && !moduleEnd.test(name) && !state.test(name);
}
