import { xpathText } from '#grammar/selector/xpath-text.ts';

import { isMade, isSteadyClass } from './made-names.ts';
import { attribute, classesOf, roleOf, typeOf, type PageElement } from './page-element.ts';

/** Strategy and value of a test object. */
export interface Found {
  readonly strategy: string;
  readonly value: string;
}

/** Longest text that finds an element: a longer one is about more than its name. */
const longestText = 80;

/**
 * The way to find an element, and no other of the page, that is most likely to find it when the page has been made
 * anew: names in its code, then what it says, then a class. Undefined where nothing steady tells it apart.
 */
export function finder(elements: readonly PageElement[]): (element: PageElement) => Found | undefined {
  const counts = new Map<string, number>();
  for (const element of elements)
    for (const fact of new Set(factsOf(element))) counts.set(fact, (counts.get(fact) ?? 0) + 1);
  const isAlone = (fact: string, value: string | undefined): value is string =>
    value !== undefined && counts.get(`${fact} ${value}`) === 1;
  return (element) => byCode(element, isAlone) ?? byWords(element, isAlone) ?? byLook(element, isAlone);
}

/** Whether no other element of the page has a fact, such as a name, with this value. */
type IsAlone = (fact: string, value: string | undefined) => value is string;

function factsOf(element: PageElement): readonly string[] {
  const { tag, text, label = '' } = element;
  const role = roleOf(element);
  const said = attribute(element, 'aria-label');
  const spoken = said ?? (text === '' ? attribute(element, 'value') : text);
  const box = boxRole(element);
  return [
    ...['id', 'name', 'data-testid', 'placeholder', 'href'].map((name) => `${name} ${element.attributes[name] ?? ''}`),
    ...classesOf(element).map((name) => `class ${name}`),
    ...[label, said ?? ''].map((each) => `label ${each}`),
    ...(role !== undefined && spoken !== undefined ? [`${role} ${spoken}`] : []),
    ...(box === undefined ? [] : [`${box} ${said ?? label}`]),
    `text of ${tag} ${text}`,
    `choice ${choiceOf(element) ?? ''}`,
  ];
}

function byCode(element: PageElement, isAlone: IsAlone): Found | undefined {
  const [id, name, test] = ['id', 'name', 'data-testid'].map((each) => attribute(element, each));
  if (isAlone('id', id) && !isMade(id)) return { strategy: 'ID', value: id };
  const choice = choiceOf(element);
  const isNamed = name !== undefined && !isMade(name);
  if (isNamed && isAlone('name', name)) return { strategy: 'NAME', value: name };
  if (isNamed && isAlone('choice', choice)) return { strategy: 'CSS_SELECTOR', value: choice };
  if (isAlone('data-testid', test) && !isMade(test)) return { strategy: 'TEST_ID', value: test };
  return undefined;
}

/** One of several radio buttons or boxes that share a name. */
function choiceOf(element: PageElement): string | undefined {
  const [name, value] = ['name', 'value'].map((each) => attribute(element, each));
  if (!['input', 'button'].includes(element.tag) || name === undefined || value === undefined) return undefined;
  return `${element.tag}[name=${cssText(name)}][value=${cssText(value)}]`;
}

function byWords(element: PageElement, isAlone: IsAlone): Found | undefined {
  const { tag, text, label } = element;
  const role = roleOf(element);
  if (label !== '' && isAlone('label', label)) return { strategy: 'LABEL', value: JSON.stringify(label) };
  const said = attribute(element, 'aria-label');
  const hasRole = role !== undefined && attribute(element, 'role') === role;
  const spoken = said ?? (tag === 'input' ? attribute(element, 'value') : hasRole && text !== '' ? text : undefined);
  if (role !== undefined && isAlone(role, spoken))
    return { strategy: 'ROLE', value: `${role}[name=${JSON.stringify(spoken)}]` };
  const box = boxRole(element);
  // A box may share the words of a field: both are called "Email".
  if (box !== undefined && said === undefined && label !== undefined && label !== '' && isAlone(box, label))
    return { strategy: 'ROLE', value: `${box}[name=${JSON.stringify(label)}]` };
  if (role === undefined && isAlone('label', said)) return { strategy: 'LABEL', value: JSON.stringify(said) };
  const placeholder = attribute(element, 'placeholder');
  if (isAlone('placeholder', placeholder)) return { strategy: 'PLACEHOLDER', value: JSON.stringify(placeholder) };
  if (text !== '' && text.length <= longestText && isAlone(`text of ${tag}`, text)) return byText(tag, text);
  return undefined;
}

/** Role of a field that is ticked or chosen, where it has no other. */
function boxRole(element: PageElement): string | undefined {
  const type = typeOf(element);
  const isBox = element.tag === 'input' && (type === 'checkbox' || type === 'radio');
  return isBox && attribute(element, 'role') === undefined ? type : undefined;
}

function byText(tag: string, text: string): Found {
  if (tag === 'a') return { strategy: 'LINK_TEXT', value: text };
  return { strategy: 'XPATH', value: `//${tag}[normalize-space()=${xpathText(text)}]` };
}

function byLook(element: PageElement, isAlone: IsAlone): Found | undefined {
  const address = attribute(element, 'href');
  if (element.tag === 'a' && isAlone('href', address))
    return { strategy: 'CSS_SELECTOR', value: `a[href=${cssText(address)}]` };
  const name = classesOf(element).find((each) => isSteadyClass(each) && isAlone('class', each));
  return name === undefined ? undefined : { strategy: 'CLASS_NAME', value: name };
}

function cssText(text: string): string {
  return `"${text.replace(/["\\\n]/g, (found) => (found === '\n' ? '\\a ' : `\\${found}`))}"`;
}
