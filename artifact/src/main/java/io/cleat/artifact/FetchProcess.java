package io.cleat.artifact;

import io.cleat.base.Threads;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A running process that fetches, seen from the agent. It has a heap of its own, so that what it reads costs the agent
 * nothing; it is killed when it is not wanted any more.
 */
public final class FetchProcess {
    private static final int HEAP_MB = 512;

    /** For who ends it in good order, before it is killed. */
    private static final Duration ENDING = Duration.ofSeconds(10);

    private final Process process;
    private final List<Artifact> artifacts;
    private final Thread reader;
    private final ConfinedWords words;
    private final Map<Integer, Outcome> outcomes = new ConcurrentHashMap<>();
    private volatile boolean cancelled;

    private FetchProcess(Process process, FetchOrder order, Threads given) {
        // Who reads a pipe holds up what carries virtual threads, for as long as a download takes.
        Threads threads = Threads.platform(given.faults());
        this.process = process;
        this.artifacts = order.artifacts();
        this.reader = threads.contained("artifacts/answers", () -> talk(order), fault -> process.destroyForcibly());
        this.words = new ConfinedWords(process, threads);
    }

    /**
     * Starts fetching.
     *
     * @param confinement what keeps the process in; empty if nothing does
     * @param directory an empty one that no task sees; it becomes the confined process's
     * @param readable the directories of the machine that artifacts may be taken from
     * @param allowed the addresses of the machine and its link that they may be taken from
     */
    public static FetchProcess start(
            Optional<Confinement> confinement,
            Path directory,
            List<Path> readable,
            List<AddressRange> allowed,
            FetchLimits limits,
            List<Artifact> artifacts,
            Threads threads)
            throws IOException {
        boolean seesMachine = artifacts.stream().anyMatch(Artifact::isOfTheMachine);
        ConfinedJava java = new ConfinedJava(FetchMain.class, HEAP_MB, List.of());
        Process process = java.start(confinement, directory, limits.largestFile(), seesMachine ? readable : List.of());
        return new FetchProcess(
                process,
                new FetchOrder(directory, List.copyOf(readable), List.copyOf(allowed), limits, List.copyOf(artifacts)),
                threads);
    }

    /** Ends it at once, with what it has not fetched yet, and all that it has started. */
    public void cancel() {
        cancelled = true;
        process.destroy();
    }

    /**
     * What became of each artifact, in their order, once all are there or cannot be had. An interruption ends the
     * process.
     */
    public List<Outcome> await() throws InterruptedException {
        int code;
        String said = "";
        try {
            while (!reader.join(ENDING)) {
                if (cancelled) {
                    process.destroyForcibly();
                    break;
                }
            }
            code = process.waitFor();
            if (code == ConfinedJava.UNCONFINED) {
                said = words.await();
            }
        } catch (InterruptedException end) {
            cancel();
            throw end;
        }
        List<Outcome> all = new ArrayList<>();
        for (int i = 0; i < artifacts.size(); i++) {
            Outcome outcome = outcomes.get(i);
            all.add(outcome == null ? new Outcome.Failed(unanswered(code, said)) : outcome);
        }
        return all;
    }

    private String unanswered(int code, String said) {
        if (cancelled) {
            return "it is not wanted any more";
        }
        if (!said.isEmpty()) {
            return "the process that fetches could not be confined: " + said;
        }
        return code == ConfinedJava.OUT_OF_MEMORY
                ? "it, or another artifact of the task, needs more than the 512 MB of memory that"
                        + " fetching has; take it in smaller pieces"
                : "the process that fetches ended with exit code " + code + "; try again";
    }

    private void talk(FetchOrder order) {
        try {
            DataInputStream output = new DataInputStream(process.getInputStream());
            // Its input stays open: it ends when we do.
            order.write(new DataOutputStream(new BufferedOutputStream(process.getOutputStream())));
            while (true) {
                FetchOrder.Answer answer = FetchOrder.Answer.read(output);
                outcomes.put(answer.index(), answer.outcome());
            }
        } catch (EOFException end) {
            // It has answered, or is gone: its exit code says which.
        } catch (IOException gone) {
            // By its handle: a process that is destroyed takes along what it has said and nobody
            // has read yet.
            process.toHandle().destroyForcibly();
        }
    }
}
