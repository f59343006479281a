import { printLiteral } from '#grammar/reference/print.ts';
import type { JsonObject } from '#schemas/types/json.ts';

export interface RecordedEvent {
  readonly type: 'click' | 'input' | 'check' | 'key';
  /** CSS. */
  readonly selector: string;
  /** Role and name, `button[name="Send"]`, of an element that no code tells apart: `selector` counts its place then. */
  readonly role?: string;
  /** Text of an input, or name of a key; `***MASKED***` where `masked`. */
  readonly value?: string;
  readonly masked?: boolean;
  readonly checked?: boolean;
  /** Name of the element that was changed. */
  readonly control?: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

export type Action = readonly [command: string, params?: JsonObject];

/** Characters that the protocol sends for keys. */
const ENTER = '\uE007';
const otherKeys: Readonly<Record<string, string>> = {
  Escape: '\uE00C',
  Space: '\uE00D',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};
/** Seconds that a replay waits for an element: people are slower than programs. */
const patienceS = 5;

/** Actions that do again what was recorded, with a browser of their own. */
export function actionsOf(
  events: readonly RecordedEvent[],
  { address, browser }: { readonly address: string; readonly browser: string },
): readonly Action[] {
  const saved = new Set<string>();
  const steps = events.flatMap((event): readonly Action[] => {
    const { selector, role } = event;
    const name = role === undefined ? selector : `role=${role}`;
    const isNew = !saved.has(name);
    saved.add(name);
    const save: Action = [
      'WR_save_test_object',
      role === undefined
        ? { test_object_name: name, object_type: 'CSS_SELECTOR' }
        : { test_object_name: name, object_type: 'ROLE', locator: role },
    ];
    return [...(isNew ? [save] : []), ['WR_find_recorded_element', { element_name: name }], ...done(event)];
  });
  return [
    ['WR_new_driver', { webdriver_name: browser }],
    ['WR_implicitly_wait', { time_to_wait: patienceS }],
    ['WR_to_url', { url: address }],
    ...steps,
    ['WR_quit_all'],
  ];
}

function done(event: RecordedEvent): readonly Action[] {
  // Typed text is no reference, whatever it looks like.
  const value = event.masked === true ? `\${ENV.${variable(event)}}` : printLiteral(event.value ?? '');
  switch (event.type) {
    case 'click':
      return [['WR_element_click']];
    // A box that was otherwise before the click would end otherwise than recorded.
    case 'check':
      return [['WR_element_click'], ['WR_element_assert', { check_dict: { selected: event.checked === true } }]];
    case 'key':
      return [['WR_element_input', { input_value: otherKeys[event.value ?? ''] ?? ENTER }]];
    case 'input':
      return event.control === 'select'
        ? [['WR_element_select_by_value', { value }]]
        : [['WR_element_clear'], ['WR_element_input', { input_value: value }]];
  }
}

/** A key of the environment for what must not stand in the file. */
function variable({ selector, role }: RecordedEvent): string {
  const words = (role?.replace(/^\w+\[name=/, '') ?? selector)
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
  return /^[A-Z]/.test(words) ? words : `RECORDED_${words}`;
}
