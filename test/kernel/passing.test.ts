import { describe, expect, it } from 'vitest';

import { isNamed, isPassing, retryAfterMs } from '#runtime/kernel/passing.ts';
import { Failure, type FailureFacts } from '#schemas/types/failure.ts';

const coded = (code: string): Error => Object.assign(new Error('x'), { code });
const failure = (facts: Partial<FailureFacts>, result?: unknown): Failure =>
  new Failure({ code: 'SVC80001', name: 'x', message: 'x', class: 'real', kinds: [], ...facts }, { result });

describe('what may be otherwise the next time', () => {
  it.each([
    ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ENOTFOUND'],
    ...['EAI_AGAIN', 'EPIPE', 'UND_ERR_SOCKET'],
  ])('%s, of the network', (code) => {
    expect([isPassing(coded(code)), isNamed(coded(code), ['ConnectionError'])]).toEqual([true, true]);
    expect(isNamed(coded(code), ['TimeoutError'])).toBe(false);
  });

  it.each(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])(
    '%s, of time',
    (code) => {
      expect([isPassing(coded(code)), isNamed(coded(code), ['TimeoutError'])]).toEqual([true, true]);
    },
  );

  it.each(['EBUSY', 'EAGAIN', 'EMFILE', 'ENFILE', 'ETXTBSY'])('%s, of files', (code) => {
    expect([isPassing(coded(code)), isNamed(coded(code), ['OSError'])]).toEqual([true, true]);
    expect(isNamed(coded(code), ['ConnectionError', 'TimeoutError'])).toBe(false);
  });

  it.each(['ENOENT', 'EACCES', 'EEXIST'])('%s is not', (code) => {
    expect([isPassing(coded(code)), isNamed(coded(code), ['OSError'])]).toEqual([false, false]);
    expect(isNamed(coded(code), [code])).toBe(true);
  });

  it.each([408, 425, 429, 500, 502, 503, 504])('an answer of %i', (status) => {
    expect(isPassing(failure({}, { status_code: status }))).toBe(true);
    expect(isPassing(failure({}, { status }))).toBe(true);
  });

  it.each([200, 400, 404, 409, 501])('an answer of %i is not', (status) => {
    expect(isPassing(failure({}, { status_code: status }))).toBe(false);
  });

  it('a failure of a class or a kind that says so, unless it is real', () => {
    expect(isPassing(failure({ class: 'transient' }))).toBe(true);
    expect(isPassing(failure({ class: 'environment', kinds: ['network'] }))).toBe(true);
    expect(isPassing(failure({ class: 'environment', kinds: ['timeout'] }))).toBe(true);
    expect(isPassing(failure({ class: 'environment', kinds: ['assertion'] }))).toBe(false);
    expect(isPassing(failure({ class: 'real', kinds: ['timeout'] }))).toBe(false);
  });

  it('steps of a list that failed are named after the first of them', () => {
    const list = new Failure(
      { code: 'SVC80032', name: 'steps', message: 'x', class: 'real', kinds: [] },
      { cause: coded('EPIPE') },
    );
    expect([isNamed(list, ['ConnectionError']), isNamed(list, ['steps']), isNamed(list, ['OSErr'])]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('the wait that an answer asks for', () => {
  const now = Date.parse('2026-01-02T03:04:05Z');
  const after = (headers: object): number | undefined => retryAfterMs(failure({}, { headers }), now);

  it.each([
    [{ 'Retry-After': '7' }, 7000],
    [{ 'retry-after': ' 0 ' }, 0],
    [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:15 GMT' }, 10_000],
    [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:15 GMT', date: 'Fri, 02 Jan 2026 03:04:11 GMT' }, 4000],
    [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': ['7'] }, undefined],
    [{}, undefined],
  ])('%j: %s ms', (headers, expected) => {
    expect(after(headers)).toBe(expected);
  });

  it('none where there are no headers', () => {
    expect([retryAfterMs(failure({}), now), retryAfterMs(new Error('x'), now), retryAfterMs(null, now)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
