/**
 * The media type that the name of a file stands for: where there is no server to say it. Only what decides something: a
 * type we read, or one that is not worth reading; of any other name the bytes must tell.
 */
const TYPES: Readonly<Record<string, string>> = {
  'text/html': 'html htm shtml',
  'application/xhtml+xml': 'xhtml xht',
  'text/plain': 'txt text log',
  'text/markdown': 'md markdown',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/css': 'css',
  'text/javascript': 'js mjs cjs map',
  'application/json': 'json',
  'application/xml': 'xml xsl xslt xsd rng',
  'application/rss+xml': 'rss',
  'application/atom+xml': 'atom',
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'application/epub+zip': 'epub',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/gzip': 'gz tgz',
  'application/zip': 'zip',
  'application/x-bzip2': 'bz2',
  'application/x-xz': 'xz',
  'application/x-tar': 'tar',
  'application/x-7z-compressed': '7z',
  'application/java-archive': 'jar war',
  'application/x-executable': 'exe dll so dylib o a class pyc',
  'application/x-iso9660-image': 'iso img',
  'image/svg+xml': 'svg',
  'image/unknown': 'png jpg jpeg gif webp avif ico bmp tif tiff heic psd',
  'audio/unknown': 'mp3 flac wav ogg oga opus m4a aac',
  'video/unknown': 'mp4 m4v mkv avi mov webm mpg mpeg wmv',
  'font/unknown': 'woff woff2 ttf otf eot',
  'application/vnd.sqlite3': 'sqlite sqlite3',
};
const byName = new Map(
  Object.entries(TYPES).flatMap(([type, names]) => names.split(' ').map((name): [string, string] => [name, type])),
);

/** '' when the name tells nothing. */
export function typeOfName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : (byName.get(name.slice(dot + 1).toLowerCase()) ?? '');
}
