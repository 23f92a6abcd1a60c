package io.cleat.log;

/** Is told what became of an append, once, by a thread that must not be kept. */
@FunctionalInterface
public interface Completion {
    void told(Outcome outcome);
}
