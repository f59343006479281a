import { describe, expect, it } from 'vitest';

import { bind } from '#runtime/services/sql/bind.ts';
import type { Dialect } from '#runtime/services/sql/bind.ts';
import { DIALECTS } from '#runtime/services/sql/service.ts';
import type { Json } from '#schemas/types/json.ts';
import { Failure } from '#schemas/types/failure.ts';

const { sqlite, postgres, mysql } = DIALECTS;

describe('placeholders of statements', () => {
  it.each<[string, Record<string, Json>, Dialect, string, unknown[]]>([
    ['SELECT :a', { a: 1 }, sqlite, 'SELECT ?', [1]],
    ['SELECT :a + :b + :a', { a: 1, b: 'x' }, postgres, 'SELECT $1 + $2 + $3', [1, 'x', 1]],
    ['SELECT :a::text, x::int', { a: 1 }, postgres, 'SELECT $1::text, x::int', [1]],
    ["SELECT ':a', 'it''s :a', \":a\", :a", { a: 1 }, postgres, "SELECT ':a', 'it''s :a', \":a\", $1", [1]],
    ['SELECT 1 -- :a\n, /* :a /* */ :b', { b: 1 }, sqlite, 'SELECT 1 -- :a\n, /* :a /* */ ?', [1]],
    ['SELECT /* /* :a */ :a */ :b', { b: 1 }, postgres, 'SELECT /* /* :a */ :a */ $1', [1]],
    ['SELECT $x$ :a $y$ $x$, :b, $1x', { b: 1 }, postgres, 'SELECT $x$ :a $y$ $x$, $1, $1x', [1]],
    ["SELECT 'a\\' :a', :b # :c", { b: 1 }, mysql, "SELECT 'a\\' :a', ? # :c", [1]],
    ["SELECT 'a\\', :b", { b: 1 }, postgres, "SELECT 'a\\', $1", [1]],
    ["SELECT E'a\\' :a', :b", { b: 1 }, postgres, "SELECT E'a\\' :a', $1", [1]],
    ['SELECT [a:b], :c', { c: 1 }, sqlite, 'SELECT [a:b], ?', [1]],
    ['x IN (:ids) AND y IN (:none)', { ids: [1, 2], none: [] }, postgres, 'x IN ($1, $2) AND y IN ($3)', [1, 2, null]],
    [':o = :n', { o: { a: 1 }, n: null }, sqlite, '? = ?', ['{"a":1}', null]],
    ['SELECT 1 ; -- end\n ; ', {}, sqlite, 'SELECT 1 ; -- end\n ; ', []],
    ['SELECT \';\', "a;b"', {}, sqlite, 'SELECT \';\', "a;b"', []],
    ["SELECT '12:30:00', t12:", {}, sqlite, "SELECT '12:30:00', t12:", []],
    ["SELECT a$b, '?', '@a' -- ?", {}, sqlite, "SELECT a$b, '?', '@a' -- ?", []],
    ["SELECT j ? 'a', @a, t$1", {}, postgres, "SELECT j ? 'a', @a, t$1", []],
    ['SELECT @n, $1', {}, mysql, 'SELECT @n, $1', []],
    ["SELECT 'open :a", {}, sqlite, "SELECT 'open :a", []],
  ])('%s', (sql, values, dialect, text, bound) => {
    expect(bind(sql, values, dialect)).toEqual({ sql: text, values: bound });
  });

  it.each<[string, Record<string, Json>, string, Dialect?]>([
    ['SELECT $1', {}, 'SVC82070', postgres],
    ['SELECT a = ?', {}, 'SVC82070', mysql],
    ['SELECT :a', {}, 'SVC82070'],
    ['SELECT :a', { a: 1, b: 1 }, 'SVC82071'],
    ['SELECT :toString', {}, 'SVC82070'],
    ['SELECT 1; DROP TABLE x', {}, 'SVC82072'],
    ['SELECT * FROM t WHERE id = ?', {}, 'SVC82070'],
    ['SELECT ?1', {}, 'SVC82070'],
    ['SELECT @name', {}, 'SVC82070'],
    ['SELECT $name', {}, 'SVC82070'],
    ['SELECT :1', {}, 'SVC82070'],
    ['SELECT 1; /* */ :a', { a: 1 }, 'SVC82072'],
  ])('%s is refused', (sql, values, code, dialect = sqlite) => {
    let caught: unknown;
    try {
      bind(sql, values, dialect);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(Failure);
    expect((caught as Failure).facts.code).toBe(code);
  });

  it('takes time that grows with the statement', () => {
    const sql = `SELECT ${"'a:b' || :v || ".repeat(20_000)}''`;
    expect(bind(sql, { v: 1 }, sqlite).values).toHaveLength(20_000);
  });
});
