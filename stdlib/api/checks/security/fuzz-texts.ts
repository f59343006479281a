/** Texts at which services stumble, in a fixed order. */
export const fuzzTexts: readonly string[] = [
  '',
  ' ',
  'null',
  'undefined',
  'NaN',
  '<script>alert(1)</script>',
  "' OR '1'='1",
  '../../../../etc/passwd',
  '%00',
  '\u0000',
  '\u200F',
  '\u{1F600}'.repeat(50),
  'A'.repeat(1024),
  '{"$gt": ""}',
  '${jndi:ldap://127.0.0.1/a}',
];
