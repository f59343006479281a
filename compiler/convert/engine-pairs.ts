import type { Json } from '#schemas/types/json.ts';

/** A WebDriver command and the Playwright command that does the same. */
export interface EnginePair {
  readonly webdriver: string;
  readonly playwright: string;
  /** Names of parameters, WebDriver's first, and how a value is written there where that differs. */
  readonly params?: readonly (readonly [webdriver: string, playwright: string, values?: ValuePair])[];
  /** Direction, where it is taken in one alone: several commands of one engine are one of the other. */
  readonly only?: 'to-playwright';
}

/** Conversion of a written value from one engine to the other; undefined: it has no counterpart. */
export interface ValuePair {
  readonly toPlaywright: (value: Json) => Json | undefined;
  readonly toWebdriver: (value: Json) => Json | undefined;
}

const browsers: ValuePair = {
  toPlaywright: (value) =>
    ({ chrome: 'chromium', chromium: 'chromium', firefox: 'firefox', safari: 'webkit' })[String(value)],
  toWebdriver: (value) => ({ chromium: 'chrome', firefox: 'firefox', webkit: 'safari' })[String(value)],
};

const seconds: ValuePair = {
  toPlaywright: (value) => (typeof value === 'number' ? value * 1000 : undefined),
  toWebdriver: (value) => (typeof value === 'number' ? value / 1000 : undefined),
};

const one: ValuePair = {
  toPlaywright: (value) => [value],
  toWebdriver: (value) => (Array.isArray(value) && value.length === 1 ? (value[0] as Json) : undefined),
};

/** Commands that are called alike, `WR_x` and `WR_pw_x`, with the same parameters. */
const ALIKE = [
  'back',
  'cdp',
  'element_clear',
  'element_click',
  'element_get_attribute:name',
  'element_get_property:name',
  'element_is_enabled',
  'element_screenshot:filename',
  'find_with_healing:name',
  'forward',
  'get_cookies',
  'indexed_db_drop:db_name',
  'local_storage_all',
  'local_storage_clear',
  'local_storage_get:key',
  'local_storage_remove:key',
  'local_storage_set:key,value',
  'quit',
  'refresh',
  'session_storage_clear',
  'session_storage_get:key',
  'session_storage_set:key,value',
  'shadow_query:host_chain,inner_selector',
  'sw_bypass:bypass',
  'sw_clear_caches',
  'sw_unregister',
  'throttle:preset',
  'throttle_clear',
  'to_url:url',
  'upload_file:input_selector,file_path',
];

const ALIKE_WITH: Readonly<Record<string, readonly string[]>> = { cdp: ['method', 'params'] };

function alike(entry: string): EnginePair {
  const [name = '', params] = entry.split(':');
  const names = ALIKE_WITH[name] ?? params?.split(',') ?? [];
  return { webdriver: `WR_${name}`, playwright: `WR_pw_${name}`, params: names.map((each) => [each, each] as const) };
}

/** The commands of both engines that correspond. */
export const ENGINE_PAIRS: readonly EnginePair[] = [
  ...ALIKE.map(alike),
  { webdriver: 'WR_set_driver', playwright: 'WR_pw_launch', params: [['webdriver_name', 'browser', browsers]] },
  {
    webdriver: 'WR_new_driver',
    playwright: 'WR_pw_launch',
    params: [['webdriver_name', 'browser', browsers]],
    only: 'to-playwright',
  },
  {
    webdriver: 'WR_get_webdriver_manager',
    playwright: 'WR_pw_launch',
    params: [['webdriver_name', 'browser', browsers]],
    only: 'to-playwright',
  },
  { webdriver: 'WR_quit_all', playwright: 'WR_pw_quit', only: 'to-playwright' },
  { webdriver: 'WR_click_element', playwright: 'WR_pw_element_click', only: 'to-playwright' },
  { webdriver: 'WR_element_input', playwright: 'WR_pw_element_type_text', params: [['input_value', 'input_value']] },
  {
    webdriver: 'WR_input_to_element',
    playwright: 'WR_pw_element_type_text',
    params: [['input_value', 'input_value']],
    only: 'to-playwright',
  },
  { webdriver: 'WR_element_is_displayed', playwright: 'WR_pw_element_is_visible' },
  { webdriver: 'WR_element_is_selected', playwright: 'WR_pw_element_is_checked' },
  {
    webdriver: 'WR_element_change_web_element',
    playwright: 'WR_pw_element_change',
    params: [['element_index', 'element_index']],
  },
  {
    webdriver: 'WR_find_recorded_element',
    playwright: 'WR_pw_find_element_with_test_object_record',
    params: [['element_name', 'element_name']],
  },
  {
    webdriver: 'WR_find_recorded_elements',
    playwright: 'WR_pw_find_elements_with_test_object_record',
    params: [['element_name', 'element_name']],
  },
  {
    webdriver: 'WR_find_element',
    playwright: 'WR_pw_find_element_with_test_object_record',
    params: [['element_name', 'element_name']],
    only: 'to-playwright',
  },
  {
    webdriver: 'WR_find_elements',
    playwright: 'WR_pw_find_elements_with_test_object_record',
    params: [['element_name', 'element_name']],
    only: 'to-playwright',
  },
  { webdriver: 'WR_add_cookie', playwright: 'WR_pw_add_cookies', params: [['cookie_dict', 'cookies', one]] },
  { webdriver: 'WR_delete_all_cookies', playwright: 'WR_pw_clear_cookies' },
  { webdriver: 'WR_get_screenshot_as_png', playwright: 'WR_pw_screenshot_bytes', params: [['path', 'path']] },
  {
    webdriver: 'WR_iframe_switch_chain',
    playwright: 'WR_pw_frame_locator_chain',
    params: [['selectors', 'selectors']],
  },
  {
    webdriver: 'WR_set_page_load_timeout',
    playwright: 'WR_pw_set_default_navigation_timeout',
    params: [['time_to_wait', 'timeout_ms', seconds]],
  },
];

/** Nearest command to one without a counterpart, and how it differs. */
export const NEAREST: Readonly<Record<string, string>> = {
  WR_explicit_wait: 'WR_pw_wait_for_selector waits for a selector, not for a saved test object',
  WR_implicitly_wait: 'WR_pw_set_default_timeout sets the limit of actions, in milliseconds',
  WR_execute_script: 'WR_pw_evaluate takes an expression or a function, not statements with `arguments`',
  WR_set_window_size: 'WR_pw_set_viewport_size sets the page without the frame of the window',
  WR_move_to_element: 'WR_pw_hover takes a selector',
  WR_left_double_click: 'WR_pw_element_dblclick acts on the current element',
  WR_element_select_by_value: 'WR_pw_element_select_option matches values and labels',
  WR_element_select_by_visible_text: 'WR_pw_element_select_option matches values and labels',
  WR_pw_click: 'save a test object with the selector, find it, then WR_element_click',
  WR_pw_fill: 'save a test object with the selector, find it, then WR_element_clear and WR_element_input',
  WR_pw_element_fill: 'WR_element_clear, then WR_element_input',
  WR_pw_type_text: 'save a test object with the selector, find it, then WR_element_input',
  WR_pw_find_element: 'save a test object with the selector, then WR_find_recorded_element',
  WR_pw_wait_for_selector: 'WR_explicit_wait with a saved test object',
  WR_pw_evaluate: 'WR_execute_script takes statements and `return`',
  WR_pw_set_viewport_size: 'WR_set_window_size sets the window with its frame',
  WR_pw_hover: 'WR_move_to_element and WR_perform, with a saved test object',
};
