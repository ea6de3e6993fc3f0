// Payloads of about a given size in bytes, each hard in its own way for whoever parses, copies, checks or records them.
const repeat = (bytes, piece) =>
  Array.from({ length: Math.floor(bytes / (piece.length + 1)) }, () => piece).join(',');
const numbered = (bytes, toPiece, pieceBytes) =>
  Array.from({ length: Math.floor(bytes / pieceBytes) }, (_, at) => toPiece(at)).join(',');
const structured = (json) => `{"content":[],"structuredContent":${json}}`;
const textBlock = (json) => `{"content":[{"type":"text","text":${json}}]}`;

/** The JSON text of a tool's result. */
export const resultShapes = {
  'one long text': (bytes) => textBlock(`"${'x'.repeat(bytes)}"`),
  'a text of many scripts': (bytes) => textBlock(`"${'日本語é'.repeat(bytes / 11)}"`),
  'a text full of escapes': (bytes) => textBlock(`"${'\\u0041\\n'.repeat(bytes / 8)}"`),
  'what looks like tokens': (bytes) => textBlock(`"${'-eyJ'.repeat(bytes / 4)}"`),
  'many texts like tokens': (bytes) => structured(`{"a":[${repeat(bytes, `"${'-eyJ'.repeat(30)}"`)}]}`),
  'many small numbers': (bytes) => structured(`{"a":[${repeat(bytes, '1')}]}`),
  'many small texts': (bytes) => structured(`{"a":[${repeat(bytes, '"a"')}]}`),
  'many keys': (bytes) => structured(`{${numbered(bytes, (at) => `"key${at}":${at}`, 18)}}`),
  'many keys on top': (bytes) => `{"content":[],${numbered(bytes, (at) => `"key${at}":${at}`, 18)}}`,
  'many empty objects': (bytes) => structured(`{"a":[${repeat(bytes, '{}')}]}`),
  'many content blocks': (bytes) => `{"content":[${repeat(bytes, '{"type":"text","text":""}')}]}`,
  'many wrong blocks': (bytes) => `{"content":[${repeat(bytes, '{}')}]}`,
  'many readers': (bytes) =>
    `{"content":[{"type":"text","text":"","annotations":{"audience":[${repeat(bytes, '"user"')}]}}]}`,
  'deep lists': (bytes) => structured(`{"a":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`),
  'nested a little': (bytes) =>
    structured(`{"a":[${repeat(bytes, `${'['.repeat(900)}${']'.repeat(900)}`)}]}`),
};

/** The JSON text of a list of tools. */
export const toolShapes = {
  'a schema of many properties': (bytes) =>
    `{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{${numbered(bytes, (at) => `"key${at}":{"type":"string"}`, 32)}}}}]}`,
  'a long list of required names': (bytes) =>
    `{"tools":[{"name":"t","inputSchema":{"type":"object","required":[${repeat(bytes, '"a"')}]}}]}`,
  'many icons': (bytes) =>
    `{"tools":[{"name":"t","inputSchema":{"type":"object"},"icons":[${repeat(bytes, '{"src":""}')}]}]}`,
  'many tools': (bytes) =>
    `{"tools":[${numbered(bytes, (at) => `{"name":"t${at}","inputSchema":{"type":"object"}}`, 50)}]}`,
  'many tools without a name': (bytes) => `{"tools":[${repeat(bytes, '{}')}]}`,
};
