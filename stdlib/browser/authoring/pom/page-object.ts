import { membersOf, type Deed, type Member } from './members.ts';
import { usedOf, type PageElement } from './page-element.ts';

/**
 * The source of a TypeScript class with a method for each thing that people do on the page. It needs a function that
 * calls commands.
 */
export function pageObject(name: string, elements: readonly PageElement[]): string {
  const members = membersOf(elements);
  if (members.length === 0)
    return `/** The page has no element that people use and that can be told apart. Give elements an id or a name. */\nexport class ${name} {}\n`;
  return `/** Calls a command by its name. */
export type Call = (command: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>;

${leftOut(usedOf(elements).length - members.length)}export class ${name} {
  /** Strategy and value by name. */
  static readonly locators = {
${members.map(({ constant, strategy, value }) => `    ${constant}: [${quoted(strategy)}, ${quoted(value)}],`).join('\n')}
  } as const;
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

${members.map((member) => methods[member.deed](member)).join('\n\n')}

  async #find(name: keyof typeof ${name}.locators): Promise<void> {
    const [object_type, locator] = ${name}.locators[name];
    const element_name = \`${name}.\${name}\`;
    await this.#call('WR_save_test_object', { test_object_name: element_name, object_type, locator });
    await this.#call('WR_find_recorded_element', { element_name });
  }
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
