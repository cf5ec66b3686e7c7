import { parseDocument } from '../src/parse/documents/document.ts';
import type { DocumentTask } from '../src/run/documents.ts';
import { serve } from '../src/run/served.ts';

serve(({ settings, ...input }: DocumentTask) => parseDocument(input, settings));
