import { execFileSync } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_template_render, FA_template_render_file } from '#stdlib/files/local/template/template.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

type Values = Record<string, unknown>;
const render = (template: string, context: Values = {}, { rich = true, autoescape = true } = {}): Promise<string> =>
  call(FA_template_render, place, { template, context, rich, autoescape });

const shop = {
  name: 'Ada <b>',
  items: [
    { n: 'pen', p: 2.5 },
    { n: 'ink & co', p: 10 },
  ],
  user: { mail: "a'b@c", on: true },
  none: null,
  html: '<i>x</i>',
  n: 3,
};

/** Templates that Jinja itself fills in the same way. */
const same = [
  'Dear {{ name }}, {{ user.mail }} {{ user["mail"] }}!',
  '{% for item in items %}{{ loop.index }}. {{ item.n }}: {{ item.p }}{% if not loop.last %}, {% endif %}{% endfor %}',
  '{% for item in [] %}x{% else %}none{% endfor %}',
  '{% if n > 2 and user.on %}yes{% elif n %}no{% else %}never{% endif %}',
  '{{ html | safe }} {{ html }} {{ html | e }} {{ html | safe | e }}',
  '{{ name | upper }} {{ items | length }} {{ "x" ~ n }} {{ n + 1 }} {{ n * 2 - 1 }}',
  '{{ missing | default("d") }} {{ user.nothing | default(name) }} {{ name | default("d") }} {{ "" | default("e", true) }}',
  '{{ missing is defined }}{% if user.mail is defined %} d{% endif %}'.replace(
    '{{ missing is defined }}',
    '{% if missing is defined %}x{% endif %}',
  ),
  '{% macro b(x) %}<b>{{ x }}</b>{% endmacro %}{{ b(name) }} {{ b(html | safe) }}',
  '{% set x = name %}{{ x }}{% set y %}<u>{{ name }}</u>{% endset %}{{ y }}',
  '{% macro w() %}<p>{{ caller() }}</p>{% endmacro %}{% call w() %}{{ name }}{% endcall %}',
  "<a data='{{ user | tojson }}'>",
  'a\n  {%- if true %} b {% endif -%}\n c {# comment #}\n\n',
  '{% for i in range(3) %}{{ i }}{% endfor %} {{ items[0].n }} {{ items[-1].p }}',
  'a {% raw %}{{ x }} {% if %} "q" \\ <b>{% endraw %} b {%- raw -%}  {# c #}\n {%- endraw -%}  d {# {% raw %} #}',
  '{{ 2.5 | round }} {{ 3.14159 | round(2) }} {{ 1.85 | round(1) }} {{ 0.125 | round(2) }} {{ 7 | round }} {{ 42.1 | round(0, "ceil") }} {{ 1234 | round(-2) }}',
  '{{ [3, 1, 2] | sum }} {{ items | sum(attribute="p") }} {{ [3, 1, 2] | max }} {{ ["b", "A"] | min }} {{ items | count }} {{ -2.7 | int }} {{ "abc" | first }}{{ [1, 2] | last }}',
  '{{ [1, 2.5, "x<"] | join(", ") }} {{ "abc" | join("-") }} {{ "a b/c?ä" | urlencode }} {{ "one two-three" | wordcount }} {{ "foo bar baz qux" | truncate(9) }} {{ "foo bar baz qux" | truncate(9, true) }} {{ "foo bar baz qux" | truncate(11) }}',
  '{% if "1" == 1 or "" == 0 or none == false %}x{% endif %}{% if [1, {"a": 2}] == [1.0, {"a": 2}] and 1 == 1.0 and n != "3" %}y{% endif %}',
  '{{ -7 % 3 }} {{ 7 // -2 }} {{ 7.5 % 2 }} {{ 1 / 4 }}{% if "a" < "b" and "b" >= "b" %} z{% endif %}',
  'plain $text ${x} \\n é 😀\r\n',
  '{{ "a,b" }} {{ n if n > 5 else "small" }}',
  '{{ "a😀b" | length }} {{ "a😀b"[2] }} {{ "a😀b"[-2] }} {{ "a😀b"[1:] }} {{ "a😀b" | truncate(2, true, "", 0) }} {{ "a😀b" | reverse }}',
  '{{ "éa öb o\'neil x-y (z" | title }} {{ "ÉA bC" | capitalize }} {{ "é" | list | first }} {{ "abc" | list | length }}',
];

describe('FA_template_render, rich', () => {
  it.skipIf(lacks('python3'))('agrees with Jinja', async () => {
    const script = String.raw`import json, sys, jinja2
given = json.load(sys.stdin)
print(json.dumps([[jinja2.Environment(autoescape=a, undefined=jinja2.StrictUndefined, newline_sequence="\r\n" if "\r" in t else "\n").from_string(t).render(given["context"]) for a in (True, False)] for t in given["templates"]]))`;
    const wanted = JSON.parse(
      execFileSync('python3', ['-c', script], {
        input: JSON.stringify({ templates: same, context: shop }),
        encoding: 'utf8',
      }),
    ) as string[][];
    for (const [index, template] of same.entries()) {
      expect([template, await render(template, shop), await render(template, shop, { autoescape: false })]).toEqual([
        template,
        ...(wanted[index] ?? []),
      ]);
    }
  });

  it('writes nothing for null, and JSON for booleans and lists', async () => {
    expect(
      await render('[{{ none }}] {{ user.on }} {{ list }}', { ...shop, list: [1, 'a'] }, { autoescape: false }),
    ).toBe('[] true [1, "a"]');
    expect(await render('{{ none ~ "x" ~ none }}')).toBe('x');
  });

  it.each([
    '{{ nmae }}',
    '{{ user.nmae }}',
    '{{ user.x.y }}',
    '{% if nmae %}{% endif %}',
    '{% for x in nmae %}{% endfor %}',
    '{{ nmae | upper }}',
    '{{ nmae | default(other) }}',
    '{{ items[5] }}',
    '{{ nmae == 1 }}',
    '{{ x }}{% set x = 1 %}',
  ])('%s uses a name that the context lacks', async (template) => {
    expect((await failureOf(render(template, shop))).facts).toMatchObject({
      code: 'SVC85092',
      name: 'TemplateException',
    });
  });

  it('says which name', async () => {
    expect((await failureOf(render('{{ user.address.street }}', shop))).message).toContain('"user.address"');
  });

  it.each([
    '{% if x %}',
    '{{ name',
    '{{ name | nofilter }}',
    '{% nothing %}',
    '{{ name.upper.x() }}',
    '{{ 1 + }}',
    '{{ 1 / 0 }}',
    '{{ 1 % 0 }}',
    '{{ [] | first }}',
    '{{ [] | max }}',
    '{{ ["a", 1] | min }}',
    '{{ ["a"] | sum }}',
    '{% raw %}',
    '{{ strftime_now("%Y") }}',
  ])('%s is broken', async (template) => {
    expect(['SVC85091', 'SVC85092']).toContain((await failureOf(render(template, shop))).facts.code);
  });

  it.each(['{% for x in items %}', '{{', '{% if name %}{{ name }}', '{% break %}'])(
    'says in plain words that %s has no end, or no beginning',
    async (template) => {
      expect((await failureOf(render(template, shop))).message).toMatch(/no end|outside of a loop/);
    },
  );

  it.each(['constructor', '__proto__', '__class__', 'constructor.constructor("return 1")()', 'toString', 'valueOf'])(
    'gives nothing of the host: %s',
    async (name) => {
      for (const template of [`{{ name.${name} }}`, `{{ user.${name} }}`, `{{ items.${name} }}`, `{{ ${name} }}`]) {
        expect((await failureOf(render(template, shop))).facts.name, template).toBe('TemplateException');
      }
    },
  );

  it('takes context names that it knows itself, and such as __proto__', async () => {
    const context = JSON.parse(
      '{"range": "r", "true": "t", "namespace": "n", "__proto__": "p", "loop": "l"}',
    ) as Values;
    expect(await render('{{ range }}{{ true }}{{ namespace }}{{ __proto__ }}{{ loop }}', context)).toBe('rtnpl');
  });

  it.each([
    '{% for i in range(1000000000) %}{% endfor %}',
    '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
    '{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}',
    `{% for i in range(99999) %}${'x'.repeat(1000)}{% endfor %}`,
    '{% for i in range(99999) %}{% set x = range(99999) | join | length %}{% endfor %}',
    '{% set list = range(99999) %}{% for i in list %}{% set x = -1 in list %}{% endfor %}',
    '{% set ns = namespace(a=[1]) %}{% for i in range(40) %}{% set ns.a = ns.a + ns.a %}{% endfor %}',
    '{% set ns = namespace(a="x") %}{% for i in range(40) %}{% set ns.a = ns.a ~ ns.a %}{% endfor %}',
    '{% set list = range(99999) %}{% for i in list %}{% set x = list[1:] %}{% endfor %}',
    '{% set text = range(99999) | join %}{% for i in range(99999) %}{% set x = text.split("1") %}{% endfor %}',
  ])(
    '%.50s ends',
    async (template) => {
      expect((await failureOf(render(template))).facts.code).toBe('SVC85094');
    },
    60_000,
  );
});

describe('FA_template_render, simple', () => {
  const simple = (template: string, context: Values = {}): Promise<string> =>
    render(template, context, { rich: false });

  it('fills names and doubled dollars, and escapes nothing', async () => {
    expect(await simple('$a ${a}b $$a {{ a }} $_x', { a: '<&>', _x: '$a' })).toBe('<&> <&>b $a {{ a }} $a');
    expect(await simple('$n $b $l [$z]', { n: 1.5, b: true, l: [1, { a: 'x' }], z: null })).toBe(
      '1.5 true [1,{"a":"x"}] []',
    );
  });

  it.each([
    ['$b', 'SVC85092'],
    ['${b}', 'SVC85092'],
    ['$constructor', 'SVC85092'],
    ['\n$5', 'SVC85095'],
    ['100$', 'SVC85095'],
    ['${a', 'SVC85095'],
    ['${a b}', 'SVC85095'],
  ])('%j is refused with %s', async (template, code) => {
    expect((await failureOf(simple(template, { a: 1 }))).facts).toMatchObject({ code, name: 'TemplateException' });
  });
});

describe('FA_template_render_file', () => {
  const file = async (
    name: string,
    template: string | Uint8Array,
    {
      context = { a: '<' },
      output = null as string | null,
      rich = null as boolean | null,
      autoescape = null as boolean | null,
    } = {},
  ): Promise<string> => {
    await writeFile(place.path(name), template);
    return call(FA_template_render_file, place, {
      template_path: place.path(name),
      context,
      output_path: output === null ? null : place.path(output),
      rich,
      autoescape,
    });
  };

  it.each([
    ['x.txt', '$a {{ a }}', {}, '< {{ a }}'],
    ['x.txt.j2', '{{ a }}', {}, '<'],
    ['x.html.j2', '{{ a }}', {}, '&lt;'],
    ['x.XML.Jinja2', '{{ a }}', {}, '&lt;'],
    ['x.jinja', '{{ a }}', { output: 'out.htm' }, '&lt;'],
    ['x.html.j2', '{{ a }}', { output: 'out.txt' }, '<'],
    ['x.html.j2', '{{ a }}', { autoescape: false }, '<'],
    ['x.html', '$a', {}, '<'],
    ['x.html', '{{ a }}', { rich: true }, '&lt;'],
    ['x.j2', '$a', { rich: false }, '<'],
    ['x.txt', '\ufeff$a', {}, '<'],
  ])('%s: %s with %j is %s', async (name, template, options, expected) => {
    expect(await file(name, template, options)).toBe(expected);
  });

  it('writes the output with its folders, and nothing after a failure', async () => {
    await file('x.txt', '$a\n', { output: 'new/out.txt' });
    expect(await readFile(place.path('new/out.txt'), 'utf8')).toBe('<\n');
    await failureOf(file('x.txt', '$b', { output: 'other/out.txt' }));
    expect((await readdir(place.root)).sort()).toEqual(['new', 'x.txt']);
  });

  it('refuses what is missing and what is no UTF-8', async () => {
    const missing = call(FA_template_render_file, place, {
      template_path: place.path('none'),
      context: {},
      output_path: null,
      rich: null,
      autoescape: null,
    });
    expect((await failureOf(missing)).facts).toMatchObject({ code: 'SVC85093', name: 'TemplateException' });
    expect((await failureOf(file('x', new Uint8Array([0xff])))).facts).toMatchObject({
      code: 'SVC85096',
      name: 'TemplateException',
    });
  });
});
