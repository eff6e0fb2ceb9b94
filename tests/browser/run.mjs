// What a person does in a browser, against a running demo.
//
// usage: node run.mjs PATH_TO_PDPP [JOURNEY...]
// Each journey prints one line; the exit code says whether all of them passed.

import { openStage, PASSWORD } from './stage.mjs';
import * as entering from './entering.mjs';
import * as deciding from './deciding.mjs';
import * as attacking from './attacking.mjs';
import * as ports from './ports.mjs';
import * as looking from './looking.mjs';
import * as takenPort from './taken_port.mjs';
import * as leftWorker from './left_worker.mjs';
import * as activity from './activity.mjs';

// In an order in which nothing that one needs was ended by another.
const { renameAndStopEverything, stopAPartThenAllOfIt, ...lookingOn } = activity;
const JOURNEYS = {
  firstLink: entering.firstLink, ...entering, ...deciding, ...attacking, ...ports, ...takenPort, ...leftWorker, ...looking, ...lookingOn,
  stopAPartThenAllOfIt, renameAndStopEverything,
};

const [program, ...named] = process.argv.slice(2);
if (!program) {
  console.error('usage: node run.mjs PATH_TO_PDPP [JOURNEY...]');
  process.exit(64);
}
const stage = await openStage(program);
let failed = 0;
let passed = 0;
try {
  // The first journey sets the password through its link; the others may be run alone.
  if (named.length && !named.includes('firstLink')) stage.run(['owner', 'password'], `${PASSWORD}\n`);
  for (const name of named.length ? named : Object.keys(JOURNEYS)) {
    const began = Date.now();
    try {
      await JOURNEYS[name](stage);
      passed += 1;
      console.log(`ok    ${name} (${Date.now() - began} ms)`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${name}: ${error?.stack ?? error}`);
    }
  }
} finally {
  await stage.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
