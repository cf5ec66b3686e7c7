/** A fetch in a process of its own, to be killed: `node --import tsx fetch-child.ts '<FetchSetup as JSON>'`. */
import { closePools, type FetchSetup, fetchUrls } from './fetched.ts';

const setup = JSON.parse(process.argv[2]!) as FetchSetup;
await fetchUrls(setup);
await closePools();
