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

/** The only question that the schema of the first message is asked: whether the client is about to send it. */
const schemaQuestion =
  'const isInitializeRequest = (value) => InitializeRequestSchema.safeParse(value).success;';
const nameQuestion = "const isInitializeRequest = (value) => value?.method === 'initialize';";

/** What the client sends it has made itself: by its name it is known, without the largest of the first schemas. */
const replaceQuestion = (source) => {
  if (!source.includes('isInitializeRequest = ')) return source;
  if (source.includes(schemaQuestion)) return source.replace(schemaQuestion, nameQuestion);
  throw new Error('the official client knows its first message in another way now: see lazy-schemas.mjs.');
};

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
  const text = replaceQuestion(replaceTable(source));
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
