// Reads the conversations of an export of ChatGPT or Claude (conversations.json) as Markdown, one document each.

import { countLeftOut, type LeftOutCounter } from "../../../kernel/left-out.ts";
import { ExtractionError } from "../errors.ts";
import { frontMatterOf, MAX_PARTS, type Part } from "./part.ts";

/** Messages of one conversation. */
const MAX_MESSAGES = 20_000;

type Members = Record<string, unknown>;
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const membersOf = (value: unknown): Members => (isMembers(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

interface Message {
  /** The heading of the message. */
  speaker: string;
  text: string;
}

/** Reads the file. Undefined if it is of another program. Throws ExtractionError if it has too many conversations. */
export function readConversations(json: string): Part[] | undefined {
  let all: unknown;
  try {
    all = JSON.parse(json);
  } catch {
    return undefined;
  }
  const conversations = listOf(all).filter(isMembers);
  if (conversations.length === 0) return undefined;
  const read = conversations.every(({ mapping }) => isMembers(mapping))
    ? chatGptOf
    : conversations.every(({ chat_messages: messages }) => Array.isArray(messages))
      ? claudeOf
      : undefined;
  if (!read) return undefined;
  if (conversations.length > MAX_PARTS)
    throw new ExtractionError("TOO_LARGE", `the export has more than ${MAX_PARTS} conversations`);
  return conversations.flatMap((conversation, index) => {
    const leftOut = countLeftOut();
    const { id, title, messages, created, program } = read(conversation, leftOut);
    if (messages.length === 0) return [];
    const sections = messages.map(({ speaker, text }) => `## ${speaker}\n\n${text.trim()}`);
    const front = frontMatterOf({ title: title || `Conversation ${index + 1}`, created, program });
    const name = /^[\w-]{8,64}$/.test(id) ? id : String(index + 1);
    const body = new TextEncoder().encode(`${front}${sections.join("\n\n")}\n`);
    return [{ path: `${name}.md`, body, leftOut: leftOut.all() }];
  });
}

interface Conversation {
  id: string;
  title: string;
  messages: Message[];
  created: string | undefined;
  program: string;
}

/** The branch of a conversation that ends with its current message. */
function chatGptOf(conversation: Members, leftOut: LeftOutCounter): Conversation {
  const nodes = membersOf(conversation.mapping);
  const messages: Message[] = [];
  const seen = new Set<string>();
  let key = textOf(conversation.current_node) || (Object.keys(nodes).at(-1) ?? "");
  while (Object.hasOwn(nodes, key) && !seen.has(key) && seen.size < MAX_MESSAGES) {
    seen.add(key);
    const node = membersOf(nodes[key]);
    const message = chatGptMessage(membersOf(node.message), leftOut);
    if (message) messages.unshift(message);
    key = textOf(node.parent);
  }
  const created = conversation.create_time;
  return {
    id: textOf(conversation.conversation_id) || textOf(conversation.id),
    title: textOf(conversation.title),
    messages,
    created: typeof created === "number" ? dateOf(created * 1_000) : undefined,
    program: "ChatGPT",
  };
}

function chatGptMessage(message: Members, leftOut: LeftOutCounter): Message | undefined {
  const role = membersOf(message.author).role;
  const content = membersOf(message.content);
  if (role !== "user" && role !== "assistant") return undefined;
  if (membersOf(message.metadata).is_visually_hidden_from_conversation === true) return undefined;
  const texts = listOf(content.parts).map((part) => {
    if (isMembers(part) && textOf(part.content_type).startsWith("image")) leftOut.add("image");
    return typeof part === "string" ? part : textOf(membersOf(part).text);
  });
  const text = [...texts, textOf(content.text)].filter((one) => one.trim() !== "").join("\n\n");
  return text === "" ? undefined : { speaker: role === "user" ? "You" : "ChatGPT", text };
}

function claudeOf(conversation: Members, leftOut: LeftOutCounter): Conversation {
  const messages = listOf(conversation.chat_messages)
    .slice(0, MAX_MESSAGES)
    .map(membersOf)
    .flatMap((message): Message[] => {
      const blocks = listOf(message.content).map(membersOf);
      const said = blocks.map((block) => (block.type === "text" ? textOf(block.text) : "")).filter(Boolean);
      const files = listOf(message.attachments)
        .map(membersOf)
        .map(({ file_name: name, extracted_content: text }) => `**${textOf(name)}**\n\n${textOf(text)}`);
      leftOut.add("attachment", listOf(message.files).length);
      const text = [...(said.length > 0 ? said : [textOf(message.text)]), ...files].join("\n\n");
      if (text.trim() === "") return [];
      return [{ speaker: message.sender === "human" ? "You" : "Claude", text }];
    });
  return {
    id: textOf(conversation.uuid),
    title: textOf(conversation.name),
    messages,
    created: dateOf(Date.parse(textOf(conversation.created_at))),
    program: "Claude",
  };
}

const dateOf = (time: number) =>
  Number.isFinite(time) && Math.abs(time) < 8e15 ? new Date(time).toISOString() : undefined;
