/*
 * Endings of files that are read, shown or played when they are opened, and do nothing else. It is a list of the good
 * ones because nobody knows all the others: programs, scripts, shortcuts, images of disks, settings, old office files
 * with macros, web pages. Pictures and data that a browser would show as a page (svg, xml) are kept: apps export them.
 */
const harmless: ReadonlySet<string> = new Set(
  [
    // Text and data
    'txt text md markdown rst adoc log csv tsv json jsonl ndjson json5 geojson topojson yaml yml toml xml xsd',
    'srt vtt ics vcf gpx kml kmz po diff patch tex bib ipynb parquet arrow avro sqlite sqlite3 npy npz h5 nc bin dat',
    // Sources that no system runs when they are opened
    'css scss less sql ts tsx c h cc cpp hpp cs go rs java kt swift proto graphql dot puml mmd drawio excalidraw',
    // Documents
    'pdf docx xlsx pptx odt ods odp odg rtf epub',
    // Pictures, sound, films, models
    'png jpg jpeg gif webp avif bmp tif tiff ico svg heic psd mp3 wav ogg oga opus flac m4a aac mid midi',
    'mp4 m4v mov webm mkv avi ogv stl obj ply gltf glb 3mf dxf step stp usdz',
    // Archives
    'zip gz tgz tar bz2 xz zst 7z',
  ].flatMap((line) => line.split(' ')),
);

/** Whether a file of this ending, without its dot, is harmless to open. */
export const isHarmlessEnding = (ending: string): boolean => harmless.has(ending.toLowerCase());

/** The ending for a type, where a name has none. */
export const endingByType: ReadonlyMap<string, string> = new Map([
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['text/csv', 'csv'],
  ['text/calendar', 'ics'],
  ['text/vcard', 'vcf'],
  ['text/css', 'css'],
  ['text/html', 'txt'],
  ['text/xml', 'xml'],
  ['application/xml', 'xml'],
  ['application/json', 'json'],
  ['application/geo+json', 'geojson'],
  ['application/yaml', 'yaml'],
  ['application/pdf', 'pdf'],
  ['application/zip', 'zip'],
  ['application/gzip', 'gz'],
  ['application/rtf', 'rtf'],
  ['application/epub+zip', 'epub'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/svg+xml', 'svg'],
  ['audio/mpeg', 'mp3'],
  ['audio/wav', 'wav'],
  ['audio/ogg', 'ogg'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
]);
