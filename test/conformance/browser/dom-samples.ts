/** A page body and what is looked for in it. */
export interface DomSample {
  readonly name: string;
  readonly html: string;
  readonly asked: readonly Asked[];
}

export type Asked =
  | { readonly kind: 'role'; readonly role: string; readonly name?: string; readonly exact?: boolean }
  | { readonly kind: 'label' | 'placeholder' | 'text'; readonly text: string; readonly exact?: boolean }
  | { readonly kind: 'test_id' | 'css'; readonly text: string };

/**
 * Hand-written pages, each with one difficulty, and as many generated ones as make `count` together. The same for a
 * seed.
 */
export function domSamples(count: number, seed: number): readonly DomSample[] {
  const random = randomBy(seed);
  const made = Array.from({ length: count - written.length }, (_, index) => generated(index, random));
  return [...written, ...made];
}

const names = ['Save', 'save draft', 'Mail', 'E-Mail', 'Größe', 'שלום', "Don't", 'a "b"', 'Total: 3', 'Delete', 'x'];
const rolesAsked = [
  'button',
  'textbox',
  'checkbox',
  'link',
  'heading',
  'list',
  'listitem',
  'img',
  'combobox',
  'option',
];
const moreRoles = ['row', 'cell', 'dialog', 'tab', 'group', 'region', 'radio', 'navigation', 'switch', 'alert'];

function askedOf(random: Random): readonly Asked[] {
  const [first, second, third] = [one(names, random), one(names, random), one(names, random)];
  const asked: readonly Asked[] = [
    { kind: 'role', role: one([...rolesAsked, ...moreRoles], random) },
    { kind: 'role', role: one(rolesAsked, random), name: first },
    { kind: 'role', role: one(rolesAsked, random), name: second, exact: true },
    { kind: 'label', text: first },
    { kind: 'label', text: third, exact: true },
    { kind: 'placeholder', text: one(names, random) },
    { kind: 'text', text: second },
    { kind: 'text', text: first, exact: true },
    { kind: 'test_id', text: one(['total', 'save', 'a"b'], random) },
    {
      kind: 'css',
      text: one(['p', 'input', '.odd', 'div > *', '[aria-label]', 'li:nth-child(2)', 'button:not([disabled])'], random),
    },
  ];
  // Six of ten: each question costs a call of the browser.
  const from = Math.floor(random() * asked.length);
  return Array.from({ length: 6 }, (_, index) => asked[(from + index * 3) % asked.length] as Asked);
}

function generated(index: number, random: Random): DomSample {
  const count = 3 + Math.floor(random() * 5);
  const html = Array.from({ length: count }, () => block(random, 0)).join('\n');
  return { name: `generated ${index}`, html, asked: askedOf(random) };
}

function block(random: Random, depth: number): string {
  const make = one(makers, random);
  const inner = depth < 3 && random() < 0.5 ? block(random, depth + 1) : escaped(one(names, random));
  return make(inner, random);
}

type Random = () => number;
type Maker = (inner: string, random: Random) => string;

const makers: readonly Maker[] = [
  (inner, random) => `<button${traits(random)}>${inner}</button>`,
  (inner, random) => `<a href="#"${traits(random)}>${inner}</a>`,
  (inner, random) => `<label${traits(random)}>${inner} <input${traits(random)}></label>`,
  (inner, random) => `<label for="${idOf(random)}">${inner}</label><input id="${idOf(random)}"${traits(random)}>`,
  (inner, random) =>
    `<span id="${idOf(random)}">${inner}</span><input aria-labelledby="${idOf(random)} ${idOf(random)}">`,
  (inner, random) =>
    `<input type="${one(['text', 'checkbox', 'radio', 'submit', 'button', 'search', 'number', 'range', 'password'], random)}" value="${escaped(one(names, random))}"${traits(random)}><i>${inner}</i>`,
  (inner, random) =>
    `<div role="${one([...rolesAsked, ...moreRoles, 'presentation', 'none', 'bogus', 'bogus button'], random)}"${traits(random)}>${inner}</div>`,
  (inner) => `<ul><li>${inner}</li><li><b>${inner}</b></li></ul>`,
  (inner) => `<table><caption>${inner}</caption><tr><th>${inner}</th><td>1</td></tr></table>`,
  (inner, random) => `<h${1 + Math.floor(random() * 6)}${traits(random)}>${inner}</h1>`,
  (inner, random) => `<img alt="${escaped(one(names, random))}"><img alt=""><p${traits(random)}>${inner}</p>`,
  (inner) =>
    `<fieldset><legend>${inner}</legend><select><option>${inner}</option><option selected>x</option></select></fieldset>`,
  (inner, random) =>
    `<section aria-label="${escaped(one(names, random))}"><details${random() < 0.5 ? ' open' : ''}><summary>${inner}</summary><p>${inner}</p></details></section>`,
  (inner) => `<div data-shadow><template>${inner}<slot></slot><button>Save</button></template><span>Mail</span></div>`,
  (inner) => `<div style="visibility:hidden">${inner}<span style="visibility:visible">${inner}</span></div>`,
  (inner) => `<nav><p>${inner}<br>and   <b>more</b>\n text</p></nav>`,
  (inner, random) => `<textarea${traits(random)}>${inner.replaceAll('<', '&lt;')}</textarea>`,
  (inner) => `<style>.tip::before { content: "Save " }</style><button class="tip">${inner}</button>`,
];

function traits(random: Random): string {
  return [
    random() < 0.2 ? ` aria-label="${escaped(one(names, random))}"` : '',
    random() < 0.2 ? ` title="${escaped(one(names, random))}"` : '',
    random() < 0.2 ? ` placeholder="${escaped(one(names, random))}"` : '',
    random() < 0.15 ? ` data-testid="${escaped(one(['total', 'save', 'a"b'], random))}"` : '',
    random() < 0.1 ? ' aria-hidden="true"' : '',
    random() < 0.1 ? ' hidden' : '',
    random() < 0.1 ? ' style="display:none"' : '',
    random() < 0.1 ? ' disabled' : '',
    random() < 0.2 ? ' class="odd"' : '',
    random() < 0.1 ? ` aria-labelledby="${idOf(random)}"` : '',
    random() < 0.1 ? ' tabindex="0"' : '',
  ].join('');
}

function idOf(random: Random): string {
  return `i${Math.floor(random() * 6)}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function one<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T;
}

/** Mulberry32. */
function randomBy(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const common: readonly Asked[] = [
  { kind: 'role', role: 'button', name: 'save' },
  { kind: 'role', role: 'button', name: 'Save', exact: true },
  { kind: 'role', role: 'textbox', name: 'Mail' },
  { kind: 'label', text: 'mail' },
  { kind: 'label', text: 'Mail', exact: true },
  { kind: 'text', text: 'save' },
  { kind: 'text', text: 'Save', exact: true },
  { kind: 'placeholder', text: 'mail' },
  { kind: 'test_id', text: 'save' },
  { kind: 'css', text: 'button' },
];

const written: readonly DomSample[] = (
  [
    [
      'nested markup in a name',
      '<button><b>Sa</b><i>ve</i> <svg><title>as PDF</title></svg></button><button>Save</button>',
    ],
    ['names by aria-label before content', '<button aria-label="Save">Ignored</button><button>Save</button>'],
    [
      'a label in three ways',
      '<label>Mail<input></label><label for="m">Mail</label><input id="m"><input aria-label="Mail">',
    ],
    [
      'a label of several ids',
      '<b id="a">E</b><b id="b">Mail</b><input aria-labelledby="b a"><input aria-labelledby="a none">',
    ],
    ['a hidden label still names', '<span id="h" hidden>Mail</span><input aria-labelledby="h">'],
    [
      'hidden elements have no role',
      '<button hidden>Save</button><button style="display:none">Save</button><button aria-hidden="true">Save</button><button style="visibility:hidden">Save</button>',
    ],
    [
      'opacity and place do not hide',
      '<button style="opacity:0">Save</button><button style="position:absolute;left:-9999px">Save</button>',
    ],
    [
      'presentation without focus',
      '<button role="presentation">Save</button><ul role="presentation"><li>Save</li></ul><img role="none" alt="Save">',
    ],
    [
      'inputs as buttons',
      '<input type="submit" value="Save"><input type="submit"><input type="reset"><input type="button" value="save it"><input type="image" alt="Save">',
    ],
    ['text split by markup', '<p>Sa<b>ve</b></p><p>Save</p><div>Save<p>Save</p></div>'],
    ['white space', '<p>  Save\n\t </p><button>\n  Save\n</button><p>Save&nbsp;all</p>'],
    [
      'placeholders',
      '<input placeholder="Mail"><input placeholder="E-Mail home"><textarea placeholder="mail"></textarea><p placeholder="Mail">x</p>',
    ],
    ['test ids', '<p data-testid="save"></p><p data-testid="saved"></p><p data-testid="Save"></p>'],
    [
      'an open shadow tree',
      '<div data-shadow><template><button>Save</button><label>Mail<input></label></template></div>',
    ],
    [
      'shadow trees inside one another',
      '<div data-shadow><template><p><b>Save</b></p><div data-shadow><template><button>Save</button><input placeholder="Mail"></template></div></template></div>',
    ],
    ['slots', '<div data-shadow><template><button><slot></slot></button></template>Save</div>'],
    [
      'slots with names',
      '<div data-shadow><template><label><slot name="l"></slot><input></label></template><span slot="l">Mail</span></div>',
    ],
    [
      'options',
      '<select aria-label="Mail"><option>Save</option><option selected>b</option></select><datalist><option>Save</option></datalist>',
    ],
    [
      'tables',
      '<table><tr><th>Mail</th><td>Save</td></tr></table><table role="presentation"><tr><td>Save</td></tr></table>',
    ],
    [
      'headers and regions',
      '<header>Save</header><section>Save</section><section aria-label="Mail">Save</section><form>x</form><form aria-label="Save">x</form>',
    ],
    ['details', '<details><summary>Save</summary><button>Save</button></details>'],
    ['a name of title', '<button title="Save"></button><a href="#" title="Mail"></a><input title="Mail">'],
    ['generated content', '<style>.a::before{content:"Sa"}.a::after{content:"ve"}</style><button class="a"></button>'],
    [
      'figures and pictures',
      '<figure><img alt="Save"><figcaption>Mail</figcaption></figure><svg role="img" aria-label="Save"></svg>',
    ],
    [
      'scripts are no text',
      '<script>"Save"</scr' + 'ipt><style>/* Save */</style><noscript>Save</noscript><template>Save</template>',
    ],
    ['text of values', '<input value="Save"><input type="submit" value="Save"><textarea>Save</textarea>'],
    ['editable content', '<div contenteditable aria-label="Mail">x</div><div role="textbox" aria-label="Mail"></div>'],
    [
      'owned elements',
      '<div role="list" aria-owns="o1"></div><div id="o1" role="listitem"><button>Save</button></div>',
    ],
    ['bidirectional text', '<button>שמור Save</button><p dir="rtl">Save שמור</p>'],
    ['a name of the label and the value', '<label>Mail <select><option>Save</option></select> <input></label>'],
  ] as const
).map(([name, html]) => ({ name, html, asked: common }));
