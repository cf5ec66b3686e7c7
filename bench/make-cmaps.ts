/**
 * Packs the predefined CMaps of PDF into `src/parse/documents/cmaps.bin`, out of the folder `cmaps` of pdfjs-dist, which
 * has Adobe's maps in its binary form:
 *
 *     npm pack pdfjs-dist@5.6.205 && tar xzf pdfjs-dist-5.6.205.tgz
 *     node --import tsx bench/make-cmaps.ts package/cmaps
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packCMaps } from '../src/parse/documents/cmaps.ts';

const [folder = 'package/cmaps'] = process.argv.slice(2);
const maps = readdirSync(folder)
  .filter((file) => file.endsWith('.bcmap'))
  .sort()
  .map((file) => [file.slice(0, -'.bcmap'.length), readFileSync(join(folder, file))] as const);
const packed = packCMaps(maps);
writeFileSync('src/parse/documents/cmaps.bin', packed);
console.log(`${maps.length} maps, ${packed.length} bytes`);
