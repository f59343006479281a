import { plain, type Faker, type Maker } from './maker.ts';

/** Numbers that payment services give out for tests: they pass the check digit and belong to nobody. */
const testCards = [
  '4242424242424242',
  '4000056655665556',
  '4111111111111111',
  '4012888888881881',
  '5555555555554444',
  '5200828282828210',
  '5105105105105100',
  '2223003122003222',
  '378282246310005',
  '371449635398431',
  '6011111111111117',
  '6011000990139424',
  '3056930009020004',
  '3566002020360505',
] as const;

export const peopleMakers: Readonly<Record<string, Maker>> = {
  name: plain((faker) => faker.person.fullName()),
  name_female: plain((faker) => faker.person.fullName({ sex: 'female' })),
  name_male: plain((faker) => faker.person.fullName({ sex: 'male' })),
  first_name: plain((faker) => faker.person.firstName()),
  first_name_female: plain((faker) => faker.person.firstName('female')),
  first_name_male: plain((faker) => faker.person.firstName('male')),
  last_name: plain((faker) => faker.person.lastName()),
  prefix: plain((faker) => faker.person.prefix()),
  suffix: plain((faker) => faker.person.suffix()),
  job: plain((faker) => faker.person.jobTitle()),
  user_name: plain(userName),
  password: {
    takes: { length: 12, special_chars: true, digits: true, upper_case: true, lower_case: true },
    make: (faker, given) => {
      const kinds = passwordKinds.filter(([name]) => given.flag(name)).map(([, letters]) => letters);
      if (kinds.length === 0) throw given.unfit('lower_case', 'true where no other kind of character is allowed');
      return password(faker, given.count('length', kinds.length, 1024), kinds);
    },
  },
  phone_number: plain(
    (faker) => `(${faker.string.numeric({ length: 3, exclude: ['0', '1'] })}) 555-01${faker.string.numeric(2)}`,
  ),
  /** Two lines. */
  address: plain(
    (faker) =>
      `${faker.location.streetAddress()}\n${faker.location.city()}, ${faker.location.state({ abbreviated: true })} ${faker.location.zipCode()}`,
  ),
  street_address: plain((faker) => faker.location.streetAddress()),
  street_name: plain((faker) => faker.location.street()),
  building_number: plain((faker) => faker.location.buildingNumber()),
  city: plain((faker) => faker.location.city()),
  state: plain((faker) => faker.location.state()),
  state_abbr: plain((faker) => faker.location.state({ abbreviated: true })),
  postcode: plain((faker) => faker.location.zipCode()),
  zipcode: plain((faker) => faker.location.zipCode()),
  country: plain((faker) => faker.location.country()),
  country_code: plain((faker) => faker.location.countryCode()),
  latitude: plain((faker) => faker.location.latitude()),
  longitude: plain((faker) => faker.location.longitude()),
  timezone: plain((faker) => faker.location.timeZone()),
  company: plain((faker) => faker.company.name()),
  catch_phrase: plain((faker) => faker.company.catchPhrase()),
  bs: plain((faker) => faker.company.buzzPhrase()),
  /** Number from a range that advertising uses, which is never given out. */
  ssn: plain((faker) => `987-65-432${faker.string.numeric(1)}`),
  credit_card_number: plain((faker) => faker.helpers.arrayElement(testCards)),
  credit_card_provider: plain((faker) => faker.finance.creditCardIssuer()),
  credit_card_security_code: plain((faker) => faker.finance.creditCardCVV()),
  currency_code: plain((faker) => faker.finance.currencyCode()),
  currency_name: plain((faker) => faker.finance.currencyName()),
};

const passwordKinds = [
  ['special_chars', '!#$%&()*+-=?@_'],
  ['digits', '0123456789'],
  ['upper_case', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  ['lower_case', 'abcdefghijklmnopqrstuvwxyz'],
] as const;

/** Lower-case letters, digits and points alone. */
export function userName(faker: Faker): string {
  const plainName = `${faker.person.firstName()}.${faker.person.lastName()}`.toLowerCase().replaceAll(/[^a-z.]/g, '');
  return `${plainName}${faker.string.numeric(2)}`;
}

/** A password with at least one character of each kind, in any order. */
function password(faker: Faker, length: number, kinds: readonly string[]): string {
  const one = kinds.map((letters) => faker.helpers.arrayElement([...letters]));
  const rest = faker.helpers.multiple(() => faker.helpers.arrayElement([...kinds.join('')]), {
    count: length - kinds.length,
  });
  return faker.helpers.shuffle([...one, ...rest]).join('');
}
