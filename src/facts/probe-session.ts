// The session our own probes (init, doctor) play: judged and recorded like any other, and nobody's work.
export const probeSession = "interlock-probe";
