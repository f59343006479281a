import { describeInChromium } from '../../fixtures/chromium.ts';
import { examplesOf, runExamples } from './run-examples.ts';

const families = [
  'core/test-objects',
  'checks/a11y',
  'checks/perf',
  'checks/visual',
  'authoring/pom',
  'authoring/recorder',
  'integrations/cloud-grid',
  'integrations/mobile',
  ...[
    'driver',
    'navigation',
    'cookies',
    'element-find',
    'element',
    'waits',
    'window',
    'screenshot',
    'script',
    'storage',
    'service-worker',
    'throttle',
    'context-switch',
    'shadow',
    'log',
    'files',
    'input-queue',
    'healing',
  ].map((name) => `webdriver/${name}`),
];
const examples = (await Promise.all(families.map(examplesOf))).flat();

describeInChromium('examples of WebDriver commands', () => runExamples(families, examples));
