import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { svc } from './svc.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-page-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let page = '';
let isolated = '';
beforeAll(async () => {
  writeFileSync(
    join(folder, 'shop.yaml'),
    `meta: { name: The shop, on_failure: continue }
actions:
  - AT_mock_add_template_route: { rule: /orders, methods: [POST], body_template: { state: open, password: hunter22 } }
  - AT_start_mock_server: { port: 0 }
    save_as: { name: shop, path: url }
  - AT_test_api_method:
      http_method: post
      test_url: "{{shop}}/orders"
      json: { user: ada, password: "pass-word-1" }
      auth: [ada, "pass-word-2"]
      headers: { X-Token: "pass-word-3", "X-Kept": "\${env:HOME}" }
    name: place an order
    expect:
      - result.json.state == "paid"
      - result.status_code == 201
  - FA_if_size_gt:
      path: shop.yaml
      size: 1
      then:
        - FA_decrypt_file: { source: no.enc, target: b, key: pass-word-4 }
`,
  );
  await svc(folder, ['run', 'shop.yaml', '--reporter', 'html=page.html']);
  await svc(folder, ['run', 'shop.yaml', '--isolate', '--reporter', 'html=isolated.html']);
  page = readFileSync(join(folder, 'page.html'), 'utf8');
  isolated = readFileSync(join(folder, 'isolated.html'), 'utf8');
});

test.each(['in one process', 'in a process of its own'])(
  'the page shows the whole step as it is written, with its conditions, %s',
  (where) => {
    const text = where === 'in one process' ? page : isolated;
    expect(text).toContain(`shop.yaml:6:5
 6 | AT_test_api_method:
 7 |   http_method: post
 8 |   test_url: "{{shop}}/orders"`);
    expect(text).toContain(`12 | name: place an order
13 | expect:
14 |   - result.json.state == "paid"
15 |   - result.status_code == 201</pre`);
  },
);

test('every condition that does not hold is told of', () => {
  expect(page).toContain('&quot;result.json.state == &quot;paid&quot;&quot; does not hold');
  expect(page).toContain('&quot;result.status_code == 201&quot; does not hold');
});

test('passwords that stand in the file stand on no page, and placeholders stay', () => {
  for (const password of ['hunter22', 'pass-word-1', 'pass-word-2', 'pass-word-3', 'pass-word-4'])
    expect(page + isolated, password).not.toContain(password);
  expect(page).toContain('password: ***');
  expect(page).toContain('${env:HOME}');
});
