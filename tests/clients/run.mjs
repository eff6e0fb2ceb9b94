// Real MCP clients against a running demo: search -> fetch -> read_record_field, without a model.
//
// usage: node run.mjs PATH_TO_PDPP [CHECK...]     CHECK: see CHECKS below
// Each check prints one line; the exit code says whether all of them passed.

import { startDemo } from './demo.mjs';
import * as sdkV1 from './sdk-v1.mjs';
import * as sdkV2 from './sdk-v2.mjs';
import * as python from './python.mjs';
import * as inspector from './inspector.mjs';
import * as conformance from './conformance.mjs';
import * as signInV1 from './sign-in-v1.mjs';
import * as signInV2 from './sign-in-v2.mjs';
import * as signInPython from './sign-in-python.mjs';
import * as authorization from './authorization.mjs';
import * as connect from './connect-conformance.mjs';

const CHECKS = {
  'sdk-v1': sdkV1, 'sdk-v2': sdkV2, python, inspector, conformance,
  'sign-in-v1': signInV1, 'sign-in-v2': signInV2, 'sign-in-python': signInPython, authorization, connect,
};

const [program, ...named] = process.argv.slice(2);
if (!program) {
  console.error('usage: node run.mjs PATH_TO_PDPP [CHECK...]');
  process.exit(64);
}
const demo = await startDemo(program);
let failed = 0;
try {
  for (const name of named.length ? named : Object.keys(CHECKS)) {
    const began = Date.now();
    try {
      const said = await CHECKS[name].check(demo);
      console.log(`ok    ${name}: ${said} (${Date.now() - began} ms)`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${name}: ${error?.stack ?? error}`);
    }
  }
} finally {
  await demo.stop();
}
process.exit(failed ? 1 : 0);
