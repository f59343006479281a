import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';

import { isActionFile as validate } from './action-file-validator.ts';

const good: Readonly<Record<string, string>> = {
  'every form': `
- [WR_get_cookies]
- WR_get_cookies
- WR_get_cookies:
- [WR_to_url, {url: /}]
- [WR_to_url, ["https://example.org"]]
- [FA_create_file, [a.txt], {content: x}]
- [FA_create_file, {file_path: a.txt}, {id: make, retry: 3}]
- WR_to_url: https://example.org
- FA_create_file: [a.txt, text]
- FA_create_file: {file_path: a.txt}
  id: again
  when: done == true
  timeout_s: 5`,
  'options of every kind': `
- AT_test_api_method: {http_method: get, test_url: "\${ENV.BASE}/jobs/{{job.id}}"}
  expect: ["result.status_code == 200", true]
  retry: {interval_s: 2, max_s: 60, on: [network, transient]}
  save_as: {name: receipt, path: json.receipt, secret: true}
  depends_on: [a]
  on_failure: continue`,
  'references where numbers stand': '[{WR_implicitly_wait: {time_to_wait: "{{seconds}}"}}]',
  'step options among the parameters of AT_ commands':
    '[[AT_set_variable, {name: a, value: 1, id: first, tags: [x], depends_on: []}]]',
  'an object with meta': `
meta: {name: Shop, tags: [smoke], inputs: {user: {type: string, secret: true}}, dataset: rows.csv, retry: 2, own: kept}
setup: [WR_quit_all]
actions: [[WR_quit_all]]
teardown: []`,
  'old body keys': '{webdriver_wrapper: [[WR_quit_all]]}',
  'a key of an AT_ file': '{svc_tests: [[AT_clear_variables]]}',
  'a graph': '{nodes: [{id: a b, action: [WR_quit_all]}, {id: c, action: {WR_quit_all: null}, depends_on: [a b]}]}',
  'nested steps':
    '[{FA_if_exists: {path: x, then: [[FA_remove_file, [x]], {FA_if_exists: {path: y, then: [WR_quit_all]}}]}}]',
  'commands of modules': '[[web_tools_open, {a: 1}], {web_tools_open: {a: 1}, id: x}]',
};

const bad: Readonly<Record<string, string>> = {
  'an unknown command': '[[WR_clik_element]]',
  'an unknown command as a key': '[{WR_clik_element: {}}]',
  'an unknown parameter': '[[WR_to_url, {url: /, wait: 3}]]',
  'an unknown parameter of the object form': '[{WR_to_url: {url: /, wait: 3}}]',
  'a missing parameter': '[[WR_to_url, {}]]',
  'a wrong type': '[{WR_implicitly_wait: {time_to_wait: soon}}]',
  'too many positional parameters': '[[WR_to_url, [a, b]]]',
  'an unknown option': '[{WR_quit_all: null, wenn: x}]',
  'four elements': '[[FA_create_file, [a], {content: b}, {id: c}]]',
  'an unknown option in the list form': '[[FA_create_file, {file_path: a}, {wenn: x}]]',
  'a mistake in a nested step': '[{FA_if_exists: {path: x, then: [[WR_clik_element]]}}]',
  'a broken retry': '[{WR_quit_all: null, retry: {attempts: 3}}]',
};

describe('the schema of action files', () => {
  it.each(Object.entries(good))('accepts %s', (_, text) => {
    expect(validate(load(text)), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
  });

  it.each(Object.entries(bad))('refuses %s', (_, text) => {
    expect(validate(load(text))).toBe(false);
  });
});
