package io.cleat.artifact;

import io.cleat.base.Threads;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A running process that fetches, seen from the agent. It has a heap of its own, so that what it
 * reads costs the agent nothing; it is killed when it is not wanted any more.
 */
public final class FetchProcess {
    private static final String HEAP = "-Xmx512m";

    /** What the virtual machine ends with when told to at the end of its memory. */
    private static final int OUT_OF_MEMORY = 3;

    private final Process process;
    private final List<Artifact> artifacts;
    private final Thread reader;
    private final Map<Integer, Outcome> outcomes = new ConcurrentHashMap<>();
    private volatile boolean cancelled;

    private FetchProcess(Process process, FetchOrder order, Threads threads) {
        this.process = process;
        this.artifacts = order.artifacts();
        this.reader =
                threads.contained(
                        "artifacts/answers", () -> talk(order), fault -> process.destroyForcibly());
    }

    /**
     * Starts fetching.
     *
     * @param confined what the command begins with that keeps the process in; may be empty
     * @param directory an empty one that no task sees
     * @param readable the directories of the machine that artifacts may be taken from
     * @param allowed the addresses of the machine and its link that they may be taken from
     */
    public static FetchProcess start(
            List<String> confined,
            Path directory,
            List<Path> readable,
            List<AddressRange> allowed,
            FetchLimits limits,
            List<Artifact> artifacts,
            Threads threads)
            throws IOException {
        List<String> command = new ArrayList<>(confined);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-XX:+ExitOnOutOfMemoryError",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        classPath(),
                        FetchMain.class.getName()));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
        // Names of files are what they are, wherever the agent was started.
        builder.environment().put("LC_ALL", "C.UTF-8");
        return new FetchProcess(
                builder.start(),
                new FetchOrder(
                        directory,
                        List.copyOf(readable),
                        List.copyOf(allowed),
                        limits,
                        List.copyOf(artifacts)),
                threads);
    }

    /** Our own, seen from anywhere. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Ends it at once, with what it has not fetched yet. */
    public void cancel() {
        cancelled = true;
        process.destroyForcibly();
    }

    /**
     * What became of each artifact, in their order, once all are there or cannot be had. An
     * interruption ends the process.
     */
    public List<Outcome> await() throws InterruptedException {
        int code;
        try {
            reader.join();
            code = process.waitFor();
        } catch (InterruptedException end) {
            cancel();
            throw end;
        }
        List<Outcome> all = new ArrayList<>();
        for (int i = 0; i < artifacts.size(); i++) {
            Outcome outcome = outcomes.get(i);
            all.add(outcome == null ? new Outcome.Failed(unanswered(code)) : outcome);
        }
        return all;
    }

    private String unanswered(int code) {
        if (cancelled) {
            return "it is not wanted any more";
        }
        return code == OUT_OF_MEMORY
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
            process.destroyForcibly();
        }
    }
}
