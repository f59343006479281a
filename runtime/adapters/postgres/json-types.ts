import type { CustomTypesConfig } from 'pg';

import type { Json } from '#schemas/types/json.ts';

type Parser = (text: string) => Json;

const plain: Parser = (text) => text;
const integer: Parser = (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text);
const float: Parser = (text) => (Number.isFinite(Number(text)) ? Number(text) : text);
const moment: Parser = (text) => text.replace(' ', 'T').replace(/[+]00(?::?00)?$/, 'Z');
const bytes: Parser = (text) => Buffer.from(text.slice(2), 'hex').toString('base64');

/** Parsers of texts to JSON, by the number of a type and that of lists of it. */
const PARSERS: readonly (readonly [type: number, list: number, parser: Parser])[] = [
  [16, 1000, (text) => text === 't'],
  [17, 1001, bytes],
  [20, 1016, integer],
  [21, 1005, integer],
  [23, 1007, integer],
  [26, 1028, integer],
  [700, 1021, float],
  [701, 1022, float],
  [114, 199, (text) => JSON.parse(text) as Json],
  [3802, 3807, (text) => JSON.parse(text) as Json],
  [1114, 1115, moment],
  [1184, 1185, moment],
  // Decimals, dates, times, lengths of time, texts, identifiers: as the server writes them.
  ...[
    [1700, 1231],
    [1082, 1182],
    [1083, 1183],
    [1266, 1270],
    [1186, 1187],
    [25, 1009],
    [1043, 1015],
    [1042, 1014],
    [18, 1002],
    [19, 1003],
    [2950, 2951],
    [869, 1041],
    [650, 651],
  ].map(([type = 0, list = 0]) => [type, list, plain] as const),
];

/** Types as texts and lists; what is not known here stays the text that the server sends. */
export async function jsonTypes(): Promise<CustomTypesConfig> {
  const { default: pg } = await import('pg');
  const { arrayParser } = pg.types as unknown as {
    readonly arrayParser: { create(text: string, item: Parser): { parse(): Json } };
  };
  const parsers = new Map<number, Parser>();
  for (const [type, list, parser] of PARSERS) {
    parsers.set(type, parser);
    parsers.set(list, (text) => arrayParser.create(text, parser).parse());
  }
  return { getTypeParser: (type: number) => parsers.get(type) ?? plain };
}
