import { commandRaising } from '#stdlib/command.ts';

import { writeReport } from '../write-report.ts';
import { needed } from './needed.ts';
import { xmlReport } from './xml-report.ts';

const command = commandRaising('APITesterXMLException');

export const AT_generate_xml = command('AT_generate_xml', (_, ctx) => xmlReport(needed(ctx)));

export const AT_generate_xml_report = command('AT_generate_xml_report', async ({ xml_file_name: name }, ctx) => {
  const [successes, failures] = xmlReport(needed(ctx));
  await writeReport(`${name}_success.xml`, successes, ctx);
  await writeReport(`${name}_failure.xml`, failures, ctx);
});
