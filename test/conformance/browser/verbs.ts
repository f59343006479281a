export type EngineName = 'webdriver' | 'playwright';
type Params = Readonly<Record<string, unknown>>;
/** A command with its parameters. */
export type Call = readonly [command: string, params?: Params];
type Verb = Readonly<Record<EngineName, (params: Params) => readonly Call[]>>;

/** One that is part of the machine and knows its user. */
const authenticator = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
};

/**
 * Calls of each engine for a verb of the scenarios; the result is that of the last call. A verb that is not
 * here has the same name and parameters on both.
 */
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
  /** By one of the locators that both engines share: `{ role: button }`, `{ label: Mail }`. */
  locate: {
    webdriver: (params) => [saveAs(params), ['WR_find_recorded_element', { element_name: 'it' }]],
    playwright: (params) => [saveAs(params), ['WR_pw_find_element_with_test_object_record', { element_name: 'it' }]],
  },
  locate_all: {
    webdriver: (params) => [saveAs(params), ['WR_find_recorded_elements', { element_name: 'it' }]],
    playwright: (params) => [saveAs(params), ['WR_pw_find_elements_with_test_object_record', { element_name: 'it' }]],
  },
  choose: {
    webdriver: ({ index }) => [['WR_element_change_web_element', { element_index: index }]],
    playwright: ({ index }) => [['WR_pw_element_change', { element_index: index }]],
  },
  /** Into frames from the top; an empty list is the top. */
  enter_frames: {
    webdriver: ({ chain }) => [['WR_iframe_switch_chain', { selectors: chain }], nothing('webdriver')],
    playwright: ({ chain }) => [['WR_pw_frame_locator_chain', { selectors: chain }], nothing('playwright')],
  },
  upload_file: both('upload_file'),
  forward: both('forward'),
  title: {
    webdriver: () => [['WR_execute', { driver_command: 'getTitle' }]],
    playwright: () => [['WR_pw_title']],
  },
  select_value: {
    webdriver: ({ css, value }) => [
      ...callsOf('webdriver', 'find', { css }),
      ['WR_element_select_by_value', { value }],
      nothing('webdriver'),
    ],
    playwright: ({ css, value }) => [
      ...callsOf('playwright', 'find', { css }),
      ['WR_pw_element_select_option', { value }],
      nothing('playwright'),
    ],
  },
  is_visible: onElement('is_displayed', 'is_visible'),
  is_enabled: onElement('is_enabled', 'is_enabled'),
  is_checked: onElement('is_selected', 'is_checked'),
  select_text: {
    webdriver: ({ css, text }) => [
      ...callsOf('webdriver', 'find', { css }),
      ['WR_element_select_by_visible_text', { text }],
      nothing('webdriver'),
    ],
    playwright: ({ css, text }) => [
      ...callsOf('playwright', 'find', { css }),
      ['WR_pw_element_select_option', { value: text }],
      nothing('playwright'),
    ],
  },
  find_all: {
    webdriver: ({ css }) => [save(css), ['WR_find_recorded_elements', { element_name: 'it' }]],
    playwright: ({ css }) => [['WR_pw_find_elements', { selector: css }]],
  },
  hover: {
    webdriver: ({ css }) => [
      save(css),
      ['WR_move_to_element', { element_name: 'it' }],
      ['WR_perform'],
      nothing('webdriver'),
    ],
    playwright: ({ css }) => [['WR_pw_hover', { selector: css }], nothing('playwright')],
  },
  drag: {
    webdriver: ({ from, onto }) => [
      saveAs({ css_selector: from }),
      saveAs({ css_selector: onto }, 'there'),
      ['WR_drag_and_drop', { element_name: 'it', target_element_name: 'there' }],
      ['WR_perform'],
      nothing('webdriver'),
    ],
    playwright: ({ from, onto }) => [
      ['WR_pw_drag_and_drop', { source_selector: from, target_selector: onto }],
      nothing('playwright'),
    ],
  },
  /** Adds a cookie of the current page's site. */
  add_cookie: {
    webdriver: ({ name, value }) => [['WR_add_cookie', { cookie_dict: { name, value } }], nothing('webdriver')],
    playwright: ({ name, value }) => [
      [
        'WR_pw_evaluate',
        { expression: `document.cookie = ${JSON.stringify(`${String(name)}=${String(value)}; path=/`)}` },
      ],
      nothing('playwright'),
    ],
  },
  clear_cookies: {
    webdriver: () => [['WR_delete_all_cookies']],
    playwright: () => [['WR_pw_clear_cookies']],
  },
  wait_visible: waiting('element_visible', 'visible'),
  wait_hidden: waiting('element_hidden', 'hidden'),
  wait_there: waiting('element_present', 'attached'),
  /** By the name that its page gave it, or by its place. */
  window: {
    webdriver: ({ name }) => [['WR_switch', { switch_type: 'window', switch_target_name: name }], nothing('webdriver')],
    playwright: ({ index }) => [['WR_pw_switch_to_page', { index }], nothing('playwright')],
  },
  /** Closes the current window and goes back to the one that is called `first`. */
  close_window: {
    webdriver: () => [
      ['WR_execute', { driver_command: 'close' }],
      ['WR_switch', { switch_type: 'window', switch_target_name: 'first' }],
      nothing('webdriver'),
    ],
    playwright: () => [['WR_pw_close_page'], ['WR_pw_switch_to_page', { index: 0 }], nothing('playwright')],
  },
  /** The second engine answers dialogs by itself. */
  dismiss_dialog: {
    webdriver: () => [
      ['WR_explicit_wait', { wait_time: 10, condition: { dialog_open: true } }],
      ['WR_execute', { driver_command: 'dismissAlert' }],
      nothing('webdriver'),
    ],
    playwright: () => [nothing('playwright')],
  },
  dialog_text: {
    webdriver: () => [
      ['WR_explicit_wait', { wait_time: 10, condition: { dialog_open: true } }],
      ['WR_switch', { switch_type: 'alert' }],
    ],
    playwright: () => [['WR_pw_evaluate', { expression: 'window.said ?? null' }]],
  },
  accept_dialog: {
    webdriver: () => [['WR_execute', { driver_command: 'acceptAlert' }], nothing('webdriver')],
    playwright: () => [nothing('playwright')],
  },
  /** Has passkeys made and used without anybody's hand. */
  authenticator: {
    webdriver: () => [
      [
        'WR_execute',
        { driver_command: 'addVirtualAuthenticator', params: { ...authenticator, isUserConsenting: true } },
      ],
      nothing('webdriver'),
    ],
    playwright: () => [
      ['WR_pw_cdp', { method: 'WebAuthn.enable' }],
      [
        'WR_pw_cdp',
        {
          method: 'WebAuthn.addVirtualAuthenticator',
          params: { options: { ...authenticator, automaticPresenceSimulation: true } },
        },
      ],
      nothing('playwright'),
    ],
  },
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
  /** Until an expression of the page is true, at most 10 s. */
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

/** At most 2 s; the element, where one is there then, becomes current. */
function waiting(condition: string, state: string): Verb {
  return {
    webdriver: ({ css }) => [
      ['WR_explicit_wait', { wait_time: 2, condition: { [condition]: { css } } }],
      nothing('webdriver'),
    ],
    playwright: ({ css }) => [
      ['WR_pw_wait_for_selector', { selector: css, state, timeout: 2000 }],
      nothing('playwright'),
    ],
  };
}

function polling(holds: unknown): string {
  return `(async () => {
    for (const end = Date.now() + 10_000; !(${String(holds)}); await new Promise((resolve) => setTimeout(resolve, 10)))
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

function saveAs(params: Params, name = 'it'): Call {
  const [type = '', value] = Object.entries(params)[0] ?? [];
  return ['WR_save_test_object', { test_object_name: name, object_type: type, locator: value }];
}

function save(css: unknown): Call {
  return ['WR_save_test_object', { test_object_name: 'it', object_type: 'css_selector', locator: css }];
}
