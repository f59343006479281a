import { execFileSync } from 'node:child_process';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { CommandLineError } from '#grammar/curl/ast.ts';
import { parseCommandLine } from '#grammar/curl/parse.ts';
import { importCurl, importCurlLine } from '#grammar/import/curl.ts';
import type { Json } from '#schemas/types/json.ts';

import { lacks } from '../../fixtures/programs.ts';

describe('words', () => {
  const words = async (text: string): Promise<readonly string[]> => {
    const line = await parseCommandLine(text);
    if (line instanceof CommandLineError) throw new Error(line.reason);
    return line.words.map(({ text: word }) => word);
  };

  test.each<[string, readonly string[]]>([
    [`curl  'a b'"c d"e\\ f`, ['curl', 'a bc de f']],
    ['curl \\\n  -X \\\r\n POST', ['curl', '-X', 'POST']],
    [`curl "a\\"b\\\\c\\d$"`, ['curl', 'a"b\\c\\d$']],
    [`curl $'tab\\there\\x41\\u20ac\\'q\\303\\244'`, ['curl', "tab\thereA€'qä"]],
    [`curl '' ""`, ['curl', '', '']],
    ['curl "$HOME/x" ${TOKEN} $1', ['curl', '${env:HOME}/x', '${env:TOKEN}', '$1']],
    [`curl 'literal \${x} {{y}}'`, ['curl', 'literal $${x} \\{{y}}']],
    [`curl 'run \${{ github.token }}'`, ['curl', 'run $${{ github.token }}']],
    ['curl ^"http://x/?a=^%^20b^" ^\n  -H ^"A: \\^"b\\^"^"', ['curl', 'http://x/?a=%20b', '-H', 'A: "b"']],
    ['curl ^"x^" ^\r\n  -d ^"a^&b^\r\n\r\nc^"', ['curl', 'x', '-d', 'a&b\nc']],
    ['curl "x" ^\n  -d "a"^\n\n"b\\""^\n\n"c"', ['curl', 'x', '-d', 'a\nb"\nc']],
    ["curl $'\\d\\?\\q'", ['curl', '\\d?\\q']],
    ['curl x # a comment\n-k', ['curl', 'x', '-k']],
    ['curl x#y\n# a line\n-k', ['curl', 'x#y', '-k']],
    ['curl -d \'{"a":"^"}\' x', ['curl', '-d', '{"a":"^"}', 'x']],
    ['curl "http://x/?a=1^&b=2" ^\r\n  -d "{""a"":""it\'s""}"', ['curl', 'http://x/?a=1&b=2', '-d', '{"a":"it\'s"}']],
    ['curl.exe -k `\n  x', ['curl.exe', '-k', 'x']],
  ])('of %j', async (text, expected) => expect(await words(text)).toEqual(expected));

  test.each([
    [`curl 'open`, 5],
    ['curl "open', 10],
    ['curl "$(x"', 6],
  ])('of %j cannot be read', async (text) => {
    expect(await parseCommandLine(text)).toBeInstanceOf(CommandLineError);
  });

  test('that cannot be told in an action are named', async () => {
    const line = await parseCommandLine('curl http://x?a=1&b=2 | jq .');
    expect(line).toMatchObject({
      words: [{ text: 'curl' }, { text: 'http://x?a=1' }],
      lost: [expect.stringContaining('`&`')],
    });
    expect(await parseCommandLine('curl "`date`"')).toMatchObject({ lost: [expect.stringContaining('`date`')] });
  });

  test.skipIf(lacks('bash'))('are those of the shell', async () => {
    const pieces = fc.constantFrom(
      "'a b'",
      '"c d"',
      '\\ ',
      'plain',
      "$'\\n'",
      '"\\""',
      ' ',
      '\\\n',
      "''",
      'ä',
      '"\\a"',
      '#x',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 8 }), async (parts) => {
        const text = `x${parts.join('')}`;
        // Behind a blank that is not escaped, # begins a comment, which nobody pastes; what follows its line would be run here.
        fc.pre(!/(?<!\\) (?:\\\n)*#/.test(text));
        const shell = execFileSync('bash', ['--norc', '-c', `printf '%s\\0' ${text}`], {
          encoding: 'utf8',
          env: { LC_ALL: 'C.UTF-8' },
        });
        expect(await words(text)).toEqual(shell.split('\0').slice(0, -1));
      }),
      { numRuns: Number(process.env['RUNS'] ?? 40) },
    );
  });
});

describe('requests', () => {
  const imported = async (
    text: string,
  ): Promise<{ params: Record<string, Json>; lost: readonly string[]; secrets: readonly string[] }> => {
    const found = await importCurl(text);
    if (found instanceof CommandLineError) throw new Error(found.reason);
    return { params: { ...found.action[1] }, lost: found.lost, secrets: found.secrets };
  };

  test.each<[string, Record<string, Json>]>([
    ['curl http://x/', { http_method: 'get', test_url: 'http://x/' }],
    ['$ curl x.example/a', { http_method: 'get', test_url: 'http://x.example/a' }],
    ['curl -sSLkI https://x/', { http_method: 'head', test_url: 'https://x/', allow_redirects: true, verify: false }],
    [
      `curl -d '{"a": [1, 2]}' -H 'Content-Type: application/json' http://x/`,
      { http_method: 'post', test_url: 'http://x/', json: { a: [1, 2] } },
    ],
    [
      `curl -XPUT --data-raw '[1]' -H 'Content-Type: application/vnd.api+json' http://x/`,
      { http_method: 'put', test_url: 'http://x/', headers: { 'Content-Type': 'application/vnd.api+json' }, json: [1] },
    ],
    [
      'curl -d a=1 -d b=2 http://x/',
      {
        http_method: 'post',
        test_url: 'http://x/',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        data: 'a=1&b=2',
      },
    ],
    [
      'curl -G -d a=1 --data-urlencode "b=ä c" "http://x/?z=0"',
      { http_method: 'get', test_url: 'http://x/?z=0&a=1&b=%C3%A4+c' },
    ],
    [
      'curl --json "{}" http://x/',
      { http_method: 'post', test_url: 'http://x/', headers: { Accept: 'application/json' }, json: {} },
    ],
    [
      `curl -A me -e http://r/ -r 0-9 -H 'X-Empty;' -H 'Accept:' http://x/`,
      {
        http_method: 'get',
        test_url: 'http://x/',
        headers: { 'User-Agent': 'me', Referer: 'http://r/', Range: 'bytes=0-9', 'X-Empty': '' },
      },
    ],
    [
      `curl -b 'theme=dark; lang=de' http://x/`,
      { http_method: 'get', test_url: 'http://x/', cookies: { theme: 'dark', lang: 'de' } },
    ],
    [
      'curl -x proxy:3128 -m 2.5 --cert c.pem --key k.pem --compressed http://x/',
      {
        http_method: 'get',
        test_url: 'http://x/',
        proxies: { all: 'http://proxy:3128' },
        timeout: 2.5,
        cert: ['c.pem', 'k.pem'],
      },
    ],
    [
      'curl --socks5 localhost:9050 --cacert ca.pem --url http://x/',
      { http_method: 'get', test_url: 'http://x/', proxies: { all: 'socks5://localhost:9050' }, verify: 'ca.pem' },
    ],
    [
      'curl -F name=tea -F "note=a;type=text/markdown" http://x/',
      {
        http_method: 'post',
        test_url: 'http://x/',
        headers: { 'Content-Type': 'multipart/form-data; boundary=svc-form' },
        data: '--svc-form\r\nContent-Disposition: form-data; name="name"\r\n\r\ntea\r\n--svc-form\r\nContent-Disposition: form-data; name="note"\r\nContent-Type: text/markdown\r\n\r\na\r\n--svc-form--\r\n',
      },
    ],
    [
      'curl --connect-timeout 2 http://x/',
      { http_method: 'get', test_url: 'http://x/', phase_timeouts: { connect: 2 } },
    ],
    ['curl -o out.txt -w "%{http_code}" http://x/', { http_method: 'get', test_url: 'http://x/' }],
    ['curl.exe http://x/', { http_method: 'get', test_url: 'http://x/' }],
    [
      'curl -F "photo=@\\"a;b.png\\"" -F who=ada -F tag=a -F tag=b http://x/',
      {
        http_method: 'post',
        test_url: 'http://x/',
        files: { photo: { path: 'a;b.png', type: 'image/png' } },
        data: { who: 'ada', tag: ['a', 'b'] },
      },
    ],
    [
      'curl -F "a=@a.json;type=application/json;filename=\\"x;\\\\\\"y\\\\\\".json\\"" -F "meta={};type=application/json" http://x/',
      {
        http_method: 'post',
        test_url: 'http://x/',
        files: {
          a: { path: 'a.json', type: 'application/json', name: 'x;"y".json' },
          meta: { text: '{}', type: 'application/json' },
        },
      },
    ],
    [
      'curl -F "a=<a.txt" -F f=@a.bin -F f=@b.pdf http://x/',
      {
        http_method: 'post',
        test_url: 'http://x/',
        files: { a: { path: 'a.txt', name: null }, f: ['a.bin', { path: 'b.pdf', type: 'application/pdf' }] },
      },
    ],
    [
      'curl -d a=1 --next http://x/',
      {
        http_method: 'post',
        test_url: 'http://x/',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        data: 'a=1',
      },
    ],
    [
      'curl --json @body.json http://x/',
      {
        http_method: 'post',
        test_url: 'http://x/',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body_file: 'body.json',
      },
    ],
    [
      'curl -T "up here.txt" "http://x/in/?a=1"',
      { http_method: 'put', test_url: 'http://x/in/up%20here.txt?a=1', body_file: 'up here.txt' },
    ],
    [
      'curl --proxy-user a:b -x proxy:3128 http://x/',
      { http_method: 'get', test_url: 'http://x/', proxies: { all: 'http://${ENV.PROXY_AUTH}@proxy:3128' } },
    ],
    ["curl --noproxy '*' http://x/", { http_method: 'get', test_url: 'http://x/', proxies: {} }],
    ['curl -L --max-redirs 0 http://x/', { http_method: 'get', test_url: 'http://x/' }],
    [
      'curl --location-trusted http://x/',
      {
        http_method: 'get',
        test_url: 'http://x/',
        allow_redirects: true,
        redirect_headers: ['Authorization', 'Cookie'],
      },
    ],
    ["curl 'http://x/\\{a\\}'", { http_method: 'get', test_url: 'http://x/{a}' }],
    [
      'curl -F "a=@a.txt,b.bin;type=text/x" http://x/',
      {
        http_method: 'post',
        test_url: 'http://x/',
        files: {
          a: [
            { path: 'a.txt', type: 'text/plain' },
            { path: 'b.bin', type: 'text/x' },
          ],
        },
      },
    ],
    ['curl -g "http://x/{a}"', { http_method: 'get', test_url: 'http://x/{a}' }],
    [
      'curl "$BASE/x" -H "X-Trace: $TRACE"',
      { http_method: 'get', test_url: '${env:BASE}/x', headers: { 'X-Trace': '${env:TRACE}' } },
    ],
  ])('%s', async (text, params) => expect((await imported(text)).params).toEqual(params));

  test.each<[string, Record<string, Json>, string[]]>([
    ['curl -u ada:secret http://x/', { auth: ['ada', '${ENV.API_PASSWORD}'] }, ['API_PASSWORD']],
    [
      'curl http://a%40da:secret@x/',
      { test_url: 'http://x/', auth: ['a@da', '${ENV.API_PASSWORD}'] },
      ['API_PASSWORD'],
    ],
    ['curl http://ada:secret@x/', { test_url: 'http://x/', auth: ['ada', '${ENV.API_PASSWORD}'] }, ['API_PASSWORD']],
    [
      `curl -H 'Authorization: Bearer abc.def' http://x/`,
      { headers: { Authorization: 'Bearer ${ENV.BEARER_TOKEN}' } },
      ['BEARER_TOKEN'],
    ],
    [
      `curl -H 'X-Api-Key: abc' 'http://x/?api_key=abc&page=1'`,
      { headers: { 'X-Api-Key': '${ENV.X_API_KEY}' }, test_url: 'http://x/?api_key=${ENV.API_KEY}&page=1' },
      ['X_API_KEY', 'API_KEY'],
    ],
    [
      `curl -b 'session=abc; theme=dark' http://x/`,
      { cookies: { session: '${ENV.COOKIE_SESSION_SECRET}', theme: 'dark' } },
      ['COOKIE_SESSION_SECRET'],
    ],
    [
      `curl -d '{"user": "ada", "password": "secret"}' http://x/`,
      { json: { user: 'ada', password: '${ENV.PASSWORD}' } },
      ['PASSWORD'],
    ],
    ['curl -d "user=ada&password=secret" http://x/', { data: 'user=ada&password=${ENV.PASSWORD}' }, ['PASSWORD']],
    [
      'curl --oauth2-bearer abc http://x/',
      { headers: { Authorization: 'Bearer ${ENV.BEARER_TOKEN}' } },
      ['BEARER_TOKEN'],
    ],
    ['curl -H "Authorization: Bearer $TOKEN" http://x/', { headers: { Authorization: 'Bearer ${env:TOKEN}' } }, []],
  ])('put references in place of credentials: %s', async (text, params, secrets) => {
    const found = await imported(text);
    expect(found.params).toMatchObject(params);
    expect(found.secrets).toEqual(secrets);
    expect(JSON.stringify(found)).not.toMatch(/secret"|abc|secret@/);
  });

  test.each([
    ['curl -d @body.json http://x/', 'curl sends the file body.json without the ends of its lines'],
    ['curl -d @a.json -d @b.json http://x/', 'a part of the body stands in the file b.json'],
    ['curl -T - http://x/', 'the body stands in standard input'],
    ['curl --ntlm -u a:b http://x/', 'the option --ntlm has no counterpart'],
    ['curl http://x/ http://y/', '1 further requests; `svc import` makes a step of each'],
    ['curl -X PURGE http://x/', 'the verb PURGE has no counterpart'],
    ['curl "http://x/[1-99999]"', 'a pattern in the address stands for several addresses, and is taken as it is'],
    ['curl --retry 3 http://x/', '--retry: `retry` beside the action repeats it'],
    ['curl --max-redirs 4 -L http://x/', '--max-redirs 4: `limits.http_redirects` of the configuration bounds them'],
    [
      'curl --resolve x:80:127.0.0.1 http://x/',
      '--resolve x:80:127.0.0.1: `http.dns` of the configuration names addresses',
    ],
    [
      'curl --connect-to x:80:127.0.0.1:81 http://x/',
      '--connect-to x:80:127.0.0.1:81: `http.dns` of the configuration names addresses',
    ],
    ['curl -K a.conf http://x/', 'options stand in the file a.conf'],
    ['curl -K - http://x/', 'options stand in standard input'],
    [
      'curl -G -d a=1 --url-query b=2 http://x/',
      'curl leaves --url-query out beside the texts that --get puts into the query',
    ],
    ['curl --http2 https://x/', '--http2: AT_test_api_method_httpx offers it with `http2: true`'],
    ['curl --aws-sigv4 aws:amz -u a:b http://x/', '--aws-sigv4: AT_sigv4_headers makes the headers that sign it'],
    ['curl -F "a=@a.txt;headers=X: 1" http://x/', 'the headers of the field "a": X: 1'],
    ['curl -F "a=@a.bin,b.bin" http://x/', 'curl puts the files of the field "a" into one part'],
    ['curl -X get http://x/', 'curl sends the verb as it is written, get: servers may refuse it'],
    ['curl -F "a=b;c" http://x/', 'curl leaves "c" of the field "a" out'],
    ["curl --variable v@file --expand-data '{{v}}' http://x/", 'the variable "v@file" stands in a file'],
  ])('say what they could not carry: %s', async (text, lost) => expect((await imported(text)).lost).toContain(lost));

  test.each([
    ['wget http://x/', 'it does not begin with curl'],
    ['curl -X POST', 'it has no address'],
    [
      'curl -K a.conf',
      'it has no address, and the file a.conf, which may name one, is not read: write its options here',
    ],
    ['curl http://x/ -H', 'the option --header has no value'],
    ['curl', 'it has no address'],
    ['curl ftp://x/file', 'its address is none of http or https: ftp://x/file'],
    ['curl http://x/ --next -s', 'it has no address'],
    [
      'curl "http://x/{a,b}{a,b}{a,b}" "http://x/[1-20]" "http://y/[1-20]" "http://z/[1-20]" "http://q/[1-20]" "http://r/[1-20]"',
      'it sends more than 100 requests',
    ],
  ])('cannot be made of %j', async (text, reason) => {
    const found = await importCurl(text);
    expect(found instanceof CommandLineError && found.reason).toBe(reason);
  });

  test.each<[string, readonly string[]]>([
    ['curl http://x/a http://x/b', ['get http://x/a', 'get http://x/b']],
    ['curl --url=x http://x/a', ['get http://x/a']],
    [
      'curl -d a=1 http://x/a -: http://x/b --next -XPUT http://x/c',
      ['post http://x/a', 'get http://x/b', 'put http://x/c'],
    ],
    ['curl -H --next http://x/a', ['get http://x/a']],
    [
      "curl 'http://[::1]:8/{a,b}/[08-10]'",
      ['a/08', 'a/09', 'a/10', 'b/08', 'b/09', 'b/10'].map((path) => `get http://[::1]:8/${path}`),
    ],
    ["curl 'http://x/[a-e:2]'", ['get http://x/a', 'get http://x/c', 'get http://x/e']],
    ['curl "$BASE/{a,b}"', ['get ${env:BASE}/a', 'get ${env:BASE}/b']],
  ])('are as many as curl sends: %s', async (text, expected) => {
    const found = await importCurlLine(text);
    if (found instanceof CommandLineError) throw new Error(found.reason);
    expect(found.map(({ action: [, { http_method: method, test_url: url }] }) => `${method} ${url}`)).toEqual(expected);
  });

  test('say that something is wanted if it is newer, and that a verb given by hand outlives redirects', async () => {
    const day = 'Tue, 15 Nov 1994 12:45:26 GMT';
    const headersOf = async (text: string): Promise<unknown> => {
      const made = await importCurl(text);
      return made instanceof CommandLineError ? made : [made.action[1]['headers'], made.lost];
    };
    expect(await headersOf(`curl -z '${day}' http://a/`)).toEqual([{ 'If-Modified-Since': day }, []]);
    expect(await headersOf(`curl -z '-${day}' http://a/`)).toEqual([{ 'If-Unmodified-Since': day }, []]);
    expect(await headersOf('curl -z yesterday http://a/')).toEqual([undefined, [expect.stringContaining('yesterday')]]);
    expect(await headersOf('curl -L -X POST http://a/')).toEqual([undefined, [expect.stringContaining('sends POST')]]);
    expect(await headersOf('curl -L -d a http://a/')).toEqual([expect.anything(), []]);
    expect(await headersOf('curl -L -X GET http://a/')).toEqual([undefined, []]);
  });

  test('are tried again as often as curl tries', async () => {
    const found = await importCurlLine('curl --retry 3 --retry-delay 2 --retry-max-time 30 http://x/');
    expect(found).toMatchObject([
      { options: { retry: { max_attempts: 4, interval_s: 2, max_s: 30, on: ['network', 'timeout', 'http_5xx'] } } },
    ]);
  });
});
