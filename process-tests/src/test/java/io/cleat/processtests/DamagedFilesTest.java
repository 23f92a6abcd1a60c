package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each durable file is damaged while its agent is dead and a task goes on, and the next agent does
 * and says what docs/damaged-files.md says. Which are tried is the same each time, and printed: one
 * damage of each file, or all of all by {@code ./dev test DamagedFilesTest -Dcleat.damages=all};
 * {@code -Dcleat.damages=N} tries the first N, {@code -Dcleat.seed=N} has others come first, and
 * {@code -Dcleat.files=JOURNAL,NODE} tries those files alone.
 */
@Timeout(20_000)
class DamagedFilesTest {
    private static final String HOW_MANY = System.getProperty("cleat.damages", "");
    private static final String FILES = System.getProperty("cleat.files", "");
    private static final long SEED = Long.getLong("cleat.seed", 17);

    /** Its tasks are ended before it is begun again. */
    private static final Trial LOST = new Trial(Kept.ALLOCATION, Damage.GONE);

    /** What the next agent does. */
    private enum Word {
        /** It does not start, names the file, and changes nothing. */
        REFUSED,

        /** It starts, and the task is one that it watches. */
        GOES_ON,

        /** It starts, and the task goes on, watched or not. */
        STARTS
    }

    /**
     * Of which file what is done when it is damaged, and when it is gone, and what is said then.
     */
    private enum Kept {
        IDENTITY("server/log/identity", Word.REFUSED, Word.REFUSED, "", ""),
        KEY("server/secrets.key", Word.REFUSED, Word.GOES_ON, "", "secrets.key"),
        ACKNOWLEDGED("server/acknowledged", Word.GOES_ON, Word.GOES_ON, "acknowledged", ""),
        META("server/log/ratis/*/current/raft-meta.conf", Word.REFUSED, Word.GOES_ON, "", ""),
        NODE("client/node", Word.REFUSED, Word.REFUSED, "", ""),
        OBEYED("client/obeyed", Word.REFUSED, Word.GOES_ON, "", ""),
        ALLOCATION(
                "client/allocations/*",
                Word.STARTS,
                Word.STARTS,
                "quarantined: what this node has written down of it cannot be read",
                "nothing is written down of it"),
        JOURNAL("client/volumes.journal", Word.REFUSED, Word.REFUSED, "", ""),
        REGISTRY(
                "client/plugins.registry",
                Word.GOES_ON,
                Word.GOES_ON,
                "plugins.registry cannot be used",
                ""),
        SHIM("client/shims/*/state", Word.GOES_ON, Word.GOES_ON, "", "");

        final String file;
        final Word damaged;
        final Word gone;
        final String saidOfDamaged;
        final String saidOfGone;

        Kept(String file, Word damaged, Word gone, String saidOfDamaged, String saidOfGone) {
            this.file = file;
            this.damaged = damaged;
            this.gone = gone;
            this.saidOfDamaged = saidOfDamaged;
            this.saidOfGone = saidOfGone;
        }
    }

    /** What becomes of a file's bytes. */
    private enum Damage {
        BIT,
        EMPTIED,
        CUT,
        ZEROS,
        FOLLOWED_BY_GARBAGE,
        GONE,
        A_DIRECTORY,
        /** The disk does not give it, nor say that it is not there. */
        UNREADABLE
    }

    private record Trial(Kept kept, Damage damage) {
        Word word() {
            return switch (damage) {
                case GONE -> kept.gone;
                case A_DIRECTORY, UNREADABLE ->
                        kept.damaged == Word.GOES_ON && kept != Kept.SHIM
                                ? Word.REFUSED
                                : kept.damaged;
                // The half of a record is a torn one: what is mounted tells that it was acted upon.
                case CUT -> kept == Kept.JOURNAL ? Word.STARTS : kept.damaged;
                default -> kept.damaged;
            };
        }

        /** What is printed by an agent that starts; empty for nothing. */
        String said() {
            return switch (damage) {
                case GONE -> kept.saidOfGone;
                case CUT ->
                        kept == Kept.JOURNAL
                                ? "quarantined: the journal of volumes does not know what is"
                                        + " mounted for it"
                                : kept.saidOfDamaged;
                default -> kept.saidOfDamaged;
            };
        }

        /** The same each time for the same trial, whatever was tried before. */
        Random chance() {
            return new Random(SEED * 1_000 + kept.ordinal() * 100L + damage.ordinal());
        }

        /** What of it is not a damage that its checksum, or its format, lets be seen. */
        boolean isTold() {
            return switch (kept) {
                // Without a checksum: what still reads as one is believed.
                case META -> damage == Damage.A_DIRECTORY || damage == Damage.GONE;
                // Of the server's others say what is done where the disk gives nothing.
                case IDENTITY, KEY, ACKNOWLEDGED, SHIM -> damage != Damage.UNREADABLE;
                default -> true;
            };
        }
    }

    @Test
    void whatIsDamagedUnderALiveTask_isToldAsThePageSays() throws Exception {
        List<Trial> trials = trials();
        System.out.println("seed " + SEED + ": " + trials);
        try (AgentRun agent = AgentRun.prepare()) {
            agent.start();
            agent.create(Words.directory("data"));
            agent.register(Words.beating("stays", "data"));
            String alloc = agent.running("stays").ID();
            long task = agent.process(alloc);
            for (Trial trial : trials) {
                String what = trial + ", seed " + SEED;
                agent.kill();
                Path file = find(agent.data(), trial.kept(), alloc);
                byte[] whole = Files.readAllBytes(file);
                Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
                apply(trial, file, whole);
                agent.begin();
                switch (trial.word()) {
                    case REFUSED -> {
                        assertTrue(
                                agent.handle()
                                        .onExit()
                                        .thenApply(end -> true)
                                        .completeOnTimeout(false, 60, TimeUnit.SECONDS)
                                        .get(),
                                () -> what + " was not refused: " + agent.printed());
                        String name = String.valueOf(file.getFileName());
                        assertTrue(agent.printed().contains(name), () -> what + agent.printed());
                    }
                    case GOES_ON -> {
                        agent.awaits(() -> isReady(agent), what + ": it starts");
                        assertEquals(alloc, agent.running("stays").ID(), what);
                    }
                    case STARTS -> agent.awaits(() -> isReady(agent), what + ": it starts");
                }
                if (trial.word() != Word.REFUSED) {
                    agent.awaits(() -> agent.printed().contains(trial.said()), what + ": is said");
                }
                if (trial.equals(LOST)) {
                    agent.awaits(() -> agent.process(alloc) != task, what + ": ended first");
                    agent.awaits(() -> agent.process(alloc) > 0, what + ": begun anew");
                    return;
                }
                assertEquals(task, agent.process(alloc), () -> what + agent.printed());
                agent.kill();
                // What the agent has begun anew by now is newer than what was there.
                if (trial.word() != Word.GOES_ON || !Files.isRegularFile(file)) {
                    putBack(file, whole, mode);
                }
                agent.start();
                assertEquals(alloc, agent.running("stays").ID(), what + ": put back");
                assertEquals(task, agent.process(alloc), what + ": put back");
            }
        }
    }

    /**
     * All that can be told, in the order of the seed: one of each file, then the second of each. Of
     * a lost allocation's file last, if at all.
     */
    private static List<Trial> trials() {
        List<Deque<Trial>> byFile = new ArrayList<>();
        Random chance = new Random(SEED);
        List<String> files = FILES.isEmpty() ? List.of() : List.of(FILES.split(","));
        for (Kept kept : Kept.values()) {
            if (!files.isEmpty() && !files.contains(kept.name())) {
                continue;
            }
            List<Trial> told =
                    new ArrayList<>(
                            Stream.of(Damage.values())
                                    .map(damage -> new Trial(kept, damage))
                                    .filter(Trial::isTold)
                                    .toList());
            Collections.shuffle(told, chance);
            byFile.add(new ArrayDeque<>(told));
        }
        List<Trial> all = new ArrayList<>();
        while (byFile.stream().anyMatch(left -> !left.isEmpty())) {
            byFile.forEach(left -> Optional.ofNullable(left.poll()).ifPresent(all::add));
        }
        int many =
                switch (HOW_MANY) {
                    case "all" -> all.size();
                    case "" -> byFile.size();
                    default -> Math.min(Integer.parseInt(HOW_MANY), all.size());
                };
        List<Trial> some = new ArrayList<>(all.subList(0, many));
        if (some.remove(LOST)) {
            some.add(LOST);
        }
        return some;
    }

    private static Path find(Path data, Kept kept, String alloc) throws IOException {
        PathMatcher wanted = data.getFileSystem().getPathMatcher("glob:" + data + "/" + kept.file);
        try (Stream<Path> all = Files.walk(data.resolve(kept.file.split("/", 2)[0]))) {
            return all.filter(wanted::matches)
                    .filter(
                            path ->
                                    !kept.file.contains("*")
                                            || kept == Kept.META
                                            || path.toString().contains(alloc))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no " + kept.file));
        }
    }

    private static void apply(Trial trial, Path file, byte[] whole) throws IOException {
        Random chance = trial.chance();
        switch (trial.damage()) {
            case BIT -> {
                byte[] damaged = whole.clone();
                int bit = chance.nextInt(whole.length * 8);
                damaged[bit / 8] ^= (byte) (1 << (bit % 8));
                Files.write(file, damaged);
            }
            case EMPTIED -> Files.write(file, new byte[0]);
            case CUT -> Files.write(file, Arrays.copyOf(whole, whole.length / 2));
            case ZEROS -> Files.write(file, new byte[whole.length]);
            case FOLLOWED_BY_GARBAGE -> {
                byte[] longer = Arrays.copyOf(whole, whole.length + 64);
                for (int at = whole.length; at < longer.length; at++) {
                    longer[at] = (byte) (1 + chance.nextInt(255));
                }
                Files.write(file, longer);
            }
            case GONE -> Files.delete(file);
            case A_DIRECTORY -> {
                Files.delete(file);
                Files.createDirectory(file);
            }
            case UNREADABLE -> {
                Files.delete(file);
                Files.createSymbolicLink(file, file);
            }
        }
    }

    private static void putBack(Path file, byte[] whole, Set<PosixFilePermission> mode)
            throws IOException {
        if (!Files.isRegularFile(file)) {
            Files.deleteIfExists(file);
        }
        Files.write(file, whole);
        Files.setPosixFilePermissions(file, mode);
    }

    private static boolean isReady(AgentRun agent) throws Exception {
        assertTrue(agent.handle().isAlive(), agent::printed);
        return agent.printed().contains("is healthy. Ready.");
    }
}
