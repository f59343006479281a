import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Figure } from '../figure.ts';
import { floor, svc } from '../paths.ts';
import { startServer } from '../start-server.ts';

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const flows: Readonly<Record<'playwright' | 'webdriver', (url: string, times: number) => readonly unknown[]>> = {
  playwright: (url, times) => [
    ['WR_pw_launch', { browser: 'chromium', headless: true, options: { args: flags.slice(1) } }],
    ...Array.from({ length: times }, () => [
      ['WR_pw_to_url', { url: `${url}/form` }],
      ['WR_pw_fill', { selector: '#name', value: 'Ada' }],
      ['WR_pw_fill', { selector: '#count', value: '3' }],
      ['WR_pw_click', { selector: '#send' }],
      ['WR_pw_wait_for_selector', { selector: '#thanks' }],
    ]).flat(),
    ['WR_pw_quit', {}],
  ],
  webdriver: (url, times) => [
    ['WR_new_driver', { webdriver_name: 'chrome', options: flags }],
    ...['name', 'send', 'thanks'].map((id) => [
      'WR_save_test_object',
      { test_object_name: id, object_type: 'CSS_SELECTOR', locator: `#${id}` },
    ]),
    ...Array.from({ length: times }, () => [
      ['WR_to_url', { url: `${url}/form` }],
      ['WR_find_recorded_element', { element_name: 'name' }],
      ['WR_element_input', { input_value: 'Ada' }],
      ['WR_find_recorded_element', { element_name: 'send' }],
      ['WR_element_click', {}],
      ['WR_explicit_wait', { wait_time: 10, condition: { element_present: 'thanks' } }],
    ]).flat(),
    ['WR_quit_all', {}],
  ],
};

function flow(engine: keyof typeof flows, times: number, aim: number): Figure {
  return {
    name: `form flow in Chromium, ${engine}, ${times === 1 ? 'once' : `${times} times`}`,
    beside: 'the same flow on the bare library',
    aim,
    runs: 5,
    async prepare(folder) {
      const server = await startServer();
      const file = join(folder, 'flow.json');
      writeFileSync(file, JSON.stringify({ actions: flows[engine](server.url, times) }));
      return {
        subject: { args: [svc, 'run', file], cwd: folder },
        floor: { args: [floor(`flow-${engine}`), server.url, String(times), ...flags] },
        close: () => server.close(),
      };
    },
  };
}

export const figures: readonly Figure[] = [
  flow('playwright', 1, 1.1),
  flow('playwright', 20, 1.05),
  flow('webdriver', 1, 1.1),
  flow('webdriver', 20, 1.05),
];
