import { Builder, By } from 'selenium-webdriver';
import chrome from 'selenium-webdriver/chrome.js';

const [, , url, times, ...args] = process.argv;
const options = new chrome.Options().setBinaryPath(process.env.CHROME_BIN ?? '/usr/bin/chromium').addArguments(...args);
const service = new chrome.ServiceBuilder(process.env.CHROMEDRIVER ?? '/usr/bin/chromedriver');
const driver = await new Builder().forBrowser('chrome').setChromeOptions(options).setChromeService(service).build();
try {
  await driver.get(`${url}/form`);
  for (let index = 0; index < Number(times); index += 1) {
    const name = await driver.findElement(By.css('#name'));
    await name.sendKeys('Ada Lovelace');
    await name.getProperty('value');
    await name.clear();
    const plus = await driver.findElement(By.css('#plus'));
    await plus.click();
    await plus.isEnabled();
    const sum = await driver.findElement(By.css('#sum'));
    await sum.isDisplayed();
    await sum.getProperty('textContent');
  }
} finally {
  await driver.quit();
}
