import { nearest } from '#grammar/language/nearest.ts';

import type { SelectorPart, SelectorProblem } from './ast.ts';
import { patternProblem } from './text.ts';

/** Roles of WAI-ARIA 1.2 that elements can have. */
export const roles: readonly string[] = (
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
  'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell ' +
  'group heading img insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox ' +
  'menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup ' +
  'rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table ' +
  'tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem'
).split(' ');

/** Attributes that stand beside a role, each with the values that it takes; `name` takes text and patterns. */
const attributes: Readonly<Record<string, RegExp>> = {
  checked: /^(?:true|false|"?mixed"?)$/,
  pressed: /^(?:true|false|"?mixed"?)$/,
  selected: /^(?:true|false)$/,
  disabled: /^(?:true|false)$/,
  expanded: /^(?:true|false)$/,
  'include-hidden': /^(?:true|false)$/,
  level: /^"?[1-9][0-9]*"?$/,
};

const attribute =
  /\s*\[\s*([A-Za-z-]+)\s*(?:(=|\*=|\^=|\$=|\|=|~=)\s*("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|\/(?:[^/\\]|\\[\s\S])+\/[a-z]*|[^\]\s"'/]+)\s*([iIsS])?\s*)?\]/y;

/** The first mistake in `button[name="Save"][disabled]`; undefined where there is none. */
export function roleProblem({ body, from, to }: SelectorPart): SelectorProblem | undefined {
  const begin = to - body.length;
  const role = /^[A-Za-z]+/.exec(body)?.[0] ?? '';
  const at = (start: number, end: number, reason: string): SelectorProblem => ({
    from: begin + start,
    to: Math.max(begin + end, begin + start + 1),
    reason,
  });
  if (role === '') return { from, to, reason: 'a role is a word such as "button"' };
  if (!roles.includes(role)) return at(0, role.length, `there is no role "${role}"${suggest(role, roles)}`);
  for (let next = role.length; next < body.length;) {
    attribute.lastIndex = next;
    const [whole, name = '', operator, value = ''] = attribute.exec(body) ?? [];
    if (whole === undefined) return at(next, body.length, 'behind the role stand attributes such as [name="Save"]');
    const reason = attributeProblem(name, operator, value);
    if (reason !== undefined) return at(next, next + whole.length, reason);
    next += whole.length;
  }
  return undefined;
}

function attributeProblem(name: string, operator: string | undefined, value: string): string | undefined {
  const known = [...Object.keys(attributes), 'name'].toSorted();
  if (!known.includes(name)) return `a role has no attribute "${name}"${suggest(name, known)}`;
  if (name === 'name') {
    if (operator === undefined) return '"name" needs a value';
    const [, source, flags = ''] = /^\/([\s\S]+)\/([a-z]*)$/.exec(value) ?? [];
    if (source !== undefined)
      return operator === '=' ? patternProblem(source, flags) : 'a pattern stands behind "=" only';
    return /^["']/.test(value) ? undefined : 'the value of "name" stands in quotes';
  }
  if (operator === undefined) return name === 'level' ? '"level" needs a value' : undefined;
  if (operator !== '=') return `"${name}" is compared with "=" only`;
  return attributes[name]?.test(value) === true ? undefined : `"${name}" cannot be ${value}`;
}

function suggest(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : ` (did you mean "${near}"?)`;
}
