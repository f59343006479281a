import { classNameTaken } from '#schemas/generated/failures.ts';

import { looseOf, membersOf, type Deed, type Member } from './members.ts';
import { rowMembersOf, type RowMember } from './row-members.ts';
import { usedOf, type PageElement } from './page-element.ts';

/** Words of the language that name no class, and names that the source itself uses. */
const TAKEN: ReadonlySet<string> = new Set(
  [
    'any await bigint boolean break case catch class const continue debugger default delete do else enum',
    'export extends false finally for function if implements import in instanceof interface let never new null number',
    'object package private protected public return static string super switch symbol this throw true try typeof',
    'undefined unknown var void while with yield',
    'arguments eval Call Promise Readonly Record element_name locator name object_type path row tag text',
  ].flatMap((words) => words.split(' ')),
);

/**
 * The source of a TypeScript class with a method for each thing that people do on the page. It needs a function that
 * calls commands.
 */
export function pageObject(name: string, elements: readonly PageElement[]): string {
  if (TAKEN.has(name)) throw classNameTaken({ name });
  const members = membersOf(elements);
  const inRows = rowMembersOf(looseOf(elements));
  const count = inRows.reduce((sum, each) => sum + each.count, members.length);
  if (count === 0)
    return `/** The page has no element that people use and that can be told apart. Give elements an id or a name. */\nexport class ${name} {}\n`;
  return `/** Calls a command by its name. */
export type Call = (command: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>;

${leftOut(usedOf(elements).length - count)}export class ${name} {
  /** Strategy and value by name. */
  static readonly locators = {
${members.map(({ constant, strategy, value }) => `    ${constant}: [${quoted(strategy)}, ${quoted(value)}],`).join('\n')}
  } as const;
${rowLocators(inRows)}  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

${[...members.map((member) => methods[member.deed](member)), ...inRows.map(rowMethod)].join('\n\n')}

  async #find(name: keyof typeof ${name}.locators): Promise<void> {
    const [object_type, locator] = ${name}.locators[name];
    const element_name = \`${name}.\${name}\`;
    await this.#call('WR_save_test_object', { test_object_name: element_name, object_type, locator });
    await this.#call('WR_find_recorded_element', { element_name });
  }
${inRows.length === 0 ? '' : findInRow(name)}}
`;
}

function rowLocators(members: readonly RowMember[]): string {
  if (members.length === 0) return '';
  const lines = members.map(({ constant, row, path }) => `    ${constant}: [${quoted(row)}, ${quoted(path)}],`);
  return `  /** Tag of the row, and XPath from there on, by name. */
  static readonly inRows = {
${lines.join('\n')}
  } as const;
`;
}

function rowMethod({ method: name, constant, row }: RowMember): string {
  const kind = row === 'tr' ? 'row' : 'item';
  return `  /** \`${kind}\`: the whole text of something in the ${kind} that no other ${kind} has. */
  async ${name}(${kind}: string): Promise<void> {
    await this.#findIn(${kind}, ${quoted(constant)});
    await this.#call('WR_element_click');
  }`;
}

function findInRow(name: string): string {
  return `
  async #findIn(row: string, name: keyof typeof ${name}.inRows): Promise<void> {
    const [tag, path] = ${name}.inRows[name];
    const text = \`concat("\${row.split('"').join(\`", '"', "\`)}", "")\`;
    const locator = \`//\${tag}[.//*[normalize-space()=\${text}]]\${path}\`;
    const element_name = \`${name}.\${name} of \${row}\`;
    await this.#call('WR_save_test_object', { test_object_name: element_name, object_type: 'XPATH', locator });
    await this.#call('WR_find_recorded_element', { element_name });
  }
`;
}

/** A page object that lacks something says so. */
function leftOut(count: number): string {
  if (count === 0) return '';
  return `/** ${count} ${count === 1 ? 'element is' : 'elements are'} left out: nothing steady tells them apart. Give them an id, a name or a label. */\n`;
}

const methods: Readonly<Record<Deed, (member: Member) => string>> = {
  type: (member) =>
    method(member, 'text: string', [
      "await this.#call('WR_element_clear');",
      "await this.#call('WR_element_input', { input_value: text });",
    ]),
  set: (member) =>
    method(member, 'checked: boolean', [
      "if ((await this.#call('WR_element_is_selected')) !== checked) await this.#call('WR_element_click');",
    ]),
  select: (member) =>
    method(member, 'text: string', ["await this.#call('WR_element_select_by_visible_text', { text });"]),
  choose: (member) => method(member, '', ["await this.#call('WR_element_click');"]),
  upload: (member) => method(member, 'path: string', ["await this.#call('WR_element_input', { input_value: path });"]),
  click: (member) => method(member, '', ["await this.#call('WR_element_click');"]),
};

function method({ method: name, constant }: Member, params: string, lines: readonly string[]): string {
  return [
    `  async ${name}(${params}): Promise<void> {`,
    `    await this.#find(${quoted(constant)});`,
    ...lines.map((line) => `    ${line}`),
    '  }',
  ].join('\n');
}

/** A text of the page as a literal. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}
