import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { svc } from '../../cli/svc.ts';
import { failureOf, session } from '../call.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-ci-'));
});
afterEach(() => rm(root, { recursive: true }));

const FILE = `actions:
  - WR_set_record_enable: {}
  - AT_set_variable: { name: key, value: x }
  - AT_extract_and_store: { response: {}, path: '{{key}}', name: a }
    on_failure: continue
  - WR_ci_emit_failures: {}
`;

describe('annotations for builds', () => {
  it('reach the log as they are, one for each failed step', async () => {
    await writeFile(join(root, 'a.yaml'), FILE);
    const { stdout } = await svc(root, ['run', 'a.yaml']);
    expect(stdout).toMatch(/^::error file=a\.yaml,line=4,title=AT_extract_and_store::.+"x"/m);
  });

  it('leave standard output to a report for programs', async () => {
    await writeFile(join(root, 'a.yaml'), FILE);
    const { stdout } = await svc(root, ['run', 'a.yaml', '--reporter', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed' });
  });

  it('are made of failures and errors of a JUnit file, which expands no entity', async () => {
    await using unit = await session();
    const path = join(root, 'junit.xml');
    const read = async (text: string): Promise<unknown> => {
      await writeFile(path, text);
      return await unit.call('WR_ci_emit_from_junit_xml', { junit_path: path });
    };
    expect(
      await read(`<testsuites><testsuite><testcase name="a, b"><failure> 100 %
 </failure></testcase><testsuite><testcase classname="shop" line="x"><error message="broke"/></testcase></testsuite></testsuite></testsuites>`),
    ).toEqual(['::error title=a%2C b::100 %25', '::error title=shop::broke']);
    expect(await read('<testcase><failure/></testcase>')).toEqual(['::error::test failed']);
    for (const text of ['<a', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'])
      expect((await failureOf(read(text))).facts.code).toBe('SVC82097');
  });
});
