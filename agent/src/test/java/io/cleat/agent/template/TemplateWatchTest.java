package io.cleat.agent.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.TestTime;
import io.cleat.base.Deadline;
import io.cleat.base.TemplateTrouble;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.model.TaskTemplate;
import io.cleat.model.TaskTemplate.ChangeMode;
import io.cleat.model.TaskTemplate.ChangeScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When templates are rendered again, and what the task is told of it. */
@Timeout(60)
class TemplateWatchTest {
    private static final String READS_A = "a={{ file \"local/a\" }}";
    private static final String READS_B = "b={{ file \"local/b\" }}";
    private static final TemplateInput INPUT =
            new TemplateInput(Map.of("E", "1"), path -> path.replace("${DIR}", "local"));

    @TempDir
    Path root;

    private final TestTime clock = new TestTime();
    private final PlainFiles files = new PlainFiles();
    private final List<String> told = new ArrayList<>();
    private final Deque<Runnable> steps = new ArrayDeque<>();
    private long written;

    @BeforeEach
    void makeFiles() throws IOException {
        Files.createDirectories(root.resolve("t/local"));
        put("a", "1");
        put("b", "1");
    }

    /** Each sleep takes its time and lets the next step happen; after the last one it ends. */
    private final class Steps implements Time {
        @Override
        public Instant now() {
            return clock.now();
        }

        @Override
        public long nanos() {
            return clock.nanos();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            Runnable step = steps.poll();
            if (step == null) {
                throw new InterruptedException();
            }
            clock.advance(duration);
            step.run();
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) {
            throw new AssertionError("nobody waits here");
        }
    }

    private final class Task implements TemplateWatch.RunningTask {
        @Override
        public void adopted() {}

        @Override
        public void restart() {
            told.add("restart");
        }

        @Override
        public void signal(String signal) {
            told.add(signal);
        }

        @Override
        public void script(ChangeScript script) {
            told.add(script.command());
        }

        @Override
        public void failed(Trouble trouble) {
            told.add(trouble.reason());
        }
    }

    private void put(String name, String text) {
        try {
            Path file = root.resolve("t/local").resolve(name);
            Files.writeString(file, text);
            // The clock of a file system may stand still between two writes.
            Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(++written)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void remove(String name) {
        try {
            Files.delete(root.resolve("t/local").resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String out(String name) throws IOException {
        return Files.readString(root.resolve("t/local").resolve(name));
    }

    private TemplateSet set(TaskTemplate... templates) {
        return new TemplateSet(
                List.of(templates), new TaskPlaces(root, "t"), files, new Steps(), new RenderingBudget(new TestTime()));
    }

    private TemplateSet rendered(TaskTemplate... templates) throws Exception {
        TemplateSet set = set(templates);
        assertEquals(Optional.empty(), set.write(INPUT, false));
        return set;
    }

    /** Lets each step happen after a second, and ends. */
    private List<String> after(TemplateSet set, Runnable... happens) throws InterruptedException {
        told.clear();
        steps.addAll(List.of(happens));
        TemplateWatch watch = new TemplateWatch(set, INPUT, new Task(), new Steps(), bound -> bound - 1);
        try {
            watch.run();
        } catch (InterruptedException end) {
            assertTrue(steps.isEmpty());
        }
        steps.clear();
        return told;
    }

    private static TaskTemplate one(String out, String data, ChangeMode mode, int splay) {
        return Templates.of(out, data, mode, Duration.ofSeconds(splay), null, false);
    }

    private void nothing() {}

    @Test
    void allAreWrittenWithTheirVariablesBeforeTheStart() throws Exception {
        put("tpl", "E={{ env \"E\" }} {{ file \"${DIR}/a\" }}");
        TaskTemplate env =
                Templates.of("local/deep/env", "K={{ env \"E\" }}\n", ChangeMode.NOOP, Duration.ZERO, null, true);
        TemplateSet set = rendered(one("${DIR}/out", READS_A, ChangeMode.NOOP, 0), env);
        assertEquals("a=1", out("out"));
        assertEquals("K=1\n", out("deep/env"));
        assertEquals(Map.of("K", "1"), set.variables());
        assertTrue(set.isRendered());
    }

    @Test
    void aFileThatIsNotThereIsWaitedFor() throws Exception {
        remove("a");
        TemplateSet set = set(one("local/out", READS_A, ChangeMode.NOOP, 0));
        assertEquals(Optional.of("file(local/a)"), set.write(INPUT, false));
        assertFalse(set.isRendered());
        put("a", "2");
        assertEquals(Optional.empty(), set.write(INPUT, false));
        assertEquals("a=2", out("out"));
    }

    @Test
    void variablesThatAreNoneFailWithTheDestination() {
        TemplateSet set = set(Templates.of("local/env", "no", ChangeMode.NOOP, Duration.ZERO, null, true));
        TemplateTrouble trouble = assertThrows(TemplateTrouble.class, () -> set.write(INPUT, false));
        assertTrue(
                trouble.reason().startsWith("Template failed: template: local/env: line 1 of what it"),
                trouble.reason());
        assertEquals(List.of(), files.written);
    }

    @Test
    void aTextThatChangesIsWrittenAndTold() throws Exception {
        TemplateSet set = rendered(one("local/out", READS_A, ChangeMode.SIGNAL, 0));
        assertEquals(List.of("SIGHUP"), after(set, () -> put("a", "2"), this::nothing, this::nothing));
        assertEquals("a=2", out("out"));
    }

    @Test
    void theSameTextIsNotTold() throws Exception {
        TemplateSet set = rendered(one("local/out", READS_A, ChangeMode.RESTART, 0));
        files.written.clear();
        assertEquals(List.of(), after(set, () -> put("a", "1"), this::nothing));
        assertEquals(List.of(), files.written);
    }

    @Test
    void severalThatChangeWithinTheSplayAreOneRestart() throws Exception {
        TemplateSet set =
                rendered(one("local/x", READS_A, ChangeMode.RESTART, 5), one("local/y", READS_B, ChangeMode.SIGNAL, 5));
        assertEquals(
                List.of("restart"),
                after(
                        set,
                        () -> put("a", "2"),
                        () -> put("b", "2"),
                        this::nothing,
                        this::nothing,
                        this::nothing,
                        this::nothing));
        assertEquals("b=2", out("y"));
    }

    @Test
    void eachSignalAndScriptIsGivenOnce() throws Exception {
        TemplateSet set = rendered(
                one("local/w", READS_A, ChangeMode.NOOP, 0),
                one("local/x", READS_A, ChangeMode.SIGNAL, 0),
                one("local/y", READS_A, ChangeMode.SIGNAL, 0),
                one("local/z", READS_A, ChangeMode.SCRIPT, 0));
        assertEquals(List.of("SIGHUP", "reload"), after(set, () -> put("a", "2"), this::nothing, this::nothing));
        assertEquals("a=2", out("w"));
    }

    @Test
    void aFailureLeavesTheOldTextUntilTheFileChangesAgain() throws Exception {
        TemplateSet set = rendered(one("local/out", "{{ file \"local/a\" | parseInt }}", ChangeMode.SIGNAL, 0));
        List<String> heard = after(
                set,
                () -> put("a", "x"),
                this::nothing,
                this::nothing,
                () -> put("a", "3"),
                this::nothing,
                this::nothing);
        assertEquals(2, heard.size(), heard.toString());
        assertEquals(
                "Template failed: template: local/out:1:21: parseInt: \"x\" is not a whole number", heard.getFirst());
        assertEquals("SIGHUP", heard.getLast());
        assertEquals("3", out("out"));
    }

    @Test
    void aFileThatGoesLeavesTheOldText() throws Exception {
        TemplateSet set = rendered(one("local/out", READS_A, ChangeMode.SIGNAL, 0));
        assertEquals(List.of(), after(set, () -> remove("a"), this::nothing));
        assertEquals("a=1", out("out"));
        assertEquals(List.of("SIGHUP"), after(set, () -> put("a", "2"), this::nothing, this::nothing));
    }

    @Test
    void changesAreGatheredUntilItIsQuietOrTheLongestWaitIsOver() throws Exception {
        TaskTemplate.Wait gather = new TaskTemplate.Wait(Duration.ofSeconds(2), Duration.ofSeconds(4));
        TemplateSet set = rendered(Templates.of("local/out", READS_A, ChangeMode.SIGNAL, Duration.ZERO, gather, false));
        assertEquals(List.of(), after(set, () -> put("a", "2"), () -> put("a", "3"), this::nothing));
        assertEquals("a=1", out("out"));
        assertEquals(List.of("SIGHUP"), after(set, this::nothing, this::nothing, this::nothing));
        assertEquals("a=3", out("out"));
        assertEquals(
                List.of("SIGHUP"),
                after(
                        set,
                        () -> put("a", "4"),
                        () -> put("a", "5"),
                        () -> put("a", "6"),
                        () -> put("a", "7"),
                        () -> put("a", "8"),
                        () -> put("a", "9")));
    }

    @Test
    void aTaskThatWasTakenOverIsToldOnlyOfWhatDiffers() throws Exception {
        TaskTemplate same = one("local/x", READS_A, ChangeMode.RESTART, 0);
        TaskTemplate timely = one("local/y", "{{ timestamp }}" + READS_A, ChangeMode.RESTART, 0);
        rendered(same, timely);
        clock.advance(Duration.ofHours(1));
        files.written.clear();
        assertEquals(List.of(), after(set(same, timely), this::nothing));
        assertEquals(List.of(), files.written);
        put("a", "2");
        assertEquals(List.of("restart"), after(set(same, timely), this::nothing));
        assertEquals("a=2", out("x"));
    }

    @Test
    void whatReadsNoFileHasNoWatch() throws Exception {
        TemplateSet set = rendered(one("local/x", "{{ env \"E\" }}", ChangeMode.RESTART, 0));
        assertFalse(set.isToBeWatched());
        assertEquals(List.of(), after(set));
    }
}
