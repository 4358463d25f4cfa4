// Every exported function that another folder imports has a doc comment.

import { expect, test } from "bun:test";
import { dirname, relative, resolve } from "node:path";
import ts from "typescript";

const SRC = resolve(import.meta.dir, "../../src");

const files = await Promise.all(
  [...new Bun.Glob("**/*.ts").scanSync({ cwd: SRC, absolute: true })].sort().map(async (path) => {
    const text = await Bun.file(path).text();
    return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  }),
);

/** `FILE NAME` of everything that a file of another folder imports. */
function importsFromOtherFolders(): Set<string> {
  const found = new Set<string>();
  for (const file of files) {
    for (const statement of file.statements) {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
      const target = resolve(dirname(file.fileName), statement.moduleSpecifier.text);
      const names = statement.importClause?.namedBindings;
      if (dirname(target) === dirname(file.fileName) || !names || !ts.isNamedImports(names)) continue;
      for (const { name, propertyName } of names.elements)
        found.add(`${target} ${(propertyName ?? name).text}`);
    }
  }
  return found;
}

const isExported = (statement: ts.Statement) =>
  ts.canHaveModifiers(statement) &&
  ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const isFunction = (value: ts.Expression | undefined) =>
  value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));

/** The exported functions of a file, by name. */
function exportedFunctions(file: ts.SourceFile): [name: string, statement: ts.Statement][] {
  return file.statements.filter(isExported).flatMap((statement): [string, ts.Statement][] => {
    if (ts.isFunctionDeclaration(statement) && statement.name) return [[statement.name.text, statement]];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations
      .filter(({ initializer }) => isFunction(initializer))
      .map(({ name }) => [name.getText(), statement]);
  });
}

const hasDocComment = (statement: ts.Statement) => ts.getJSDocCommentsAndTags(statement).length > 0;

test("every function that another folder imports has a doc comment", () => {
  const imported = importsFromOtherFolders();
  const functions = files.flatMap((file) =>
    exportedFunctions(file)
      .filter(([name]) => imported.has(`${file.fileName} ${name}`))
      .map(([name, statement]) => ({ place: `${relative(SRC, file.fileName)} ${name}`, statement })),
  );
  expect(functions.length).toBeGreaterThan(200);
  const missing = functions.filter(({ statement }) => !hasDocComment(statement));
  expect(missing.map(({ place }) => place)).toEqual([]);
});
