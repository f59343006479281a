export type EngineName = 'webdriver' | 'playwright';
type Params = Readonly<Record<string, unknown>>;
type Call = readonly [command: string, params?: Params];
type Verb = Readonly<Record<EngineName, (params: Params) => readonly Call[]>>;

/** How each engine says what scenarios say; the result is that of the last call. A verb that is not here has the same name and parameters on both. */
const verbs: Readonly<Record<string, Verb>> = {
  open: both('to_url'),
  back: both('back'),
  refresh: both('refresh'),
  script: {
    webdriver: ({ expression }) => [['WR_execute_script', { script: `return ${String(expression)}` }]],
    playwright: ({ expression }) => [['WR_pw_evaluate', { expression: `(async () => (${String(expression)}))()` }]],
  },
  find: {
    webdriver: ({ css }) => [save(css), ['WR_find_recorded_element', { element_name: 'it' }]],
    playwright: ({ css }) => [save(css), ['WR_pw_find_element_with_test_object_record', { element_name: 'it' }]],
  },
  /** Into frames from the top; an empty list is the top. */
  enter_frames: {
    webdriver: ({ chain }) => [['WR_iframe_switch_chain', { selectors: chain }], nothing('webdriver')],
    playwright: ({ chain }) => [['WR_pw_frame_locator_chain', { selectors: chain }], nothing('playwright')],
  },
  upload_file: both('upload_file'),
  key: {
    webdriver: ({ key }) => [
      ['WR_press_key', { keycode_on_key_class: key }],
      ['WR_release_key', { keycode_on_key_class: key }],
      ['WR_perform'],
    ],
    playwright: ({ key }) => [['WR_pw_keyboard_press', { key }]],
  },
  key_down: {
    webdriver: ({ key }) => [['WR_press_key', { keycode_on_key_class: key }], ['WR_perform']],
    playwright: ({ key }) => [['WR_pw_keyboard_down', { key }]],
  },
  key_up: {
    webdriver: ({ key }) => [['WR_release_key', { keycode_on_key_class: key }], ['WR_perform']],
    playwright: ({ key }) => [['WR_pw_keyboard_up', { key }]],
  },
  type_keys: {
    webdriver: ({ text }) => [['WR_send_keys', { keys_to_send: text }], ['WR_perform']],
    playwright: ({ text }) => [['WR_pw_keyboard_type', { text }]],
  },
  click_at_center: {
    webdriver: ({ css, times }) => [
      save(css),
      [times === 2 ? 'WR_left_double_click' : 'WR_left_click', { element_name: 'it' }],
      ['WR_perform'],
    ],
    playwright: ({ css, times }) => [[times === 2 ? 'WR_pw_dblclick' : 'WR_pw_click', { selector: css }]],
  },
  save: objects('WR_save_test_object', ({ name, type, value }) => ({
    test_object_name: name,
    object_type: type,
    locator: value,
  })),
  fallbacks: objects('WR_register_fallback_locators', (params) => params),
  click: onElement('click', 'click'),
  type: onElement('input', 'type_text', ({ text }) => ({ input_value: text })),
  clear: onElement('clear', 'clear'),
  property: onElement('get_property', 'get_property', ({ name }) => ({ name })),
  attribute: onElement('get_dom_attribute', 'get_attribute', ({ name }) => ({ name })),
  text: onElement('get_property', 'get_property', () => ({ name: 'textContent' })),
  /** Until an expression of the page is true, at most 3 s. */
  until: {
    webdriver: ({ holds }) => callsOf('webdriver', 'script', { expression: polling(holds) }),
    playwright: ({ holds }) => callsOf('playwright', 'script', { expression: polling(holds) }),
  },
};

/** The calls that a step of a scenario is for an engine. */
export function callsOf(engine: EngineName, verb: string, params: Params = {}): readonly Call[] {
  return (verbs[verb] ?? both(verb))[engine](params);
}

function both(name: string): Verb {
  return {
    webdriver: (params) => [[`WR_${name}`, params]],
    playwright: (params) => [[`WR_pw_${name}`, params]],
  };
}

/** An element command; `css` finds the element first, without it the current one is meant. */
function onElement(webdriver: string, playwright: string, rest: (params: Params) => Params = () => ({})): Verb {
  const calls =
    (engine: EngineName, command: string) =>
    (params: Params): readonly Call[] => [
      ...(params['css'] === undefined ? [] : callsOf(engine, 'find', { css: params['css'] })),
      [command, rest(params)],
    ];
  return {
    webdriver: calls('webdriver', `WR_element_${webdriver}`),
    playwright: calls('playwright', `WR_pw_element_${playwright}`),
  };
}

function polling(holds: unknown): string {
  return `(async () => {
    for (const end = Date.now() + 3000; !(${String(holds)}); await new Promise((resolve) => setTimeout(resolve, 10)))
      if (Date.now() > end) throw new Error(${JSON.stringify(`never: ${String(holds)}`)});
    return true;
  })()`;
}

/** Commands of the table that both engines share. */
function objects(command: string, params: (given: Params) => Params): Verb {
  return { webdriver: (given) => [[command, params(given)]], playwright: (given) => [[command, params(given)]] };
}

/** So that what a command shows of its own is not compared. */
function nothing(engine: EngineName): Call {
  return engine === 'webdriver'
    ? ['WR_execute_script', { script: 'return null' }]
    : ['WR_pw_evaluate', { expression: 'null' }];
}

function save(css: unknown): Call {
  return ['WR_save_test_object', { test_object_name: 'it', object_type: 'css_selector', locator: css }];
}
