import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** A regular expression of the product and where it stands. */
export interface FoundExpression {
  file: string;
  line: number;
  expression: RegExp;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const packages = join(root, 'packages');

const isProduct = (path: string): boolean =>
  /\.tsx?$/.test(path) && !/\.test|\.d\.ts$|\/generated\//.test(path);

const sourceFiles = (): string[] =>
  readdirSync(packages).flatMap((name) =>
    readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
      .map((path) => join(packages, name, 'src', path))
      .filter(isProduct),
  );

/** The text that an expression of the language stands for, if all of it is written in the same file. */
const readText = (node: ts.Expression, file: ts.SourceFile): string | undefined => {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText(file) === 'String.raw')
    return readTemplate(node.template, file, (part) => part.rawText ?? '');
  if (ts.isTemplateExpression(node)) return readTemplate(node, file, (part) => part.text);
  if (ts.isIdentifier(node)) return readConstant(node.text, file);
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source' && ts.isIdentifier(node.expression))
    return readConstant(node.expression.text, file);
  if (ts.isRegularExpressionLiteral(node)) return toLiteral(node.text).source;
  return undefined;
};

const readTemplate = (
  node: ts.TemplateLiteral,
  file: ts.SourceFile,
  toPart: (part: ts.TemplateLiteralLikeNode) => string,
): string | undefined => {
  if (ts.isNoSubstitutionTemplateLiteral(node)) return toPart(node);
  const texts = node.templateSpans.map((span) => readText(span.expression, file));
  if (texts.includes(undefined)) return undefined;
  return node.templateSpans.reduce(
    (all, span, index) => all + texts[index] + toPart(span.literal),
    toPart(node.head),
  );
};

const readConstant = (name: string, file: ts.SourceFile): string | undefined => {
  let found: string | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText(file) === name && node.initializer)
      found ??= readText(node.initializer, file);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

const toLiteral = (text: string): RegExp => {
  const end = text.lastIndexOf('/');
  return new RegExp(text.slice(1, end), text.slice(end + 1));
};

/** Every regular expression of the product; `unread` names those that are put together from what is not in the file. */
export const readExpressions = (): { found: FoundExpression[]; unread: string[] } => {
  const found: FoundExpression[] = [];
  const unread: string[] = [];
  for (const path of sourceFiles()) {
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
    const name = relative(root, path);
    const visit = (node: ts.Node): void => {
      const line = (): number => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      if (ts.isRegularExpressionLiteral(node))
        found.push({ file: name, line: line(), expression: toLiteral(node.text) });
      if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        ts.isIdentifier(node.expression) &&
        node.expression.text === 'RegExp'
      ) {
        const [text, flags] = (node.arguments ?? []).map((argument) => readText(argument, source));
        if (text === undefined) unread.push(`${name}:${line()}`);
        else found.push({ file: name, line: line(), expression: new RegExp(text, flags) });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { found, unread };
};
