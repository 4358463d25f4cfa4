// The tool that tells whose store this is.

import { bold, facts, listed } from "./markdown.ts";
import type { Tool } from "./tool.ts";

export const getUserInfo: Tool = {
  name: "get_user_info",
  title: "Who am I",
  description: "Tells whose store this is and what the credential allows.",
  arguments: {},
  required: [],
  behaviour: { readOnly: true, idempotent: true },
  operation: "user.me",
  async handle({ run }) {
    const { data } = (await run({})).body;
    const { userId, email, name, permissions } = data;
    return {
      text: `${bold(name ?? email)}${facts(name && email, `userId: ${userId}`, listed("permissions", permissions))}`,
      data,
    };
  },
};
