/* serve-shot.mjs — a screenshot of the page of 'ofw serve' while its demo plays: node serve-shot.mjs OFW FILE.png */
import { startBrowser } from "../tests/report/page.mjs";
import { startServer } from "../tests/serve/server.mjs";

const [ofw, picture] = process.argv.slice(2);
const server = await startServer(ofw);
const browser = await startBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 1320 } });
  await page.goto(`${server.url}/`);
  await page.getByRole("button", { name: "Demo: Suppliers" }).click();
  await page.getByText(/round (1[2-9]|[2-3]\d)\d of 400/).waitFor();
  await page.getByRole("button", { name: "Stop the demo" }).click();
  await page.waitForTimeout(1000);
  await page.screenshot({ path: picture });
} finally {
  await browser.close();
  await server.stop();
}
