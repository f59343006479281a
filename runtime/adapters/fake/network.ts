import { plain, type Faker, type Maker } from './maker.ts';
import { userName } from './people.ts';

/** Reserved for examples by RFC 2606: nobody gets what is sent there. */
const domains = ['example.com', 'example.net', 'example.org'] as const;
/** Reserved for documentation by RFC 5737. */
const networks = ['192.0.2', '198.51.100', '203.0.113'] as const;

const mail = plain((faker) => `${userName(faker)}@${faker.helpers.arrayElement(domains)}`);

export const networkMakers: Readonly<Record<string, Maker>> = {
  email: mail,
  safe_email: mail,
  free_email: mail,
  company_email: mail,
  ascii_email: mail,
  domain_name: plain(domain),
  domain_word: plain((faker) => faker.internet.domainWord()),
  url: plain((faker) => `https://${domain(faker)}/`),
  uri: plain((faker) => `https://${domain(faker)}/${faker.lorem.slug(2)}`),
  uri_path: plain((faker) => faker.lorem.words(2).replaceAll(' ', '/')),
  slug: plain((faker) => faker.lorem.slug(3)),
  ipv4: plain((faker) => `${faker.helpers.arrayElement(networks)}.${faker.number.int({ min: 1, max: 254 })}`),
  /** Reserved for documentation by RFC 3849. */
  ipv6: plain(
    (faker) =>
      `2001:db8:${faker.helpers.multiple(() => faker.string.hexadecimal({ length: 4, casing: 'lower', prefix: '' }), { count: 6 }).join(':')}`,
  ),
  /** Administered locally, so that no maker of devices owns it. */
  mac_address: plain(
    (faker) =>
      `02:${faker.helpers.multiple(() => faker.string.hexadecimal({ length: 2, casing: 'lower', prefix: '' }), { count: 5 }).join(':')}`,
  ),
  user_agent: plain((faker) => faker.internet.userAgent()),
  http_method: plain((faker) => faker.internet.httpMethod()),
  http_status_code: plain((faker) => faker.internet.httpStatusCode()),
  mime_type: plain((faker) => faker.system.mimeType()),
  file_name: plain((faker) => faker.system.commonFileName()),
  file_extension: plain((faker) => faker.system.commonFileExt()),
  uuid4: plain((faker) => faker.string.uuid()),
};

function domain(faker: Faker): string {
  return `${faker.internet.domainWord()}.${faker.helpers.arrayElement(domains)}`;
}
