import ts from 'typescript';

/** What the official client calls its schemas, a bundler adds the number; and what it reads out of some when it is loaded. */
const schemaName = /^(?:[A-Z]\w*Schema(?:\$\d+)?|ROOT_KEYS|PROPERTY_KEYS_BY_TYPE|SUPPORTED_STRING_FORMATS)$/;

/** The client's table of all schemas, which would make each of them when it is loaded. */
const eagerTable = `function register(key, schema) {
	const name = key.slice(0, -6);
	_specTypeSchemas[name] = schema;
	_isSpecType[name] = (v) => schema.safeParse(v).success;
}
for (const key of SPEC_SCHEMA_KEYS) register(key, schemas_exports[key]);
for (const [key, schema] of Object.entries(authSchemas)) register(key, schema);
`;

const lazyTable = `function register(key, schemas) {
	const name = key.slice(0, -6);
	Object.defineProperty(_specTypeSchemas, name, { enumerable: true, get: () => schemas[key] });
	_isSpecType[name] = (v) => schemas[key].safeParse(v).success;
}
for (const key of SPEC_SCHEMA_KEYS) register(key, schemas_exports);
for (const key of Object.keys(authSchemas)) register(key, authSchemas);
`;

const replaceTable = (source) => {
  if (!source.includes('_specTypeSchemas')) return source;
  if (source.includes(eagerTable)) return source.replace(eagerTable, () => lazyTable);
  throw new Error('the official client keeps its table of schemas in another way now: see lazy-schemas.mjs.');
};

/** Whether the client is about to send a certain message: what it sends it has made itself, and can know by its name. */
const toNameQuestion = (name, method) => ({
  about: 'its first messages',
  sign: `const ${name} = `,
  asked: `const ${name} = (value) => ${name.slice(2)}Schema.safeParse(value).success;`,
  plain: `const ${name} = (value) => value?.method === '${method}';`,
});

/** What kind of message something is: the usual form is known without the schema. */
const toKindQuestion = (kind, name) => ({
  about: 'what a message is',
  sign: `const is${name} = `,
  asked: `const is${name} = (value) => ${name}Schema.safeParse(value).success;`,
  plain: `const is${name} = (value) => isMessageOf('${kind}', value, () => ${name}Schema.safeParse(value).success);`,
});

/** What would make or run schemas, or Node's streams, for what is plain; `sign` is a part by which the place is known. */
const questions = [
  toNameQuestion('isInitializeRequest', 'initialize'),
  toNameQuestion('isInitializedNotification', 'notifications/initialized'),
  toKindQuestion('request', 'JSONRPCRequest'),
  toKindQuestion('notification', 'JSONRPCNotification'),
  toKindQuestion('result', 'JSONRPCResultResponse'),
  toKindQuestion('error', 'JSONRPCErrorResponse'),
  {
    about: 'how a message is read',
    sign: 'function parseJSONRPCMessage(value) {',
    asked: 'return JSONRPCMessageSchema.parse(value);',
    plain: 'return readMessage(value, () => JSONRPCMessageSchema.parse(value));',
  },
  {
    about: 'how an event is read',
    sign: 'EventSourceParserStream({',
    asked: `const message = JSONRPCMessageSchema.parse(JSON.parse(event.data));`,
    plain: `const read = JSON.parse(event.data);
						const message = readMessage(read, () => JSONRPCMessageSchema.parse(read));`,
  },
  {
    // What is thrown here is caught and forgotten; an answer to no request in particular, as servers refuse a revision with,
    // is none that the schema would take.
    about: 'how a refusal is read',
    sign: 'EventSourceParserStream({',
    asked: 'const parsed = JSONRPCMessageSchema.parse(JSON.parse(text));',
    plain: `const read = JSON.parse(text);
					if (read?.id === null) throw read;
					const parsed = readMessage(read, () => JSONRPCMessageSchema.parse(read));`,
  },
  {
    about: 'how an answer is read',
    sign: 'EventSourceParserStream({',
    asked: `data.map((msg) => JSONRPCMessageSchema.parse(msg)) : [JSONRPCMessageSchema.parse(data)];`,
    plain: `data.map((msg) => readMessage(msg, () => JSONRPCMessageSchema.parse(msg))) : [readMessage(data, () => JSONRPCMessageSchema.parse(data))];`,
  },
  {
    about: 'how events are taken apart',
    sign: 'EventSourceParserStream({',
    asked: 'import { EventSourceParserStream } from "eventsource-parser/stream";',
    plain: 'import { createParser } from "eventsource-parser";',
  },
  {
    about: 'how events are taken apart',
    sign: 'EventSourceParserStream({',
    asked: `stream.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream({ onRetry: (retryMs) => {
					this._serverRetryMs = retryMs;
				} })).getReader();`,
    plain: `createPlainEvents(createParser, stream, { onRetry: (retryMs) => {
					this._serverRetryMs = retryMs;
				} });`,
  },
];

const replaceQuestions = (source) =>
  questions.reduce((text, { about, sign, asked, plain }) => {
    if (!source.includes(sign)) return text;
    if (text.includes(asked)) return text.replace(asked, () => plain);
    throw new Error(`the official client is written in another way now, ${about}: see lazy-schemas.mjs.`);
  }, source);

const isSchema = (node) => ts.isIdentifier(node) && schemaName.test(node.text);

/** Whether a name stands where it names no value: a property, or a binding of a module. */
const isPlainName = (node) => {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) return parent.name === node;
  return ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent);
};

/** Whether an entry of a table, by type or by method, is a schema; an object that a call is given is no table. */
const isRow = (node) => {
  if (!ts.isPropertyAssignment(node) || ts.isCallExpression(node.parent.parent)) return false;
  const { name, initializer } = node;
  if (ts.isComputedPropertyName(name) || ts.isArrowFunction(initializer)) return false;
  const value = ts.isPropertyAccessExpression(initializer) ? initializer.name : initializer;
  return isSchema(name) || isSchema(value);
};

const isOnlyConstant = ({ parent, initializer }) =>
  ts.isVariableDeclarationList(parent) &&
  parent.declarations.length === 1 &&
  (parent.flags & ts.NodeFlags.Const) !== 0 &&
  initializer !== undefined;

const bindsName = ({ parent }) =>
  ts.isParameter(parent) || ts.isBindingElement(parent) || ts.isFunctionDeclaration(parent);

/**
 * Makes the schemas in a file of the official client when they are asked for first, and not when the file is loaded: of
 * some five hundred a connection needs a few dozen. Each constant becomes a function that remembers its value, each use
 * of it a call, each entry of a table a getter. Files that import from each other have to be changed alike.
 */
export const toLazySchemas = (source, path) => {
  const text = replaceQuestions(replaceTable(source));
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  let changed = '';
  let at = 0;
  /** Copies up to a place, then goes on after another. */
  const put = (until, by, next = until) => {
    changed += text.slice(at, until) + by;
    at = next;
  };

  const visitConstant = ({ name, parent, initializer }) => {
    put(parent.getStart(), `let kept${name.text}; `);
    put(initializer.getStart(), `() => (kept${name.text} ??= `);
    visit(initializer);
    put(initializer.end, ')');
  };

  const visitRow = ({ name, initializer }) => {
    const key = ts.isIdentifier(name) ? `'${name.text}'` : name.getText();
    put(name.getStart(), `get ${name.getText()}() { const value = `, initializer.getStart());
    visit(initializer);
    put(initializer.end, `; Reflect.defineProperty(this, ${key}, { value }); return value; }`);
  };

  const visitName = (node) => {
    if (bindsName(node)) throw new Error(`${path}: ${node.text} is no constant.`);
    if (ts.isShorthandPropertyAssignment(node.parent))
      put(node.getStart(), `get ${node.text}() { return ${node.text}(); }`, node.end);
    else if (!isPlainName(node)) put(node.end, '()');
  };

  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && isSchema(node.name)) {
      if (!isOnlyConstant(node)) throw new Error(`${path}: ${node.name.text} is no constant of its own.`);
      visitConstant(node);
    } else if (isRow(node)) visitRow(node);
    else if (isSchema(node)) visitName(node);
    else ts.forEachChild(node, visit);
  };

  visit(file);
  return changed + text.slice(at);
};
