// Components whose code is loaded when they are shown for the first time.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../api/request.ts";
import { Problem } from "./page.tsx";

/** A component that `load` imports. Nothing is shown until it is there. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [, setRound] = useState(0);
    const [problem, setProblem] = useState<string | undefined>();
    useEffect(() => {
      if (loaded) return;
      load().then(
        (component) => {
          loaded = component;
          setRound((round) => round + 1);
        },
        (error) => setProblem(`A part of the page cannot be loaded: ${messageOf(error)}`),
      );
    }, []);
    const Loaded = loaded;
    return Loaded ? <Loaded {...props} /> : <Problem text={problem} />;
  };
}
