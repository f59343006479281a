import { Builder, By, until } from 'selenium-webdriver';
import chrome from 'selenium-webdriver/chrome.js';

const [, , url, times, ...args] = process.argv;
const options = new chrome.Options().setBinaryPath(process.env.CHROME_BIN ?? '/usr/bin/chromium').addArguments(...args);
const service = new chrome.ServiceBuilder(process.env.CHROMEDRIVER ?? '/usr/bin/chromedriver');
const driver = await new Builder().forBrowser('chrome').setChromeOptions(options).setChromeService(service).build();
try {
  for (let index = 0; index < Number(times); index += 1) {
    await driver.get(`${url}/form`);
    await driver.findElement(By.css('#name')).sendKeys('Ada');
    await driver.findElement(By.css('#send')).click();
    await driver.wait(until.elementLocated(By.css('#thanks')), 10_000);
  }
} finally {
  await driver.quit();
}
