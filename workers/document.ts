import { parseDocument } from '../src/parse/documents/document.ts';
import type { DocumentTask } from '../src/run/documents.ts';

export default ({ settings, ...input }: DocumentTask) => parseDocument(input, settings);
