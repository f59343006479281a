import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { parseCommandLine } from '#grammar/curl/parse.ts';
import { CommandLineError } from '#grammar/curl/ast.ts';
import { importCurl, importCurlLine } from '#grammar/import/curl.ts';

import { session } from '../call.ts';

interface Sent {
  readonly method: string | undefined;
  readonly target: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers that each client sets as it likes, and lengths, which follow from the body. */
const OWN = new Set([
  'host',
  'user-agent',
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'transfer-encoding',
  'accept-language',
  'sec-fetch-mode',
  'cache-control',
  'pragma',
]);

let server: Server;
let base = '';
let last: Sent | undefined;

beforeAll(async () => {
  server = createServer((request, response) => {
    void answer(request).then(() => response.end('ok'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function answer(request: IncomingMessage): Promise<void> {
  const boundary = /boundary=("?)([^";]+)\1/.exec(request.headers['content-type'] ?? '')?.[2];
  const plain = (part: string): string => (boundary === undefined ? part : part.replaceAll(boundary, 'BOUNDARY'));
  const asked = Object.entries(request.headers).filter(([name]) => !OWN.has(name));
  last = {
    method: request.method,
    target: request.url?.replaceAll(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase()),
    headers: Object.fromEntries(
      asked.map(([name, value]) => [
        name,
        plain(String(value)).replaceAll('"BOUNDARY"', 'BOUNDARY').replaceAll(/; ?/g, ';'),
      ]),
    ),

    body: alike(plain(await text(request))),
  };
}

/** Blanks between the parts of JSON say nothing. */
function alike(body: string): string {
  if (!/^[[{]/.test(body) || /\d\.0|\d{17}|\}\{|"a".*"a"/.test(body)) return body;
  return JSON.stringify(JSON.parse(body));
}

async function byCurl(command: string): Promise<Sent | undefined> {
  const line = await parseCommandLine(command);
  if (line instanceof CommandLineError) throw new Error(line.reason);
  const args = line.words.slice(1).map((word) => word.text);
  last = undefined;
  await new Promise<void>((resolve, reject) => {
    execFile('curl', ['-sS', '-o', '/dev/null', ...args], (error) => (error ? reject(error) : resolve()));
  });
  return last;
}

async function byAction(command: string): Promise<Sent | undefined> {
  await using unit = await session();
  const [name, params] = (await unit.call('AT_curl_to_action', { curl_command: command })) as [
    string,
    Record<string, unknown>,
  ];
  last = undefined;
  await unit.call(name, params);
  return last;
}

describe('a request that curl sends', () => {
  test.each([
    'curl URL/a',
    'curl -i -s -S -v URL/a?x=1',
    "curl 'URL/a?q=tea%20green&x=1' -H 'X-One: 1' -H 'x-two:2'",
    'curl -X PUT URL/a -d a=1',
    "curl -XPATCH URL/a --data-raw '{\"a\":1}' -H 'Content-Type: application/json'",
    'curl URL/a -d a=1 -d b=2 --data-binary c=3 --data-ascii d=4',
    "curl URL/a --data-urlencode 'q=a b&c' --data-urlencode '=x y' --data-urlencode 'plain text'",
    "curl -G URL/a -d x=1 --data-urlencode 'q=ä ö'",
    "curl -G 'URL/a?z=0' -d x=1",
    'curl --json \'{"a":[1,2]}\' URL/a',
    'curl -X POST URL/a',
    'curl -X DELETE URL/a',
    'curl -I URL/a',
    'curl --head URL/a',
    'curl -X OPTIONS URL/a',
    "curl URL/a -H 'Content-Type: text/plain' -d 'line one'",
    "curl -A 'my agent' URL/a",
    'curl -e https://here.example/ URL/a',
    'curl -r 0-99 URL/a',
    "curl -b 'a=1; b=2' URL/a",
    'curl -b a=1 -b b=2 URL/a',
    "curl -H 'Cookie: a=1; b=2' URL/a",
    "curl -F a=1 -F 'b=two words' URL/a",
    "curl -F 'a=1;type=application/json' URL/a",
    "curl --form-string 'a=@b;type=x' URL/a",
    "curl -H 'Accept: application/json' -H 'Empty;' URL/a",
    "curl -H 'Host: other.example' URL/a",
    "curl $'URL/a' --data-raw $'it\\'s\\n\\u00e9'",
    'curl "URL/a" -d "a=\\"b\\" \\\\ c"',
    'curl URL/a \\\n  -H "X: 1" \\\n  -d x',
    'curl --request POST --url URL/a --header "content-type: application/json" --data "{}"',
    'curl URL/a --compressed --http1.1',
    "curl URL/a -d ''",
    'curl -X GET URL/a -d x=1',
    "curl --url-query x=1 --url-query 'y=a b' URL/a",
    'curl -u ada: URL/a',
    'curl URL/a#part',
    'curl --get URL/a',
    'curl -sSLk URL/a',
    "curl -d x=1 -H 'Content-Type: application/x-www-form-urlencoded; charset=utf-8' URL/a",
    "curl --data-raw '@notafile' URL/a",
    'curl -d \'{"a": 1.0, "b": 12345678901234567890}\' -H \'Content-Type: application/json\' URL/a',
    'curl -d \'{ "b":1,"a":2 }\' -H \'Content-Type: application/json\' URL/a',
    "curl 'URL/a?x={1}' -g",
    "curl 'URL/x/../a'",
    'curl --location-trusted --max-time 3 URL/a',
    'curl --no-location URL/a',
    "curl -H 'X-A: 1' -H 'X-A: 2' URL/a",
    "curl -d 'a={{b}}' URL/a",
    "curl -d '${a}' URL/a",
    'curl -F a=1 -F file=@LICENSE --connect-timeout 2.5 URL/a',
    'curl --data-binary @LICENSE URL/a',
    'curl -X PUT --data-binary @LICENSE -H "Content-Type: text/plain" URL/a',
    'curl --json @package.json URL/a',
    'curl -T LICENSE URL/a',
    'curl -T LICENSE "URL/a/?x=1"',
    'curl -T LICENSE -X PATCH URL/a/',
    'curl -d \'{"a": 1}\' URL/a',
    "curl -d '[1, 2]' URL/a",
    'curl -X PUT URL/a -d \'{"a":"b"}\'',
    "curl URL/a --data-raw $'re=\\\\d\\q\\u0021\\x41'",
    'curl URL/a -H \'Content-Type: application/json\' -d \'{"re":"^"}\'',
    'curl URL/a -H "X-A: a^" -d "a^"',
    "curl URL/a -b '' -e ';auto' -A ''",
    "curl --url-query 'a=b c' --url-query '+x=1%20y' 'URL/a?z=1'",
    'curl URL/a --data-urlencode "it\'s=(a) it\'s! *~-._"',
    "curl URL/a --data-urlencode 'a=ä€😀\n=&+%'",
    'curl URL/a#part -G -d x=1',
    "curl 'URL/a?y=2#part' --url-query x=1",
    'curl -u : URL/a',
    "curl -u 'ada:' -H 'X: 1' URL/a",
    'curl URL/a # and nothing else\n',
    'curl URL/a#b -d x=1 # more',
    'curl -XPOST -HA:b -dx=1 URL/a',
    'curl -sSd x=1 URL/a',
    'curl -F \'a="quoted \\"value\\"";type=text/plain\' URL/a',
    'curl -F \'a={"b":"c;d"};type=application/json\' URL/a',
    "curl -F 'a=1' -F 'a=2' URL/a",
    "curl -F 'a=1' -F 'f=@package.json;type=application/json;filename=x.json' URL/a",
    'curl -F \'f=@package.json;filename="q\\"x;y.json"\' URL/a',
    "curl -F 'f=<package.json' -F 'g=<package.json;type=application/json' URL/a",
    "curl -F f=@LICENSE -F f=@package.json -F 'm={};type=application/json' URL/a",
    "curl -F 'a=x;filename=n.txt;type=text/csv' -F b=2 URL/a",
    "curl 'URL/a?x=\\{y\\}'",
    'curl -d a=1 --next URL/a',
    "curl -x '' URL/a",
    'curl --json \'{"a":1}\' --json \'{"b":2}\' URL/a',
    "curl --json '[1' --json ',2]' URL/a",
    "curl --json '{\"a\":1}' -H 'Accept: text/plain' URL/a",
    "curl -X POST -H 'Content-Length: 0' URL/a",
    "curl --data-binary $'a\\nb\\r\\n' URL/a",
    'curl -d "line\ntwo" URL/a',
    "curl -d 'a=%20&b' --data-urlencode 'c=100% & more' URL/a",
    "curl -H 'X-Tab:\ta b ' URL/a",
    "curl -H 'X-Colon: a:b:c' URL/a",
    "curl 'URL/a;x=1/b,c?d=e;f&g=a%2Fb+c'",
    "curl 'URL/a?a=1&a=2&b'",
    'curl URL/a%20b/%7Ec',
    'curl URL//a//b',
    "curl -d \"it's\" --data-raw '&b=@c' URL/a",
    'curl -b \'a=1; b=two words; c="x"\' URL/a',
    "curl -b 'a=x=y==' URL/a",
    "curl -X DELETE URL/a -d '{\"a\":1}' -H 'Content-Type: application/json'",
    "curl -X OPTIONS URL/a -H 'Origin: https://here.example' -H 'Access-Control-Request-Method: PUT'",
    'curl -I -X GET URL/a',
    'curl -L -d a=1 URL/a',
    'curl -d a=1 -G -X DELETE URL/a',
    'curl URL/a -H "Content-Type: application/json; charset=utf-8" -d "{\\"a\\":\\"b\\"}"',
    "curl -b a=1 -H 'Cookie: b=2' URL/a",
    "curl -H 'Cookie: b=2' -H 'Cookie: c=3' -b a=1 URL/a",
    "curl -b a=1 -H 'Cookie:' URL/a",
    "curl -u a:b -H 'Authorization:' URL/a",
    "curl -H 'Referer: z' -e r URL/a",
    "curl -e r -H 'Referer:' URL/a",
    "curl -r 0-1 -H 'Range: bytes=5-6' URL/a",
    'curl -r 0-1 -H Range: URL/a',
    "curl -H 'X: 1' -H 'X:' URL/a",
    'curl -G --no-get -d a=1 URL/a',
    'curl -u a: --digest --no-digest URL/a',
    'curl -T LICENSE URL',
    'curl -T LICENSE "URL?x=1"',
    'curl URL/a --data-binary \'{"a": 1, "a": 2, "b": [{"c": "d:e"}]}\' -H \'Content-Type: application/json\'',
  ])('%s', async (command) => {
    const line = command.replaceAll('URL', base);
    expect(await byAction(line)).toEqual(await byCurl(line));
  });

  test.each([
    ['curl -G --json \'{"a":1}\' URL/a', "curl 'URL/a?{%22a%22:1}' -H 'Content-Type: application/json' -g"],
    ["curl --url-query '@LICENSE' URL/a", 'curl URL/a'],
    ['curl -: URL/a', 'curl URL/a'],
    ['X=1 time curl URL/a', 'curl URL/a'],
    ['% curl URL/a', 'curl URL/a'],
    [
      "curl -H 'Transfer-Encoding: chunked' -H 'Expect: 100-continue' -H 'Keep-Alive: 300' -d a=1 URL/a",
      'curl -d a=1 URL/a',
    ],
    ["curl -H 'Content-Length: 11' --json '{\"a\" :  1}' URL/a", 'curl --json \'{"a":1}\' URL/a'],
    ["curl -H 'Connection: keep-alive, Upgrade' -H 'Upgrade: h2c' URL/a", 'curl URL/a'],
    ["curl --variable n=5 --variable 't=a b' --expand-url 'URL/a?n={{n}}&t={{t:url}}'", "curl 'URL/a?n=5&t=a%20b'"],
    [
      'curl --variable \'t= a"b \' --expand-data-raw \'{"t":"{{t:trim:json}}"}{{none}}\' URL/a',
      'curl -d \'{"t":"a\\"b"}\' URL/a',
    ],
    ['curl.exe URL/a `\n  -H \'X-A: it\'\'s\' `\n  -d "a=`$b`"c"""', 'curl URL/a -H "X-A: it\'s" -d \'a=$b"c"\''],
    [
      'curl "URL/a?x=1^&y=2" ^\r\n  -H "content-type: application/json" ^\r\n  --data-raw "{\\"a\\":\\"b ^%^ c\\"}"',
      'curl "URL/a?x=1&y=2" -H "content-type: application/json" --data-raw "{\\"a\\":\\"b % c\\"}"',
    ],
  ])('%s: as %s does', async (command, same) => {
    expect(await byAction(command.replaceAll('URL', base))).toEqual(await byCurl(same.replaceAll('URL', base)));
  });

  test.each([
    ["curl -H 'Upgrade: h2c' URL/a", 'the header Upgrade: h2c, which the client says itself'],
    ['curl -F f=@LICENSE,package.json URL/a', 'curl puts the files of the field \\"f\\" into one part'],
    ['curl -X get URL/a', 'curl sends the verb as it is written, get'],
    ["curl --variable n@file --expand-url 'URL/a?{{n}}'", 'the variable \\"n@file\\" stands in a file'],
    ["curl --url-query 'a@file' URL/a", 'a part of the query stands in the file file'],
    ['curl --tr-encoding URL/a', 'the option --tr-encoding has no counterpart'],
    ['curl -H Accept: URL/a', 'curl sends no header Accept'],
    ["curl --json '{}' -H 'accept:' URL/a", 'curl sends no header accept'],
    ["curl -A me -H 'User-Agent:' URL/a", 'curl sends no header User-Agent'],
    ["curl -A me -A '' URL/a", 'curl sends no header User-Agent'],
    ["curl URL/a -H 'Content-Length:' -d x=1", 'curl sends the body without a Content-Length'],
    ["curl URL/a -H 'Content-Type:' -d x=1", 'curl sends the body without a Content-Type'],
    ["curl -b 'a=1; b' URL/a", 'the cookie \\"b\\", which is no name with a value'],
    ["curl -T '{a,b}' URL/", 'the pattern {a,b} stands for several files, and is taken as it is'],
    ['curl URL/b/%2e%2E/a', 'the dots in the path are resolved before it is sent'],
    ["curl 'URL/../a' --path-as-is", 'the dots in the path are resolved before it is sent'],
    ['curl URL/a -d @-', 'the body stands in standard input'],
    ['curl URL/a -T -', 'the body stands in standard input'],
    ['curl URL/a -d @file.txt', 'curl sends the file file.txt without the ends of its lines'],
    ['curl URL/a -d @file.txt -d b=2', 'a part of the body stands in the file file.txt'],
    ['curl URL/a -d b=2 --data-binary @file.txt', 'a part of the body stands in the file file.txt'],
    ['curl URL/a -d @one.txt -d @two.txt', 'a part of the body stands in the file two.txt'],
    ['curl -G URL/a -d @file.txt', 'a part of the query stands in the file file.txt'],
    ['curl URL/a --proxy-pass secret --ntlm', 'the option --ntlm has no counterpart'],
  ])('%s: says what is not carried over', async (command, lost) => {
    await using unit = await session();
    await unit.call('AT_curl_to_action', { curl_command: command.replaceAll('URL', base) });
    expect(JSON.stringify(unit.evidence)).toContain(lost);
    expect(JSON.stringify(unit.evidence)).not.toContain('secret');
  });

  test.each([
    'curl --no-location URL/a',
    'curl -L --no-location -d a=1 URL/a',
    'curl -k --no-insecure --no-ntlm --no-compressed --no-verbose URL/a',
    "curl -H 'Accept:' -H 'Accept: text/plain' URL/a",
    "curl -H 'Expect:' -H 'Transfer-Encoding:' -d a=1 URL/a",
    "curl -A '' -H 'User-Agent: me' URL/a",
  ])('%s: loses nothing', async (command) => {
    const line = command.replaceAll('URL', base);
    const made = await importCurl(line);
    expect(made).toMatchObject({ lost: [] });
    expect(await byAction(line)).toEqual(await byCurl(line));
  });

  test('takes the login of an address for that address alone, and --user before it', async () => {
    const auth = async (line: string): Promise<unknown> => {
      const made = await importCurlLine(line);
      return made instanceof CommandLineError ? made : made.map(({ action }) => action[1]['auth']);
    };
    expect(await auth('curl http://a:@x/ http://x/')).toEqual([['a', ''], undefined]);
    expect(await auth('curl -u b: http://a:@x/')).toEqual([['b', '']]);
  });

  test('takes a written header of a login, and not the login beside it', async () => {
    for (const line of [
      "curl -H 'Authorization: Token eA' -u a:b http://x/",
      "curl -u a:b -H 'Authorization: Token eA' http://x/",
    ]) {
      await using unit = await session();
      const [, params] = (await unit.call('AT_curl_to_action', { curl_command: line })) as [string, object];
      expect(params).not.toHaveProperty('auth');
    }
  });
});
