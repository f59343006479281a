import { describe, expect, test } from 'vitest';

import { failureOf, session } from '../../call.ts';
import { place, post, raw, received, template, type Mock } from './mock-server.ts';

const at = place();

describe('routes', () => {
  test.each([
    ['/u/<name>', '/u/a%20b', 'a b'],
    ['/u/{name}', '/u/x.y', 'x.y'],
    ['/u/<int:name>', '/u/007', '007'],
    ['/u/<int:name>', '/u/x', undefined],
    ['/u/<float:name>', '/u/1.5', '1.5'],
    ['/u/<path:name>', '/u/a/b/c', 'a/b/c'],
    ['/u/<name>', '/u/a/b', undefined],
    ['/u/<name>', '/u/', undefined],
    ['/f-<name>.json', '/f-x.json', 'x'],
    ['/grüße/<name>', '/gr%C3%BC%C3%9Fe/1', '1'],
    ['/u/<uuid:name>', '/u/01234567-89ab-4def-8123-456789abcdef', '01234567-89ab-4def-8123-456789abcdef'],
    ['/a.b/<name>', '/aXb/1', undefined],
    ['/u/<name>', '/U/x', undefined],
  ])('%s and %s', async (rule, path, value) => {
    await using mock = await at.start();
    await template(mock.unit, rule, '{{request.path.name}}');
    const answer = await fetch(mock.url + path);
    expect(answer.status === 200 ? await answer.text() : undefined).toBe(value);
  });

  test('of two rules with a parameter the one with more text of its own wins, however long their names are', async () => {
    await using mock = await at.start();
    await template(mock.unit, '/files/<name_of_the_file>', 'any');
    await template(mock.unit, '/files/<n>.json', 'json');
    expect(await (await fetch(`${mock.url}/files/a.json`)).text()).toBe('json');
  });

  test('the more exact rule wins whatever came first', async () => {
    await using mock = await at.start();
    for (const rule of ['/<path:p>', '/a/<name>', '/a/<int:n>/x', '/a/b', '/<x>/b'])
      await template(mock.unit, rule, rule);
    const answers = await Promise.all(
      ['/a/b', '/a/c', '/z/b', '/q/w/e', '/a/1/x'].map(async (path) => await (await fetch(mock.url + path)).text()),
    );
    expect(answers).toEqual(['/a/b', '/a/<name>', '/<x>/b', '/<path:p>', '/a/<int:n>/x']);
  });

  test.each([
    ['/a/<b', '<'],
    ['/<a><b>', '<b>'],
    ['/<a>/<a>', '<a>'],
    ['/<what:a>', '<what:a>'],
    ['/<path:a>/<path:b>', '<path:b>'],
    ['/a?b', '?'],
    ['/{1}', '{'],
  ])('%s cannot be read at %s', async (rule, part) => {
    await using unit = await session();
    const error = await failureOf(template(unit, rule, ''));
    expect(error.message).toBe(`The route rule "${rule}" cannot be read at "${part}".`);
  });

  test('a route that is taken is refused, another verb is not', async () => {
    await using unit = await session();
    await template(unit, '/a/<x>', '', { methods: ['GET', 'POST'] });
    await template(unit, '/a/<x>', '', { methods: ['PUT'] });
    expect((await failureOf(template(unit, '/a/{y}', '', { methods: ['DELETE', 'POST'] }))).message).toBe(
      'The mock already has a route for POST /a/{y}.',
    );
    expect((await failureOf(unit.call('AT_mock_add_webhook', { route: '/a/<z>' }))).facts.code).toBe('SVC83082');
  });
});

describe('template routes', () => {
  test('see the request and the variables of their unit as they are when it comes', async () => {
    await using mock = await at.start();
    const body = {
      m: '{{request.method}}',
      p: '{{request.path}}',
      id: '{{request.path.id}}',
      q: '{{request.query.q}}',
      h: '{{request.headers.X-One}}',
      j: '{{request.json.a[0].b}}',
      v: '{{who.name}}',
      none: '{{nobody}}',
      d: '{{request.data}}',
    };
    await template(mock.unit, '/x/<id>', body, { methods: ['POST'], headers: { 'X-Served': 'yes' } });
    await mock.unit.call('AT_set_variable', { name: 'who', value: { name: 'Ada' } });
    const answer = await post(`${mock.url}/x/7?q=1&q=2`, { a: [{ b: 5 }] }, { headers: { 'x-one': 'h' } });
    expect(answer.headers.get('x-served')).toBe('yes');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({
      m: 'POST',
      p: '/x/7',
      id: '7',
      q: ['1', '2'],
      h: 'h',
      j: 5,
      v: 'Ada',
      none: '',
      d: '{"a":[{"b":5}]}',
    });
    expect(await mock.unit.call('AT_get_variable', { name: 'request.path', default: 'none' })).toBe('none');
  });

  test.each([
    ['text', 'text/plain; charset=utf-8', 'text'],
    [{ a: 1 }, 'application/json', '{"a":1}'],
    [[1], 'application/json', '[1]'],
    [7, 'text/plain; charset=utf-8', '7'],
    [null, 'text/plain; charset=utf-8', ''],
    ['', 'text/plain; charset=utf-8', ''],
  ])('%j is sent as %s', async (body, type, text) => {
    await using mock = await at.start();
    await template(mock.unit, '/a', body);
    const answer = await fetch(`${mock.url}/a`);
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([type, text]);
  });

  test('what came with the request is escaped in pages, and text that came out is not filled again', async () => {
    await using mock = await at.start({}, { variables: { markup: '<b>mine</b>' } });
    await template(mock.unit, '/page', '<p>{{request.query.q}}</p>{{markup}}', {
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    });
    await template(mock.unit, '/text', '{{request.query.q}}');
    const q = encodeURIComponent(`<script>"{{markup}}"&'</script>`);
    expect(await (await fetch(`${mock.url}/page?q=${q}`)).text()).toBe(
      '<p>&lt;script&gt;&quot;{{markup}}&quot;&amp;&#39;&lt;/script&gt;</p><b>mine</b>',
    );
    expect(await (await fetch(`${mock.url}/text?q=${q}`)).text()).toBe(`<script>"{{markup}}"&'</script>`);
  });

  test('a status without body has none', async () => {
    await using mock = await at.start();
    await template(mock.unit, '/gone', 'text', { status: 204 });
    const answer = await fetch(`${mock.url}/gone`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([204, null, '']);
  });
});

describe('faults', () => {
  test('failures replace answers of every kind of route, by chance', async () => {
    await using mock = await at.start({
      faults: { failure_probability: 1, failure_status: 503, failure_body: 'down' },
    });
    await template(mock.unit, '/a', 'fine');
    const answer = await fetch(`${mock.url}/a`);
    expect([answer.status, await answer.text()]).toEqual([503, 'down']);
    await using never = await at.start({ faults: { failure_probability: 0 } });
    await template(never.unit, '/a', 'fine');
    expect((await fetch(`${never.url}/a`)).status).toBe(200);
  });

  test('a delay comes before the answer, and does not outlive the mock', async () => {
    await using mock = await at.start({ faults: { latency_seconds: 0.2 } });
    await template(mock.unit, '/a', 'fine');
    const begun = performance.now();
    await fetch(`${mock.url}/a`);
    expect(performance.now() - begun).toBeGreaterThan(190);
    await using slow = await at.start({ faults: { latency_seconds: 60 } });
    await template(slow.unit, '/a', 'never');
    const pending = fetch(`${slow.url}/a`).catch(() => 'ended');
    await expect.poll(async () => (await fetch(slow.url)).status).toBe(200);
    await slow.unit.call('AT_stop_mock_server');
    expect(await pending).toBe('ended');
  });
});

describe('a route with a fault', () => {
  const body = 'x'.repeat(100);
  /** A mock of one route, `/a`. */
  const startWith = async (route: Record<string, unknown>): Promise<Mock> =>
    await at.start({
      config: at.file('faults.json', JSON.stringify({ http: { routes: [{ rule: '/a', body, ...route }] } })),
    });
  const get = async ({ unit, url }: Mock): Promise<{ text: string; elapsed_ms: number }> => {
    const answer = await unit.call('AT_test_api_method', { http_method: 'get', test_url: `${url}/a`, timeout: 30 });
    return answer as { text: string; elapsed_ms: number };
  };
  /** Its answer as bytes on the connection. */
  const wire = async ({ port }: Mock): Promise<{ head: string; body: string }> => {
    const [head = '', rest = ''] = (await raw(port, 'GET /a HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')).split(
      '\r\n\r\n',
    );
    return { head: head.toLowerCase(), body: rest };
  };

  test('delay: the whole answer comes after its time', async () => {
    await using mock = await startWith({ delay_seconds: 0.2 });
    const answer = await get(mock);
    expect([answer.text, answer.elapsed_ms > 190]).toEqual([body, true]);
    await using ruled = await startWith({ rules: [{ body, delay_seconds: 0.2 }] });
    expect((await get(ruled)).elapsed_ms).toBeGreaterThan(190);
  });

  test('reset: the connection ends without a byte of an answer', async () => {
    await using mock = await startWith({ fault: 'reset' });
    expect((await failureOf(get(mock))).facts.code).toBe('SVC83008');
    expect(await wire(mock)).toEqual({ head: '', body: '' });
  });

  test('cut: the head announces the whole body, and half of it comes', async () => {
    await using mock = await startWith({ fault: 'cut' });
    expect((await failureOf(get(mock))).facts.code).toBe('SVC83008');
    const answer = await wire(mock);
    expect([answer.head, answer.body]).toEqual([expect.stringContaining('content-length: 100'), body.slice(50)]);
  });

  test('slow: the body comes whole, in pieces over its time', async () => {
    await using mock = await startWith({ fault: 'slow', delay_seconds: 0.5 });
    const answer = await fetch(`${mock.url}/a`);
    const begun = performance.now();
    const pieces: string[] = [];
    for await (const piece of answer.body ?? []) pieces.push(Buffer.from(piece).toString());
    expect([pieces.join(''), pieces.length > 1, performance.now() - begun > 300]).toEqual([body, true, true]);
  });

  test('wrong length: the head announces half of what comes, and the connection is not used again', async () => {
    await using mock = await startWith({ fault: 'wrong_length' });
    const answer = await wire(mock);
    expect(answer.head).toContain('content-length: 50');
    expect(answer.head).toContain('connection: close');
    expect(answer.body).toBe(body);
  });

  test('of any kind leaves the mock able to answer the next request, and is kept with what was received', async () => {
    for (const fault of ['reset', 'cut', 'slow', 'wrong_length']) {
      await using mock = await startWith({ fault, delay_seconds: 0.1 });
      await template(mock.unit, '/fine', 'fine');
      await wire(mock);
      expect(await (await fetch(`${mock.url}/fine`)).text(), fault).toBe('fine');
      expect((await received(mock.unit)).map(({ path, route }) => [path, route])).toEqual([
        ['/a', '/a'],
        ['/fine', '/fine'],
      ]);
    }
  });
});
