import { parseDocument } from '../src/parse/documents/document.ts';
import { carry } from '../src/run/carried.ts';
import type { DocumentTask } from '../src/run/documents.ts';

export default carry(({ settings, ...input }: DocumentTask) => parseDocument(input, settings));
