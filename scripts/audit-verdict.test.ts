import { expect, test } from "vitest";
import { afterAnswer } from "./audit-verdict.ts";

const report = (severity?: string) =>
  JSON.stringify({
    vulnerabilities: severity === undefined ? {} : { left: { severity, range: "<1.2.0" } },
    metadata: { vulnerabilities: { total: severity === undefined ? 0 : 1 } },
  });

test.each([
  ["", false, "No registry answered, so vulnerabilities were not looked up."],
  [
    "<html>Sign in to the network</html>",
    false,
    "No registry answered, so vulnerabilities were not looked up.",
  ],
  ['{"error": {"code": "ENOAUDIT"}}', false, "No registry answered, so vulnerabilities were not looked up."],
  ["null", false, "No registry answered, so vulnerabilities were not looked up."],
  [report(), false, "No known vulnerabilities."],
  [report("moderate"), false, "moderate: left <1.2.0"],
  [report("high"), true, "high: left <1.2.0"],
  [report("critical"), true, "critical: left <1.2.0"],
])("%j", (answer, failed, text) => {
  expect(afterAnswer(answer)).toEqual({ failed, text });
});
