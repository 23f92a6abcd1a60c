package io.cleat.agent.task;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Durations;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.VisibleText;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExecSession.Output;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.model.TaskTemplate.ChangeScript;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One run of a script in a running task, for as long as it may take. */
final class ScriptRun {
    /** How much of what a script says is shown. */
    private static final int MOST_WORDS = 300;

    /** What shells say of a command that has failed without a code. */
    private static final int FAILED = 255;

    private final TaskDriver driver;
    private final TaskHandle handle;
    private final List<String> command;
    private final Duration timeout;
    private final Threads threads;
    private final Time time;
    private volatile boolean tooLong;

    ScriptRun(TaskDriver driver, TaskHandle handle, ChangeScript script, Threads threads, Time time) {
        this(driver, handle, words(script.command(), script.args()), script.timeout(), threads, time);
    }

    /**
     * @param command the program and its arguments
     * @param timeout how long it may take
     */
    ScriptRun(
            TaskDriver driver, TaskHandle handle, List<String> command, Duration timeout, Threads threads, Time time) {
        this.driver = driver;
        this.handle = handle;
        this.command = List.copyOf(command);
        this.timeout = timeout;
        this.threads = threads;
        this.time = time;
    }

    static List<String> words(String program, List<String> args) {
        List<String> words = new ArrayList<>(List.of(program));
        words.addAll(args);
        return words;
    }

    /** How it failed; empty if it did not. */
    Optional<String> failure() throws InterruptedException {
        ScriptEnd end = run();
        if (end.isSuccess()) {
            return Optional.empty();
        }
        return Optional.of(
                end.code() < 0
                        ? end.words()
                        : (end.words().isEmpty() ? "" : end.words() + ". ") + "Exit code: " + end.code());
    }

    /** Runs it, and waits for its end or that of its time. */
    ScriptEnd run() throws InterruptedException {
        try (ExecSession session = driver.exec(handle, new ExecCommand(command, false))) {
            Runnable end = session::close;
            Thread limit = threads.contained(
                    "task/" + handle.id() + "/script",
                    () -> {
                        time.sleep(timeout);
                        tooLong = true;
                        end.run();
                    },
                    fault -> end.run());
            try {
                session.endInput();
                return end(session);
            } finally {
                limit.interrupt();
                limit.join();
            }
        } catch (DriverTrouble trouble) {
            return ScriptEnd.none(tooLong ? late() : trouble.reason());
        }
    }

    private ScriptEnd end(ExecSession session) throws DriverTrouble, InterruptedException {
        StringBuilder said = new StringBuilder();
        while (true) {
            Optional<Output> next = session.next();
            if (next.isEmpty()) {
                return ScriptEnd.none(tooLong ? late() : "it ended without a word, as with its task");
            }
            switch (next.get()) {
                case Output.Out(byte[] bytes) -> add(said, bytes);
                case Output.Err(byte[] bytes) -> add(said, bytes);
                case Output.Exited(ExitResult result) -> {
                    String words = VisibleText.lines(said.toString().strip());
                    return tooLong && !result.isSuccess()
                            ? ScriptEnd.none(late())
                            : new ScriptEnd(result.isSuccess() ? 0 : code(result), words);
                }
            }
        }
    }

    /** One that a signal has ended has another code than none. */
    private static int code(ExitResult result) {
        return result.exitCode() == 0 ? FAILED : result.exitCode();
    }

    private String late() {
        return "it ran longer than " + Durations.words(timeout);
    }

    private static void add(StringBuilder said, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        said.append(VisibleText.head(text, Math.max(0, MOST_WORDS - said.length())));
    }
}
