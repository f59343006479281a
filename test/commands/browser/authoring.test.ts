import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { membersOf } from '#stdlib/browser/authoring/pom/members.ts';
import type { PageElement } from '#stdlib/browser/authoring/pom/page-element.ts';
import { actionsOf, type RecordedEvent } from '#stdlib/browser/authoring/recorder/actions-of.ts';

import { failureOf, session } from '../call.ts';

let root = '';
const at = (name: string): string => join(root, name);
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-authoring-'));
});
afterEach(() => rm(root, { recursive: true }));

describe('members of a page object', () => {
  const element = (tag: string, attributes: PageElement['attributes'], text = ''): PageElement => ({
    tag,
    attributes,
    text,
  });

  it.each([
    ['its id', element('input', { id: 'user-name', name: 'n', class: 'c' }), 'ID', 'user-name', 'USER_NAME'],
    ['its name', element('input', { name: 'e-mail', class: 'c' }), 'NAME', 'e-mail', 'E_MAIL'],
    [
      'its text',
      element('button', { class: 'send now' }, 'Send it'),
      'XPATH',
      '//button[normalize-space()="Send it"]',
      'SEND_IT',
    ],
    ['its class', element('button', { class: 'css-9f8e7d is-active send' }), 'CLASS_NAME', 'send', 'SEND'],
    ['its role', element('div', { role: 'tab' }, 'Bills'), 'ROLE', 'tab[name="Bills"]', 'BILLS'],
    [
      'its address',
      element('a', { href: 'https://a.example/b' }),
      'CSS_SELECTOR',
      'a[href="https://a.example/b"]',
      'A_EXAMPLE_B',
    ],
    ['the text of a link', element('a', {}, 'Read on'), 'LINK_TEXT', 'Read on', 'READ_ON'],
    ['its text', element('button', {}, 'OK'), 'XPATH', '//button[normalize-space()="OK"]', 'OK'],
  ])('are found by %s', (_, found, strategy, value, constant) => {
    expect(membersOf([found])).toMatchObject([{ strategy, value, constant }]);
  });

  it('have names that programs can have, each once, without a second underscore', () => {
    const members = membersOf([
      element('button', { id: '2nd' }),
      element('input', { id: '2nd-name' }),
      element('button', { id: 'go' }),
      element('button', { id: 'go!' }),
      element('button', { id: '§' }),
    ]);
    expect(members.map(({ constant }) => constant)).toEqual(['_2ND', '_2ND_NAME', 'GO', 'GO_2', 'BUTTON']);
    expect(members.map(({ method }) => method)).toEqual([
      'click_2nd',
      'input_to_2nd_name',
      'click_go',
      'click_go_2',
      'click_button',
    ]);
  });

  it.each([
    ['txtCustomerNumber', 'CUSTOMER_NUMBER'],
    ['userID', 'USER_ID'],
    ['card-number-input', 'CARD_NUMBER'],
    ['input', 'INPUT'],
    ['名前', '名前'],
  ])('are named by the id %s without what only says its kind: %s', (id, constant) => {
    expect(membersOf([element('input', { id })])).toMatchObject([{ constant, value: id }]);
  });

  it('have neither names nor locators out of what a program made, nor such as fit several', () => {
    const made = [
      ':r1:',
      '«r1»',
      '_r_4_',
      'radix-:r7:',
      'mat-input-3',
      'ember412',
      'input-8f3a9c1e',
      'a1b2c3d4',
      'j_idt45:go',
    ];
    const fields = made.flatMap((id) => [element('input', { id }), element('input', { name: id, class: `css-${id}` })]);
    expect(membersOf(fields)).toEqual([]);
    const twice = [1, 2].flatMap(() => [
      element('button', { class: 'add' }, 'Add'),
      element('input', {
        id: 'twice',
        name: 'twice',
        placeholder: 'Twice',
        'aria-label': 'Twice',
        'data-testid': 'twice',
      }),
    ]);
    expect(membersOf(twice)).toEqual([]);
    const classes = ['sc-bdVaJa', 'Menu_item__d3E4f', 'jss12', 'active', 'is-open', 'MuiButton-root'];
    expect(membersOf(classes.map((name) => element('button', { class: name })))).toEqual([]);
  });

  it('that would share a name are told apart by what does not change with their number', () => {
    const add = (sku: string): PageElement => element('button', { 'data-testid': `add-${sku}` }, 'Add');
    expect(membersOf([add('tea'), add('milk')]).map(({ method }) => method)).toEqual([
      'click_add_tea',
      'click_add_milk',
    ]);
    const same = element('a', { href: '/help' }, 'Help');
    expect(membersOf([same, same])).toMatchObject([{ constant: 'HELP', strategy: 'LINK_TEXT' }]);
  });

  it('say what people do with them; what is hidden or cannot be told apart is left out', () => {
    const members = membersOf([
      element('select', { id: 'a' }),
      element('textarea', { id: 'b' }),
      ...['checkbox', 'radio', 'file', 'email', 'submit'].map((type) => element('input', { id: type, type })),
      element('input', { id: 'secret', type: 'hidden' }),
      element('button', {}),
      element('p', { id: 'p' }, 'text'),
    ]);
    expect(members.map(({ deed }) => deed)).toEqual(['select', 'type', 'set', 'choose', 'upload', 'type', 'click']);
  });
});

describe('WR_validate_action_json and WR_validate_action_file', () => {
  it('tell all problems with their places, as the check does', async () => {
    await using unit = await session({ root });
    const data = [['WR_clik_element'], ['WR_to_url', { ulr: 'https://a.example' }], ['WR_quit_all']];
    const failure = await failureOf(unit.call('WR_validate_action_json', { data }));
    expect(failure.facts.code).toBe('SVC82050');
    expect(failure.options.result).toEqual([
      expect.stringMatching(/^\[0\]\[0\]: SVC40002 .*WR_clik_element/),
      expect.stringMatching(/^\[1\]\[1\].*ulr/),
    ]);
  });

  it.each([[[]], [{}], ['text'], [[[7]]], [[['WR_quit_all', [], {}, 4]]]])('refuse %j', async (data) => {
    await using unit = await session({ root });
    expect((await failureOf(unit.call('WR_validate_action_json', { data }))).facts.code).toBe('SVC82050');
  });

  it('read YAML too, and name line and column', async () => {
    await writeFile(at('a.yaml'), 'actions:\n  - WR_quit_all\n  - WR_to_url: { ulr: x }\n');
    await using unit = await session({ root });
    const failure = await failureOf(unit.call('WR_validate_action_file', { json_file_path: at('a.yaml') }));
    expect(failure.message).toMatch(/a\.yaml:3:/);
    const none = await failureOf(unit.call('WR_validate_action_file', { json_file_path: at('none.json') }));
    expect(none.message).toMatch(/none\.json/);
  });
});

describe('the class of a page object', () => {
  it.each(['class', 'await', 'any', 'Call', 'Promise', 'Record'])('is not called %s', async (class_name) => {
    await using unit = await session();
    const made = unit.call('WR_generate_pom_from_html', { html: '<input id=a>', class_name });
    expect((await failureOf(made)).facts.code).toBe('SVC82142');
  });
});

describe('WR_lint_action and WR_lint_action_file', () => {
  it('are the findings of lint, with rule, code and place', async () => {
    await using unit = await session({ root });
    const data = [
      ['WR_quit'],
      ['WR_unknown_thing'],
      ['FA_create_file', { file_path: 'a', content: `ghp_${'a1B2'.repeat(9)}` }],
    ];
    expect(await unit.call('WR_lint_action', { data })).toMatchObject([
      { rule: 'old-command-name', severity: 'warning', code: 'SVC20002' },
      { rule: 'unknown-command', severity: 'error', location: '[1][0]' },
      { rule: 'no-hardcoded-secret', severity: 'warning' },
    ]);
  });

  it('tell an old name at each of its places, in every form', async () => {
    const data = [['WR_quit'], { WR_quit: {} }, 'WR_quit', ['WR_execute_action', { action_list: [['WR_quit']] }]];
    await writeFile(at('old.yaml'), '- WR_quit: {}\n- WR_back\n- [WR_quit]\n- WR_quit\n');
    await using unit = await session({ root });
    const places = async (name: string, params: object): Promise<unknown> => {
      const findings = (await unit.call(name, { ...params })) as { rule: string; location: string }[];
      return findings.filter(({ rule }) => rule === 'old-command-name').map(({ location }) => location);
    };
    const inData = ['[0][0]', '[1].WR_quit', '[2]', '[3][1].action_list[0][0]'];
    expect(await places('WR_lint_action', { data })).toEqual(inData);
    const inFile = ['old.yaml:1:3', 'old.yaml:3:4', 'old.yaml:4:3'];
    expect(await places('WR_lint_action_file', { path: at('old.yaml') })).toEqual(inFile);
  });

  it('leave out what the file suppresses with a reason', async () => {
    const step = `- FA_create_file: { file_path: a, content: ghp_${'a1B2'.repeat(9)} }\n`;
    await writeFile(at('a.yaml'), step);
    await writeFile(at('b.yaml'), `# svc-ignore no-hardcoded-secret: made up for a test\n${step}`);
    await using unit = await session({ root });
    const found = (name: string): Promise<unknown> => unit.call('WR_lint_action_file', { path: at(name) });
    expect(await found('a.yaml')).toMatchObject([{ location: expect.stringMatching(/^a\.yaml:1:\d+$/) as string }]);
    expect(await found('b.yaml')).toEqual([]);
  });
});

describe('WR_migrate_action, WR_migrate_action_file and WR_migrate_directory', () => {
  it('replace names in nested lists, and leave the given data alone', async () => {
    await using unit = await session({ root });
    const data = [['WR_quit'], ['AT_execute_action', { action_list: [['WR_single_quit']] }], ['WR_quit']];
    const [written, changes] = (await unit.call('WR_migrate_action', { data })) as [unknown, unknown];
    expect(written).toEqual([
      ['WR_quit_all'],
      ['AT_execute_action', { action_list: [['WR_quit_current']] }],
      ['WR_quit_all'],
    ]);
    expect(changes).toEqual([
      { index: 0, from: 'WR_quit', to: 'WR_quit_all' },
      { index: 1, from: 'WR_single_quit', to: 'WR_quit_current' },
      { index: 2, from: 'WR_quit', to: 'WR_quit_all' },
    ]);
    expect(data[0]).toEqual(['WR_quit']);
    expect(await unit.call('WR_migrate_action', { data: [['WR_quit_all']] })).toEqual([[['WR_quit_all']], []]);
  });

  it.each([[[]], [{}], [3], [null], ['WR_quit'], [{ a: ['WR_quit'] }], [[1, 2]], [[{ a: 1 }]]])(
    'give back %j, which holds no actions',
    async (data) => {
      await using unit = await session({ root });
      expect(await unit.call('WR_migrate_action', { data })).toEqual([data, []]);
    },
  );

  it('refuse a file for a version of the language that is not known', async () => {
    await using unit = await session({ root });
    const data = { meta: { requires: '99' }, actions: [['WR_quit']] };
    await expect(unit.call('WR_migrate_action', { data })).rejects.toThrow('language version 99');
  });

  it('pass over what is no action among others', async () => {
    await using unit = await session({ root });
    expect(await unit.call('WR_migrate_action', { data: [1, [], ['WR_quit', 1, 2, 3], null, ['WR_quit']] })).toEqual([
      [1, [], ['WR_quit_all', 1, 2, 3], null, ['WR_quit_all']],
      [
        { index: 2, from: 'WR_quit', to: 'WR_quit_all' },
        { index: 4, from: 'WR_quit', to: 'WR_quit_all' },
      ],
    ]);
  });

  it('list files of a folder that hold no actions, and write the others', async () => {
    await writeFile(at('a.json'), '{ "name": "WR_quit" }');
    await writeFile(at('b.json'), '[["WR_quit"], ["WR_quit"]]');
    await writeFile(at('c.json'), '[1, 2]');
    await writeFile(at('d.yml'), 'name: WR_quit # as it is\n');
    await using unit = await session({ root });
    const change = { from: 'WR_quit', to: 'WR_quit_all' };
    expect(await unit.call('WR_migrate_directory', { directory: root, dry_run: false })).toEqual([
      { path: at('a.json'), changes: [], written: false },
      {
        path: at('b.json'),
        changes: [
          { index: 0, ...change },
          { index: 1, ...change },
        ],
        written: true,
      },
      { path: at('c.json'), changes: [], written: false },
      { path: at('d.yml'), changes: [], written: false },
    ]);
    expect(await readFile(at('d.yml'), 'utf8')).toBe('name: WR_quit # as it is\n');
  });

  it('write only where it is wanted, keep comments, and change nothing a second time', async () => {
    await writeFile(at('a.yaml'), '# first\n- [WR_quit] # last\n');
    await using unit = await session({ root });
    const run = (dry_run: boolean): Promise<unknown> =>
      unit.call('WR_migrate_action_file', { path: at('a.yaml'), dry_run });
    expect(await run(true)).toMatchObject({ written: false, changes: [{ from: 'WR_quit' }] });
    expect(await readFile(at('a.yaml'), 'utf8')).toContain('[WR_quit]');
    expect(await run(false)).toMatchObject({ written: true });
    expect(await readFile(at('a.yaml'), 'utf8')).toBe('# first\n- [WR_quit_all] # last\n');
    expect(await run(false)).toEqual({ path: at('a.yaml'), changes: [], written: false });
  });

  it('change no file of a folder where one cannot be read', async () => {
    await mkdir(at('sub'));
    await writeFile(at('a.json'), '[["WR_quit"]]');
    await writeFile(at('sub/b.json'), '[["WR_quit"');
    await using unit = await session({ root });
    const failure = await failureOf(unit.call('WR_migrate_directory', { directory: root, dry_run: false }));
    expect(failure.message).toMatch(/b\.json/);
    expect(await readFile(at('a.json'), 'utf8')).toBe('[["WR_quit"]]');
    await writeFile(at('c.json'), '{"x": ');
    const both = await failureOf(unit.call('WR_migrate_directory', { directory: root }));
    expect(both.facts.code).toBe('SVC82051');
    expect(both.message).toMatch(/^2 of the action files cannot be read: .*c\.json.*; .*b\.json/);
    expect(both.options.result).toEqual([expect.stringMatching(/c\.json/), expect.stringMatching(/b\.json/)]);
    expect(await readFile(at('a.json'), 'utf8')).toBe('[["WR_quit"]]');
    await rm(at('c.json'));
    await writeFile(at('sub/b.json'), '[["WR_quit"]]');
    expect(await unit.call('WR_migrate_directory', { directory: root, dry_run: false })).toMatchObject([
      { path: at('a.json'), written: true },
      { path: at('sub/b.json'), written: true },
    ]);
  });
});

describe('schema and reference', () => {
  it('are those of this version', async () => {
    await using unit = await session({ root });
    expect(await unit.call('WR_export_action_schema', { path: at('out/a.json') })).toBe(at('out/a.json'));
    expect(JSON.parse(await readFile(at('out/a.json'), 'utf8'))).toEqual(await unit.call('WR_build_action_schema'));
    const names = (await unit.call('WR_list_commands')) as string[];
    expect(names).toContain('WR_SaveTestObject');
    expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)));
    await unit.call('WR_export_command_reference', { path: at('out/a.md'), title: null });
    const text = await readFile(at('out/a.md'), 'utf8');
    expect(text).toMatch(/^# Command reference\n\n\d+ commands\n\n\| Command \| Signature \| Summary \|\n/);
    expect(text).toMatch(/\| `WR_to_url` \| `\(url: text/);
  });
});

describe('a recording as actions', () => {
  const event = (facts: Partial<RecordedEvent>): RecordedEvent => ({
    type: 'click',
    selector: '#a',
    time: 0,
    ...facts,
  });
  const steps = (...events: readonly RecordedEvent[]): readonly unknown[] =>
    actionsOf(events, { address: 'https://a.example', browser: 'chromium' }).slice(3, -1);

  it('saves each element once, and finds it for every event', () => {
    const save = ['WR_save_test_object', { test_object_name: '#a', object_type: 'CSS_SELECTOR' }];
    const find = ['WR_find_recorded_element', { element_name: '#a' }];
    expect(steps(event({}), event({ type: 'key' }))).toEqual([
      save,
      find,
      ['WR_element_click'],
      find,
      ['WR_element_input', { input_value: '\uE007' }],
    ]);
  });

  it.each([
    [
      { type: 'check', checked: true },
      [['WR_element_click'], ['WR_element_assert', { check_dict: { selected: true } }]],
    ],
    [
      { type: 'check', checked: false },
      [['WR_element_click'], ['WR_element_assert', { check_dict: { selected: false } }]],
    ],
    [{ type: 'input', value: 'x', control: 'select' }, [['WR_element_select_by_value', { value: 'x' }]]],
    [{ type: 'key', value: 'Escape' }, [['WR_element_input', { input_value: '\uE00C' }]]],
    [{ type: 'key', value: 'ArrowDown' }, [['WR_element_input', { input_value: '\uE015' }]]],
    [{ type: 'input', value: 'x' }, [['WR_element_clear'], ['WR_element_input', { input_value: 'x' }]]],
  ] as const)('%j', (facts, expected) => {
    expect(steps(event(facts)).slice(2)).toEqual(expected);
  });

  it('finds by role and name what only its position tells apart, and names secrets by it', () => {
    const role = 'textbox[name="Card number"]';
    const [save, find, , input] = steps(event({ type: 'input', selector: 'body > input', role, masked: true }));
    const name = `role=${role}`;
    expect(save).toEqual(['WR_save_test_object', { test_object_name: name, object_type: 'ROLE', locator: role }]);
    expect(find).toEqual(['WR_find_recorded_element', { element_name: name }]);
    expect(input).toEqual(['WR_element_input', { input_value: '${ENV.CARD_NUMBER}' }]);
  });

  it('begins and ends with a browser of its own', () => {
    const all = actionsOf([], { address: 'https://a.example', browser: 'firefox' });
    expect(all.map(([name]) => name)).toEqual(['WR_new_driver', 'WR_implicitly_wait', 'WR_to_url', 'WR_quit_all']);
    expect(all[0]).toEqual(['WR_new_driver', { webdriver_name: 'firefox' }]);
  });
});
