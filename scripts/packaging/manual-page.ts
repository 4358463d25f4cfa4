// The manual page of the program in the man macros of roff (man-pages(7)), made from commander's commands.

import type { Command, Help, Option } from "commander";
import { VERSION } from "../../src/base/version.ts";

/** The page as roff text. Without a date: the same commands give the same bytes. */
export function manualPage(program: Command): string {
  const help = program.createHelp();
  return [
    `.TH CTXREPO 1 "" "ctxrepo ${VERSION}" "User Commands"`,
    ".SH NAME",
    "ctxrepo \\- a Context Repository in one file",
    ".SH SYNOPSIS",
    ".B ctxrepo",
    ".I COMMAND",
    "[options]",
    ".SH DESCRIPTION",
    paragraph(program.description()),
    ".PP",
    paragraph("Data goes to stdout, messages go to stderr. With a running server, commands are its clients;"),
    paragraph("otherwise they do the work themselves."),
    ".SH COMMANDS",
    ...program.commands.flatMap((command) => commandLines(command, help)),
    ".SH ENVIRONMENT",
    paragraph(
      "Each setting of serve has a variable, which its description above names. A flag has priority.",
    ),
    ...item("CTXREPO_CACHE_DIR", "the folder of files that can be made again"),
    ".SH EXIT STATUS",
    ...item("0", "success"),
    ...item("1", "failure"),
    ...item("2", "wrong usage"),
    ...item("3", "ask: the documents do not answer the question"),
    "",
  ].join("\n");
}

/** A heading with the usage of a command, its description, arguments and options, and the same for those below it. */
function commandLines(command: Command, help: Help): string[] {
  const inner = command.commands.flatMap((one) => commandLines(one, help));
  if (inner.length > 0 && command.registeredArguments.length === 0) return inner;
  const usage = help.commandUsage(command).replace(/ \[options\]| \[command\]/g, "");
  return [
    `.SS ${quoted(usage)}`,
    paragraph(`${capitalised(help.commandDescription(command))}.`),
    ...help
      .visibleArguments(command)
      .flatMap((one) => item(help.argumentTerm(one), help.argumentDescription(one))),
    ...help
      .visibleOptions(command)
      .flatMap((one) => item(help.optionTerm(one), optionDescription(one, help))),
    ...inner,
  ];
}

/** Without the data directory of who makes the page. */
function optionDescription(option: Option, help: Help): string {
  const text = help.optionDescription(option);
  if (option.long !== "--data-dir") return text;
  return text.replace(JSON.stringify(option.defaultValue), "CTXREPO_DATA_DIR or ~/.local/share/ctxrepo");
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A term in bold, with its description indented below it. */
function item(term: string, description: string): string[] {
  return [".TP", `.B ${escaped(term)}`, paragraph(description)];
}

/** Text without markup, on one line. A line of roff that begins with a dot or quote would be a macro. */
function paragraph(text: string): string {
  return escaped(text.replace(/\s+/g, " ").trim()).replace(/^[.']/, "\\&$&");
}

function escaped(text: string): string {
  return text.replaceAll("`", "").replaceAll("\\", "\\e").replaceAll("-", "\\-");
}

const quoted = (text: string) => `"${escaped(text).replaceAll('"', "\\(dq")}"`;
