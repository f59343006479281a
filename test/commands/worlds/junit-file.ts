import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** `junit.xml` with a failure that has a place, one in a suite within a suite, and an error. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(
    join(root, 'junit.xml'),
    `<testsuites><testsuite><testcase name="pays" file="a.yaml" line="3"><failure message="no &lt;b>"/></testcase>
<testsuite><testcase classname="shop"><failure> empty: 100 % </failure></testcase></testsuite>
<testcase name="breaks"><error/></testcase><testcase name="fine"/></testsuite></testsuites>`,
  );
  return { [Symbol.asyncDispose]: async () => undefined };
};
