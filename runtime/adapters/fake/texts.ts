import { plain, type Faker, type Maker } from './maker.ts';

const MOST = 1000;

export const textMakers: Readonly<Record<string, Maker>> = {
  word: plain((faker) => faker.lorem.word()),
  words: {
    takes: { nb: 3 },
    make: (faker, given) => faker.helpers.multiple(() => faker.lorem.word(), { count: given.count('nb', 1, MOST) }),
  },
  sentence: {
    takes: { nb_words: 6 },
    make: (faker, given) => faker.lorem.sentence(given.count('nb_words', 1, MOST)),
  },
  sentences: {
    takes: { nb: 3 },
    make: (faker, given) => faker.helpers.multiple(() => faker.lorem.sentence(), { count: given.count('nb', 1, MOST) }),
  },
  paragraph: {
    takes: { nb_sentences: 3 },
    make: (faker, given) => faker.lorem.paragraph(given.count('nb_sentences', 1, MOST)),
  },
  paragraphs: {
    takes: { nb: 3 },
    make: (faker, given) => faker.helpers.multiple(() => faker.lorem.paragraph(), { count: given.count('nb', 1, 100) }),
  },
  text: {
    takes: { max_nb_chars: 200 },
    make: (faker, given) => text(faker, given.count('max_nb_chars', 5, 1_000_000)),
  },
  color_name: plain((faker) => faker.color.human()),
  hex_color: plain((faker) => faker.color.rgb()),
  random_letter: plain((faker) => faker.string.alpha({ length: 1 })),
  random_element: {
    takes: { elements: ['a', 'b', 'c'] },
    make: (faker, given) => faker.helpers.arrayElement(given.list('elements')),
  },
  pystr: {
    takes: { min_chars: 0, max_chars: 20 },
    make: (faker, given) => {
      const least = given.count('min_chars', 0, 100_000);
      return faker.string.alpha({ length: { min: least, max: given.count('max_chars', least, 100_000) } });
    },
  },
  /** `#` becomes a digit, `?` a letter. */
  bothify: {
    takes: { text: '## ??' },
    make: (faker, given) => filled(given.text('text'), { '#': () => digit(faker), '?': () => letter(faker) }),
  },
  numerify: { takes: { text: '###' }, make: (faker, given) => filled(given.text('text'), { '#': () => digit(faker) }) },
  lexify: { takes: { text: '????' }, make: (faker, given) => filled(given.text('text'), { '?': () => letter(faker) }) },
  md5: plain((faker) => hex(faker, 32)),
  sha1: plain((faker) => hex(faker, 40)),
  sha256: plain((faker) => hex(faker, 64)),
  isbn13: plain((faker) => faker.commerce.isbn(13)),
  license_plate: plain((faker) => faker.vehicle.vrm()),
  emoji: plain((faker) => faker.internet.emoji()),
};

/** Sentences that together have at most so many characters; where not one fits, the beginning of one. */
function text(faker: Faker, most: number): string {
  let made = faker.lorem.sentence();
  if (made.length > most) return `${made.slice(0, most - 1).trimEnd()}.`;
  for (let next = faker.lorem.sentence(); made.length + next.length < most; next = faker.lorem.sentence())
    made += ` ${next}`;
  return made;
}

function filled(pattern: string, signs: Readonly<Record<string, () => string>>): string {
  return [...pattern].map((sign) => (Object.hasOwn(signs, sign) ? (signs[sign]?.() ?? sign) : sign)).join('');
}

function digit(faker: Faker): string {
  return faker.string.numeric(1);
}

function letter(faker: Faker): string {
  return faker.string.alpha(1);
}

function hex(faker: Faker, length: number): string {
  return faker.string.hexadecimal({ length, casing: 'lower', prefix: '' });
}
