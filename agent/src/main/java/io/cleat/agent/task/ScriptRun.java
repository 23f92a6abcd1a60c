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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One run of a script in a running task, for as long as it may take. */
final class ScriptRun {
    /** How much of what a script says is shown. */
    private static final int MOST_WORDS = 300;

    private final TaskDriver driver;
    private final TaskHandle handle;
    private final ChangeScript script;
    private final Threads threads;
    private final Time time;
    private volatile boolean tooLong;

    ScriptRun(
            TaskDriver driver, TaskHandle handle, ChangeScript script, Threads threads, Time time) {
        this.driver = driver;
        this.handle = handle;
        this.script = script;
        this.threads = threads;
        this.time = time;
    }

    /** How it failed; empty if it did not. */
    Optional<String> failure() throws InterruptedException {
        List<String> words = new ArrayList<>(List.of(script.command()));
        words.addAll(script.args());
        try (ExecSession session = driver.exec(handle, new ExecCommand(words, false))) {
            Runnable end = session::close;
            Thread limit =
                    threads.contained(
                            "task/" + handle.id() + "/script",
                            () -> {
                                time.sleep(script.timeout());
                                tooLong = true;
                                end.run();
                            },
                            fault -> end.run());
            try {
                session.endInput();
                return failure(session);
            } finally {
                limit.interrupt();
                limit.join();
            }
        } catch (DriverTrouble trouble) {
            return Optional.of(tooLong ? late() : trouble.reason());
        }
    }

    private Optional<String> failure(ExecSession session)
            throws DriverTrouble, InterruptedException {
        StringBuilder said = new StringBuilder();
        while (true) {
            Optional<Output> next = session.next();
            if (next.isEmpty()) {
                return Optional.of(tooLong ? late() : "it ended without a word, as with its task");
            }
            switch (next.get()) {
                case Output.Out(byte[] bytes) -> add(said, bytes);
                case Output.Err(byte[] bytes) -> add(said, bytes);
                case Output.Exited(ExitResult result) -> {
                    if (result.isSuccess()) {
                        return Optional.empty();
                    }
                    String words = VisibleText.lines(said.toString().strip());
                    return Optional.of(
                            tooLong
                                    ? late()
                                    : (words.isEmpty() ? "" : words + ". ")
                                            + "Exit code: "
                                            + result.exitCode());
                }
            }
        }
    }

    private String late() {
        return "it ran longer than " + Durations.words(script.timeout());
    }

    private static void add(StringBuilder said, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        said.append(VisibleText.head(text, Math.max(0, MOST_WORDS - said.length())));
    }
}
