package io.cleat.artifact;

import io.cleat.base.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What a process says beside its answers, of which what is beyond the beginning is passed over: it is read to its end,
 * so that nobody waits for a reader.
 */
public final class ConfinedWords {
    private static final int LONGEST = 500;

    private final Process process;
    private final Thread listener;
    private volatile String words = "";

    /**
     * Begins to listen.
     *
     * @param threads of the platform: who reads a pipe holds up what carries virtual threads
     */
    public ConfinedWords(Process process, Threads threads) {
        this.process = process;
        this.listener = threads.contained("confined/words", this::listen, Threads.OnFault.NOTHING_MORE);
    }

    /** All of them, of a process that has ended. */
    public String await() throws InterruptedException {
        listener.join();
        return words;
    }

    private void listen() {
        try (InputStream said = process.getErrorStream()) {
            words = new String(said.readNBytes(LONGEST), StandardCharsets.UTF_8).strip();
            said.transferTo(OutputStream.nullOutputStream());
        } catch (IOException gone) {
            // Then it has said nothing.
        }
    }
}
