package io.cleat.processtests;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.processtests.DamageTrial.Damage;
import io.cleat.processtests.DamageTrial.Kept;
import io.cleat.processtests.DamageTrial.Tasks;
import io.cleat.processtests.DamageTrial.Word;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each durable file is damaged while its agent is dead and a task goes on or has ended, and the next agent does and
 * says what docs/damaged-files.md says. Which are tried is the same each time, and printed: of five files one damage
 * each, or all of all by {@code ./dev test DamagedFilesTest -Dcleat.damages=all}; {@code -Dcleat.damages=N} tries the
 * first N, {@code -Dcleat.seed=N} has others come first, and {@code -Dcleat.files=JOURNAL,NODE} tries those files
 * alone.
 */
@Timeout(20_000)
class DamagedFilesTest {
    private static final String HOW_MANY = System.getProperty("cleat.damages", "4");
    private static final String FILES = System.getProperty("cleat.files", "");
    private static final long SEED = Long.getLong("cleat.seed", 17);

    /** Each trial with tasks that have ended takes one restart. */
    private static final String ALWAYS = """
            restart {
              attempts = 1000
              interval = "24h"
              mode     = "delay"
            """;

    /** A file as it was. */
    private record Bytes(byte[] whole, Set<PosixFilePermission> mode) {
        static Bytes of(Path file) throws IOException {
            return new Bytes(
                    Files.isRegularFile(file) ? Files.readAllBytes(file) : new byte[0],
                    Files.getPosixFilePermissions(file));
        }

        void putBack(Path file) throws IOException {
            if (!Files.isRegularFile(file)) {
                Files.deleteIfExists(file);
            }
            Files.write(file, whole);
            Files.setPosixFilePermissions(file, mode);
        }
    }

    @Test
    void whatIsDamagedIsToldAsThePageSays() throws Exception {
        Deque<DamageTrial> trials = new ArrayDeque<>(trials());
        System.out.println("seed " + SEED + ": " + trials);
        List<String> faults = new ArrayList<>();
        while (!trials.isEmpty()) {
            tryUntilOneFails(trials, faults);
        }
        assertEquals(List.of(), faults, () -> String.join("\n\n", faults));
    }

    /** With an agent of their own, since nobody knows what the one that failed has left. */
    private static void tryUntilOneFails(Deque<DamageTrial> trials, List<String> faults) throws Exception {
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            agent.create(Words.directory("data"));
            agent.register(Words.beating("stays", "data").replace("restart {", ALWAYS));
            String alloc = agent.running("stays").ID();
            long task = agent.process(alloc);
            // Leaves the first file of the log behind.
            agent.kill();
            agent.start();
            while (!trials.isEmpty()) {
                DamageTrial trial = trials.poll();
                try {
                    task = survived(trial, agent, alloc, task);
                } catch (AssertionError fault) {
                    faults.add(trial + ", seed " + SEED + ": " + fault.getMessage());
                    return;
                }
            }
        }
    }

    /** The task's process after the trial, of which nothing is left. */
    private static long survived(DamageTrial trial, AgentRun agent, String alloc, long task) throws Exception {
        String what = "the next agent";
        boolean isEnded = trial.tasks() == Tasks.ENDED;
        agent.kill();
        if (isEnded) {
            ProcessHandle.of(task).orElseThrow().destroyForcibly();
            agent.awaits(() -> hasEnded(agent, alloc), "the task has ended");
        }
        Path file = trial.find(agent.data(), alloc);
        Map<Path, Bytes> before = before(trial, agent.data(), file);
        trial.apply(file, requireNonNull(before.get(file)).whole(), chance(trial));
        agent.begin();
        switch (trial.word()) {
            case REFUSED -> assertRefused(agent, file, what);
            case RECOVERS -> assertSays(agent, "The cluster goes into recovery", what);
            case GOES_ON, STARTS -> {
                agent.awaits(() -> isReady(agent), what + ": it starts");
                assertSays(agent, trial.said(), what);
            }
        }
        if (trial.word() == Word.GOES_ON) {
            assertEquals(alloc, agent.running("stays").ID(), what);
        }
        // Its tasks are ended before it is begun again.
        boolean isLost = trial.kept() == Kept.ALLOCATION && trial.damage() == Damage.GONE;
        if (isLost) {
            agent.awaits(() -> isAnother(agent, alloc, task), what + ": begun anew");
            return agent.process(alloc);
        }
        if (!isEnded) {
            assertEquals(task, agent.process(alloc), () -> what + agent.printed());
        }
        agent.kill();
        if (isPutBack(trial, file)) {
            putBack(before, requireNonNull(file.getParent()));
        }
        agent.start();
        if (isEnded) {
            agent.awaits(() -> isAnother(agent, alloc, task), what + ": put back, begun anew");
        } else {
            assertEquals(task, agent.process(alloc), what + ": put back");
        }
        assertEquals(alloc, agent.running("stays").ID(), what + ": put back");
        return agent.process(alloc);
    }

    private static void assertRefused(AgentRun agent, Path file, String what) throws Exception {
        assertTrue(
                agent.handle()
                        .onExit()
                        .thenApply(end -> true)
                        .completeOnTimeout(false, 60, TimeUnit.SECONDS)
                        .get(),
                () -> what + " was not refused: " + agent.printed());
        // Of a log without files its directory is named.
        boolean isNamed = Stream.of(file, file.getParent()).map(Path::toString).anyMatch(agent.printed()::contains);
        assertTrue(isNamed, () -> what + agent.printed());
    }

    private static void assertSays(AgentRun agent, String words, String what) throws Exception {
        agent.awaits(() -> agent.printed().contains(words), what + ": says " + words);
    }

    private static boolean isAnother(AgentRun agent, String alloc, long task) throws Exception {
        long now = agent.process(alloc);
        return now > 0 && now != task;
    }

    private static boolean hasEnded(AgentRun agent, String alloc) throws Exception {
        return agent.leavings().processesNaming(alloc).isEmpty();
    }

    /** What is put back: of the log all that the next agent may change with it. */
    private static Map<Path, Bytes> before(DamageTrial trial, Path data, Path file) throws IOException {
        Map<Path, Bytes> all = new HashMap<>();
        all.put(file, Bytes.of(file));
        if (trial.kept().isOfTheLog()) {
            try (Stream<Path> server = Files.walk(data.resolve("server"))) {
                for (Path each : server.filter(Files::isRegularFile).toList()) {
                    all.put(each, Bytes.of(each));
                }
            }
            Path obeyed = data.resolve("client/obeyed");
            all.put(obeyed, Bytes.of(obeyed));
        }
        return all;
    }

    /** Of the log the next agent may have begun another file. */
    private static void putBack(Map<Path, Bytes> before, Path directory) throws IOException {
        if (before.size() > 1) {
            try (Stream<Path> there = Files.list(directory)) {
                for (Path each : there.filter(path -> !before.containsKey(path)).toList()) {
                    Files.delete(each);
                }
            }
        }
        for (Map.Entry<Path, Bytes> one : before.entrySet()) {
            one.getValue().putBack(one.getKey());
        }
    }

    /** What the agent has begun anew by now is newer than what was there. */
    private static boolean isPutBack(DamageTrial trial, Path file) {
        boolean isNewer = trial.word() == Word.GOES_ON && Files.isRegularFile(file);
        return switch (trial.kept()) {
            case SOCKET, EXIT -> false;
            case SHIM -> trial.tasks() == Tasks.GO_ON && !isNewer;
            default -> !isNewer;
        };
    }

    /** The same each time for the same trial, whatever was tried before. */
    private static Random chance(DamageTrial trial) {
        return new Random(
                SEED * 1_000 + trial.kept().ordinal() * 100L + trial.damage().ordinal());
    }

    /** In the order of the seed: one of each file, then the second of each. */
    private static List<DamageTrial> trials() {
        List<Deque<DamageTrial>> byFile = new ArrayList<>();
        Random chance = new Random(SEED);
        List<String> files = FILES.isEmpty() ? List.of() : List.of(FILES.split(","));
        for (Kept kept : Kept.values()) {
            List<DamageTrial> of = new ArrayList<>(DamageTrial.all().stream()
                    .filter(trial -> trial.kept() == kept)
                    .toList());
            Collections.shuffle(of, chance);
            if (files.isEmpty() || files.contains(kept.name())) {
                byFile.add(new ArrayDeque<>(of));
            }
        }
        Collections.shuffle(byFile, chance);
        List<DamageTrial> all = new ArrayList<>();
        while (byFile.stream().anyMatch(left -> !left.isEmpty())) {
            byFile.forEach(left -> Optional.ofNullable(left.poll()).ifPresent(all::add));
        }
        return switch (HOW_MANY) {
            case "all" -> all;
            default -> all.subList(0, Math.min(Integer.parseInt(HOW_MANY), all.size()));
        };
    }

    private static boolean isReady(AgentRun agent) throws Exception {
        assertTrue(agent.handle().isAlive(), agent::printed);
        return agent.printed().contains("is healthy. Ready.");
    }
}
