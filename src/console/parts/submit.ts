// Sending a form: once at a time, and with one idempotency key for one content, so that neither a second press nor a
// repeated attempt stores something twice.

import { useRef, useState } from "preact/hooks";

/** `send` must not throw. `content` is what is sent: attempts with an equal one have the same key. */
export function useSubmit(send: (idempotencyKey: string) => Promise<void>, content: unknown) {
  const [isSending, setSending] = useState(false);
  const isBusy = useRef(false);
  const sent = useRef({ content: "", key: "" });
  const submit = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    setSending(true);
    const text = JSON.stringify(content);
    if (sent.current.content !== text) sent.current = { content: text, key: crypto.randomUUID() };
    try {
      await send(sent.current.key);
    } finally {
      isBusy.current = false;
      setSending(false);
    }
  };
  return { isSending, submit };
}
